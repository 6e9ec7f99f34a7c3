"""Commands of the command line in this process: `python -m tests.commands` writes anew what each of them tells.

A line of `tests/unit/bot/commands.jsonl` has `run`, and before it `files`, settings (`set`, and `but` for this command
alone), other commands (`after`) and lines of input (`typed`). It `tells` all that is printed and `writes` what stands
in the file `out`; what differs from run to run is written as `#`. Where machines differ, `says` names parts.
"""

import json
import os
import re
from collections.abc import Mapping
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from click.testing import CliRunner

from bot.cli.main import commands
from tests.desk import shop
from tests.paths import ROOT

COMMANDS = ROOT / "tests/unit/bot/commands.jsonl"
CHANGING = re.compile(
    r"\b[0-9a-f]{32,64}\b|\b[\w-]{43}\b"  # ids and seals
    r"|\b20\d\d-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(\+00:00|Z)?)?"  # days and times
    r"|\b\d[\d.,]* ms$|(?<=\"ms\": )[\d.]+|\b[\d.]+(?= MB)|(?<=release )[\d.]+[0-9]|(?<=step )\w+",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Told:
    """What a command printed and wrote, and its exit status."""

    status: int
    text: str
    written: tuple[Any, ...]


def told(case: Mapping[str, Any], folder: Path) -> Told:
    """Run a command in a folder with a database of three apps."""
    environment = {"DATA_DIR": "data", **case.get("set", {})}
    with chdir(folder):
        shop(folder)
        for name, lines in case.get("files", {}).items():
            text = lines if isinstance(lines, str) else "".join(f"{json.dumps(line)}\n" for line in lines)
            Path(name).write_text(text, "utf-8")
        for earlier in case.get("after", ()):
            done = CliRunner().invoke(commands, earlier, env=environment)
            assert done.exit_code == 0, done.output
        environment |= case.get("but", {})
        done = CliRunner().invoke(commands, case["run"], env=environment, input=case.get("typed"))
        out = Path("out")
        written = [json.loads(line) for line in out.read_text("utf-8").splitlines()] if out.exists() else []
    text = done.output if done.exception is None or isinstance(done.exception, SystemExit) else str(done.exception)
    for line in written:
        line.pop("ms", None)
    return Told(done.exit_code, CHANGING.sub("#", text.replace(os.fspath(folder), "FOLDER")), tuple(written))


def anew(case: Mapping[str, Any]) -> dict[str, Any]:
    """Return a case with what its command tells now; one that `says` parts keeps them."""
    with TemporaryDirectory() as folder:
        found = told(case, Path(folder).resolve())
    kept = {name: value for name, value in case.items() if name not in ("status", "tells", "writes")}
    return {
        **kept,
        **({"status": found.status} if found.status else {}),
        **({} if "says" in case else {"tells": found.text}),
        **({"writes": list(found.written)} if found.written else {}),
    }


if __name__ == "__main__":
    cases = [anew(json.loads(line)) for line in COMMANDS.read_text("utf-8").splitlines()]
    COMMANDS.write_text("".join(f"{json.dumps(case, ensure_ascii=False)}\n" for case in cases), "utf-8")
