"""Take out one defence after the other in a copy: a campaign has to notice each, and nothing in a whole copy.

python -m tests.fuzz.without_defences [--seconds 240] [--only fence] [--begin 1000]
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

import click

from ai.files.json_lines import numbered
from config import child_environment
from tests.paths import ROOT

COPIED = ("ai", "bot", "tests", "local_slack")
NOTICED = 1  # exit status of a campaign with faults


def defences(only: str) -> list[dict[str, Any]]:
    lines = (json.loads(line) for _, line in numbered(Path(__file__).with_name("defences.jsonl")))
    return [line for line in lines if only in line["defence"]]


def _left_out(folder: str, names: list[str]) -> set[str]:
    """Leave out what is compiled, and the corpora of questions."""
    return {"__pycache__", "corpora"}.intersection(names) if folder == str(ROOT / "tests") else {"__pycache__"}


def without(line: dict[str, Any], folder: Path, seconds: float, begin: int) -> str:
    """Run the campaign of a defence without it; return how it ended."""
    for name in COPIED:
        shutil.copytree(ROOT / name, folder / name, ignore=_left_out)
    shutil.copy(ROOT / "config.py", folder)
    for edit in line["edits"]:
        path = folder / edit["file"]
        text = path.read_text("utf-8")
        if text.count(edit["old"]) != 1:
            return f"does not stand in {edit['file']}"
        path.write_text(text.replace(edit["old"], edit["new"]), "utf-8")
    command = [sys.executable, "-m", "tests.fuzz.campaign", "--anew", "--seconds", str(seconds), "--only", line["job"]]
    command += ["--begin", str(begin)]
    began = monotonic()
    environment = child_environment(PYTHONPATH=str(folder))
    ended = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    took = f"{monotonic() - began:.0f} s"
    ran = ended.stdout.partition(" of ")[0].split()[-1:]
    if not line["edits"] and not ended.returncode:
        return f"control: no fault in {took}, {ran[0]} tries"
    if ended.returncode != NOTICED or not ran:
        return f"NOT NOTICED in {took}: {(ended.stdout + ended.stderr)[-300:]}"
    return f"noticed after {took}, {ran[0]} tries" if "faults" in ended.stdout else f"crashed: {ended.stderr[-300:]}"


@click.command()
@click.option("--seconds", default=240.0, help="How long each campaign may look.")
@click.option("--only", default="", help="Defences whose names hold this.")
@click.option("--begin", default=0, help="The first number of each; a great one passes by the known cases.")
def without_defences(seconds: float, only: str, begin: int) -> None:
    """Print how each defence is missed; exit status 1 when one is not."""
    unnoticed = False
    for line in defences(only):
        with TemporaryDirectory() as folder:
            found = without(line, Path(folder), seconds, begin)
        unnoticed |= not found.startswith("noticed" if line["edits"] else "control")
        click.echo(f"| {line['defence']} | {line['job']} | {found} |")
    sys.exit(unnoticed)


if __name__ == "__main__":
    without_defences()
