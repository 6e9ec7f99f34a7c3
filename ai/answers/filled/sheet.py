"""A result for slots: columns and rows by the names in a text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from ai.answers.formats import Format, format_of, heading_words, is_number, unit_in
from ai.language.words import name_parts

PLACE = re.compile(r"(?:row\s+)?(\d+)(?:st|nd|rd|th)?(?:\s+(.+))?")
UNADDED = frozenset(
    "avg average mean median rate ratio pct percent percentage share min max cumulative running distinct unique".split()
)


class SlotError(ValueError):
    """A slot has no value, or a sentence is not proved."""


@dataclass(frozen=True, slots=True)
class ResultSheet:
    """`unadded` columns have no sum; a `cut` result lacks rows of its query."""

    names: tuple[str, ...]
    formats: tuple[Format, ...]
    rows: tuple[Sequence[Any], ...]
    today: date | None = None
    unadded: frozenset[int] = field(default=frozenset())
    cut: bool = False
    locale: str = "en_US"

    @property
    def figures(self) -> tuple[int, ...]:
        return tuple(at for at, by in enumerate(self.formats) if by.is_figure)

    @property
    def labels(self) -> tuple[int, ...]:
        return tuple(at for at, by in enumerate(self.formats) if not by.is_figure)

    @property
    def every(self) -> tuple[int, ...]:
        return tuple(range(len(self.rows)))

    @property
    def time(self) -> int | None:
        """The first column of dates."""
        return next((at for at in self.labels if self.formats[at].kind in ("date", "month")), None)

    def written(self, row: int, at: int) -> str:
        return self.formats[at].said(self.rows[row][at], today=self.today)

    def known(self, at: int, rows: Sequence[int]) -> tuple[int, ...]:
        return tuple(row for row in rows if self.rows[row][at] is not None)

    def number(self, row: int, at: int) -> Decimal:
        value = self.rows[row][at]
        if not is_number(value):
            raise SlotError("no number")
        return Decimal(str(value))

    def column(self, name: str) -> int | None:
        wanted = name_parts(name)
        plain = [at for at, each in enumerate(self.names) if name_parts(each) == wanted]
        found = plain or [at for at, each in enumerate(self.names) if name_parts(heading_words(each)) == wanted]
        return found[0] if len(found) == 1 and wanted else None

    def find(self, named: str) -> tuple[int, ...]:
        """Find rows by "Berlin", "Berlin, 2026-01", "city = Berlin", "max sales", "2nd sales", "row 2" or "first"."""
        first, _, rest = named.partition(" ")
        at = self.column(rest)
        place = PLACE.fullmatch(named)
        if found := self._labelled(named):
            return found
        if named.casefold() in ("first", "last") and self.rows:
            return (self.every[0 if named.casefold() == "first" else -1],)
        if first.casefold() in ("max", "min") and at is not None:
            return self.ends(at, self.every, high=first.casefold() == "max")
        if place and place[2] is None and 1 <= int(place[1]) <= len(self.rows):
            return (int(place[1]) - 1,)
        if place and place[2] and (at := self.column(place[2])) is not None:
            return self._placed(at, int(place[1]))
        raise SlotError(f"no row {named}")

    def ends(self, at: int, among: Sequence[int], *, high: bool) -> tuple[int, ...]:
        known = self.known(at, among)
        if not known or self.cut or len({type(self.rows[row][at]) is str for row in known}) > 1:
            raise SlotError("no highest value")
        best = (max if high else min)(self.rows[row][at] for row in known)
        return tuple(row for row in known if self.rows[row][at] == best)

    def _placed(self, at: int, place: int) -> tuple[int, ...]:
        values = sorted({row[at] for row in self.rows if is_number(row[at])}, reverse=True)
        if self.cut or not 1 <= place <= len(values):
            raise SlotError("no such place")
        return tuple(row for row in self.every if self.rows[row][at] == values[place - 1])

    def _labelled(self, named: str) -> tuple[int, ...]:
        whole = tuple(row for row in self.every if self._is_label(named, row))
        parts = [part.strip() for part in named.split(",")]
        if whole or len(parts) == 1:
            return whole
        return tuple(row for row in self.every if all(self._is_label(part, row) for part in parts))

    def _is_label(self, named: str, row: int) -> bool:
        column, equals, value = named.partition("=")
        at = self.column(column) if equals else None
        wanted = (named if at is None else value).strip(" '\"").casefold()
        places = self.labels if at is None else (at,)
        return any(wanted in (str(self.rows[row][p]).casefold(), self.written(row, p).casefold()) for p in places)


def sheet_of_rows(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> ResultSheet:
    """Lay out a result from names and cells alone."""
    formats = tuple(format_of(name, unit_in(name), [row[at] for row in rows]) for at, name in enumerate(columns))
    unadded = frozenset(at for at, name in enumerate(columns) if UNADDED & set(name_parts(name)))
    return ResultSheet(tuple(columns), formats, tuple(rows), unadded=unadded)
