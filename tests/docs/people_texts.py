"""The texts of the code that people may read: sentences, labels, templates, by the room that says them."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = (
    "ai/agents",
    "ai/analysts",
    "ai/answers",
    "ai/charts",
    "ai/files/private.py",
    "ai/memory/log/database.py",
    "ai/memory/opening.py",
    "ai/memory/stores",
    "ai/nl2sql",
    "ai/results",
    "ai/sql",
    "ai/errors.py",
    "bot",
    "config.py",
)
NOT_READ = ("prompts", "toolbox", "functions", "engines", "grammars", "/writer/", "compatible", "http_api")
SLOT = re.compile(r"\{[^{}]*\}")
SENTENCE = re.compile(r"(?:[A-Z“{]|\*\*).* .*[.!?…:]$", re.DOTALL)
ENDS = re.compile(r"(?<=[.!?…:])\s+|\n+")
UNREAD = ("log", "re", "Field", "_counted", "_secret", "Metric")
CODE = re.compile(r"SELECT |\\b|\(\?|[A-Z]{3,} [A-Z]{3,}|\w\[|^\{[^}]*\}[^ ]*$")


@dataclass(frozen=True)
class PeopleText:
    """A text where it stands."""

    place: str
    text: str

    @property
    def room(self) -> str:
        return "/".join(self.place.split("/")[:2])

    @property
    def is_sentence(self) -> bool:
        words = re.findall(r"[A-Za-z]{2,}", SLOT.sub(" ", self.text))
        return len(words) >= 3 and bool(SENTENCE.match(self.text)) and not CODE.search(self.text)

    @property
    def needle(self) -> str:
        """The longest piece between slots."""
        return max(SLOT.split(self.text), key=len)

    @property
    def pieces(self) -> list["PeopleText"]:
        """The sentences of the text."""
        return [PeopleText(self.place, part.strip()) for part in ENDS.split(self.text) if part.strip()]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        parts = (re.escape(part) for part in SLOT.split(self.text.strip()))
        return re.compile(".*?".join(parts), re.DOTALL)

    def makes(self, text: str) -> bool:
        """Tell whether the template makes a text."""
        return self.needle.strip() in text and bool(self.pattern.fullmatch(text))


def texts() -> Iterator[PeopleText]:
    for room in ROOMS:
        for file in sorted((ROOT / room).rglob("*.py")) or [ROOT / room]:
            place = str(file.relative_to(ROOT))
            if not any(part in place for part in NOT_READ):
                yield from (PeopleText(place, text) for text in _in_code(file.read_text(encoding="utf-8")))
    for table in sorted((ROOT / "ai").rglob("sentences.tsv")):
        lines = table.read_text(encoding="utf-8").splitlines()[1:]
        yield from (PeopleText(str(table.relative_to(ROOT)), line.split("\t")[1]) for line in lines)


def _in_code(code: str) -> Iterator[str]:
    tree = ast.parse(code)
    unread = {id(node) for skipped in _unread(tree) for node in ast.walk(skipped)}
    for node in ast.walk(tree):
        if id(node) in unread:
            continue
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.strip():
            yield node.value


def _unread(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield docstrings, log lines, patterns, settings, metrics, and the parts of templates."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield from (part for part in node.values if isinstance(part, ast.Constant))
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if is_docstring or (isinstance(node, ast.Call) and _called(node.func) in UNREAD):
            yield node


def _called(name: ast.expr) -> str:
    """Return the first name of what is called: "log" of `log.info`."""
    held = name.value if isinstance(name, ast.Attribute) else name
    return held.id if isinstance(held, ast.Name) else ""
