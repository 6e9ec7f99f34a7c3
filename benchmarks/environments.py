"""The environments of the peers, apart from ours: `.venv-peers/NAME` holds what `benchmarks/peers/NAME.txt` pins."""

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from benchmarks.report.progress import progress
from config import child_environment
from tests.paths import ROOT

PEERS = ROOT / ".venv-peers"
LISTS = ROOT / "benchmarks" / "peers"
UV = Path(sys.executable).with_name("uv")


def python_of(name: str, peers: Path = PEERS, lists: Path = LISTS) -> Path | None:
    """Return the Python of an environment made from its list of today."""
    python = peers / name / "bin" / "python"
    return python if python.exists() and _stamp(name, peers) == _pins(name, lists) else None


def install(names: Iterable[str], peers: Path = PEERS, lists: Path = LISTS) -> dict[str, str]:
    """Install what is not there or has another list; return why an environment is missing."""
    return {name: why for name in names if (why := _installed(name, peers, lists))}


def pinned(name: str) -> str:
    """Name what an environment is made of."""
    return ", ".join(_pins(name, LISTS).replace("==", " ").split("\n")).strip(", ")


def _installed(name: str, peers: Path, lists: Path) -> str:
    if python_of(name, peers, lists):
        return ""
    progress(f"  installing the peers of {name}")
    here = peers / name
    index = _index()
    made = (
        [str(UV), "venv", "--quiet", "--clear", "--python", sys.executable, str(here)],
        [
            str(UV),
            "pip",
            "install",
            "--quiet",
            "--python",
            str(here / "bin/python"),
            *index,
            "-r",
            str(lists / f"{name}.txt"),
        ],
    )
    for command in made:
        if not UV.exists() or subprocess.run(command, cwd=ROOT, stdout=sys.stderr, check=False).returncode:
            return "it could not be installed; the output of `make bench` says why"
    (here / "pins.txt").write_text(_pins(name, lists), "utf-8")
    return ""


def _index() -> list[str]:
    """Return the index that pip is set up for: uv does not ask pip."""
    ask = [sys.executable, "-m", "pip", "config", "get", "global.index-url"]
    said = subprocess.run(ask, capture_output=True, text=True, check=False).stdout.strip()
    index = child_environment().get("PIP_INDEX_URL") or said
    return ["--default-index", index] if index else []


def _pins(name: str, lists: Path) -> str:
    return (lists / f"{name}.txt").read_text("utf-8")


def _stamp(name: str, peers: Path) -> str:
    stamp = peers / name / "pins.txt"
    return stamp.read_text("utf-8") if stamp.exists() else ""
