"""A report: a section of rows for each benchmark, to JSON and back."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

NOTEWORTHY = 0.25  # how much worse than in the last report is named at the top


class MissingPart(Exception):
    """A benchmark cannot run here; the text says what it needs."""


@dataclass(frozen=True)
class Row:
    """One figure of ours; `beside` holds the peers' of the same run, `limit` the bound to keep."""

    what: str
    figure: float
    unit: str = ""
    beside: Mapping[str, float] = field(default_factory=dict)
    limit: float | None = None
    more: bool = False  # more is better
    before: float | None = None  # in the last report

    @property
    def is_kept(self) -> bool:
        return self.limit is None or (self.figure >= self.limit if self.more else self.figure <= self.limit)

    @property
    def change(self) -> float | None:
        """Return the difference from the last report, as a share of it."""
        return (self.figure - self.before) / self.before if self.before else None

    @property
    def is_worse(self) -> bool:
        return (self.change or 0) * (-1 if self.more else 1) > NOTEWORTHY

    def multiples(self) -> Iterator[tuple[str, float, float | None]]:
        """Yield each peer with its figure and the multiple of ours."""
        for peer, theirs in self.beside.items():
            yield peer, theirs, theirs / self.figure if self.figure else None


@dataclass(frozen=True)
class Section:
    """One benchmark's part: its words, size, time, load and rows, and a reason if it ended early."""

    name: str
    title: str
    about: str
    size: str
    at: str
    commit: str
    load: float
    seconds: float
    rows: tuple[Row, ...] = ()
    notes: tuple[str, ...] = ()
    failed: str = ""

    def since(self, last: "Section | None") -> "Section":
        """Return the section with the figures that the last report had for the same size."""
        if last is None or last.size != self.size:
            return self
        known = {row.what: row.figure for row in last.rows}
        return replace(self, rows=tuple(replace(row, before=known.get(row.what)) for row in self.rows))


@dataclass(frozen=True)
class Report:
    """The facts of the machine, and a section for each benchmark."""

    machine: Mapping[str, str]
    sections: tuple[Section, ...]

    def written(self) -> str:
        return json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def read(cls, path: Path) -> "Report":
        if not path.exists():
            return cls({}, ())
        kept = json.loads(path.read_text("utf-8"))
        return cls(kept["machine"], tuple(map(_section, kept["sections"])))


def _section(kept: dict[str, Any]) -> Section:
    rows = tuple(Row(**row) for row in kept["rows"])
    return Section(**{**kept, "rows": rows, "notes": tuple(kept["notes"])})
