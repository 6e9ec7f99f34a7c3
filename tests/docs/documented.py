"""The commands that the documents show in blocks of `sh`, line by line, and those that no test runs, with the reason."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

from tests.paths import ROOT

DOCUMENTS = (
    *sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("deploy/**/*.md")]),
    ROOT / "local_slack" / "README.md",
)
BLOCK = re.compile(r"^( *)```sh\n(.*?)^\1```", re.DOTALL | re.MULTILINE)
SETTING = re.compile(r"([A-Z][A-Z0-9_]*)=(\S*)")
NOT_RUN = Path(__file__).with_name("not_run.jsonl")


@dataclass(frozen=True)
class Shown:
    """A command where it is shown."""

    document: str
    line: str

    @property
    def settings(self) -> list[str]:
        """The names of variables, where the line sets nothing but them."""
        found = [SETTING.fullmatch(word) for word in self.line.split()]
        return [one[1] for one in found if one] if all(found) else []


def shown() -> list[Shown]:
    return [Shown(path.relative_to(ROOT).as_posix(), line) for path in DOCUMENTS for line in _lines(path)]


def not_run() -> dict[str, str]:
    """Return the reasons by command."""
    lines = map(json.loads, NOT_RUN.read_text("utf-8").splitlines())
    return {line["command"]: line["reason"] for line in lines}


def _lines(document: Path) -> list[str]:
    blocks = [dedent(block) for _, block in BLOCK.findall(document.read_text("utf-8"))]
    joined = [re.sub(r"\\\n\s*", "", block) for block in blocks]
    lines = [re.sub(r"(^|\s)#\s.*", "", line).strip() for block in joined for line in block.splitlines()]
    return [line for line in lines if line]
