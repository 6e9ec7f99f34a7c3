"""Evidence for the detectors, and the cautions they give."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Literal

from sqlglot import exp

from ai.errors import SourceUnavailable, UserError
from ai.results.table import ResultTable, Row
from ai.sql.catalog import Catalog, Table
from ai.sql.cautions.asked import Asked
from ai.sql.cautions.frames import Frame, Frames
from ai.sql.facts import Facts

Kind = Literal["multiplied", "period", "truncated", "nulls", "mixed", "averages", "near", "undone", "question"]
Ask = Callable[[str], tuple[Row, ...]]
MOST_ROWS = 1_000_000  # of a table that is asked a small question; larger ones are not scanned for a note


@dataclass(frozen=True, slots=True)
class Caution:
    """A note for people; `text` may hold values of the data."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """A query that ran; `result` holds its first rows, `ask` is None where nothing may run."""

    tree: exp.Query
    catalog: Catalog
    frames: Frames
    result: ResultTable
    today: date
    facts: Facts
    ask: Ask | None = None
    asked: Asked | None = None

    def outer(self) -> Iterator[Frame]:
        """Yield the SELECTs giving the result."""
        parts: list[exp.Expr] = [self.tree]
        while parts:
            part = parts.pop().unnest()
            if isinstance(part, exp.Select):
                yield self.frames.of(part)
            elif isinstance(part, exp.SetOperation):
                parts += [part.expression, part.this]

    def answers(self, query: exp.Query, table: Table, *, needed: bool = False) -> tuple[Row, ...]:
        """Run a small query over a table; () if it may not run, fails, or is dear and not `needed`."""
        dear = table.row_estimate is None or table.row_estimate > MOST_ROWS
        if self.ask is None or (dear and not needed):
            return ()
        try:
            return self.ask(query.sql(dialect=self.catalog.dialect))
        except (UserError, SourceUnavailable):  # a note is not worth failing for
            return ()


Detector = Callable[[Evidence], Iterator[Caution]]
