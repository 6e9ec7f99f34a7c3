"""What may be said of a result: its cells as numbers, names and dates, and what its columns add up to.

Of a result that is larger than its first rows, `totals` hold what one pass over all of its rows gave (`ai.results.totals`).
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cached_property, lru_cache
from statistics import median
from typing import Any

from ai.answers.moments import Moment, moment_of
from ai.answers.units import currency_of_column, scale_of_column, unit_of_column
from ai.language import stems
from ai.results.table import ResultTable
from ai.results.totals import Totals

_NUMBER = re.compile(r"[-+]?(?:[$€£]\s?)?[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?\s?%?")
_PERCENT = frozenset("percent percentage pct perc rate rates share shares ratio growth margin conversion retention churn utilization utilisation ctr change discount yoy mom proportion pp vat tax load occupancy uptime availability accuracy coverage attainment".split())  # fmt: skip
_SAYS_PERCENT = frozenset("percent percentage pct perc pp %".split())
_COUNTS = frozenset("count counts number num n qty quantity".split())
_KEYS = frozenset("id ids year month quarter week day hour no nr key code zip rank position".split())
_IRREGULAR = {"won": "win", "lost": "loss", "lose": "loss", "loses": "loss", "sold": "sale", "sell": "sale", "sells": "sale", "spent": "spend", "paid": "pay", "sent": "send", "bought": "buy"}  # fmt: skip
_PERIODS = frozenset("year month quarter week day hour".split())


@lru_cache(maxsize=10_000)
def stem(word: str) -> str:
    """The stem of a word, by which "users" and "user" are one, and "won" and "wins"."""
    regular = _IRREGULAR.get(word.lower(), word.lower())
    return stems.stem(regular)


def number_of(cell: Any) -> Decimal | None:
    """The number that a cell holds, exact; None when it holds none. Texts that are nothing but a number hold it."""
    if isinstance(cell, bool) or cell is None:
        return None
    if isinstance(cell, int | float | Decimal):
        value = Decimal(repr(cell)) if isinstance(cell, float) else Decimal(cell)
        return value if value.is_finite() else None
    if isinstance(cell, str) and _NUMBER.fullmatch(cell.strip()):
        try:
            return Decimal(re.sub(r"[^\d.+-]", "", cell))
        except InvalidOperation:
            return None
    return None


@dataclass(frozen=True, eq=False)
class Column:
    """One column: its cells as they are, as numbers, and as moments, row by row. It is equal to none but itself."""

    place: int
    name: str
    cells: tuple[Any, ...]

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of its name, lower case."""
        spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", self.name)
        return tuple(re.findall(r"[^\W_]+|[%$€£]", spaced.lower()))

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of its name's words."""
        return frozenset(stem(word) for word in self.words)

    @cached_property
    def numbers(self) -> tuple[Decimal | None, ...]:
        """Its cells as numbers."""
        return tuple(number_of(cell) for cell in self.cells)

    @cached_property
    def known(self) -> tuple[Decimal, ...]:
        """Its numbers, without what is missing."""
        return tuple(number for number in self.numbers if number is not None)

    @cached_property
    def texts(self) -> dict[str, frozenset[int]]:
        """Its different texts, and the rows of each."""
        rows: dict[str, list[int]] = {}
        for row, cell in enumerate(self.cells):
            if isinstance(cell, str) and cell.strip():
                rows.setdefault(cell.strip(), []).append(row)
        return {text: frozenset(at) for text, at in rows.items()}

    @cached_property
    def moments(self) -> tuple[Moment | None, ...]:
        """Its cells as dates; bare numbers are dates where the name says so."""
        period = next((word for word in self.words if word in _PERIODS), "")
        if period and self.known and all(number == int(number) for number in self.known):
            return tuple(None if number is None else Moment(**{period: int(number)}) for number in self.numbers)
        if (
            self.known
            and all(1900 <= number <= 2100 and number == int(number) for number in self.known)
            and self.is_text
        ):
            return tuple(Moment(year=int(number)) if number is not None else None for number in self.numbers)
        return tuple(moment_of(cell) for cell in self.cells)

    @cached_property
    def named_moment(self) -> Moment | None:
        """The date that its name is, if it is one: "2024", "Q3"."""
        return moment_of(self.name)

    @cached_property
    def is_date(self) -> bool:
        """Whether it says when."""
        return any(self.moments)

    @cached_property
    def is_text(self) -> bool:
        """Whether it holds texts, be they numbers or not."""
        return any(isinstance(cell, str) for cell in self.cells)

    @cached_property
    def is_signed(self) -> bool:
        """Whether some of its numbers are below zero."""
        return any(number < 0 for number in self.known)

    @cached_property
    def may_be_percent(self) -> bool:
        """Whether its numbers could be percentages, for all that they look like."""
        return any(n != int(n) for n in self.known) and all(abs(n) <= 100 for n in self.known)

    @cached_property
    def _ordered(self) -> tuple[Decimal, ...]:
        return tuple(sorted(set(self.known)))

    def within(self, low: Decimal, high: Decimal) -> tuple[Decimal, ...]:
        """Its different numbers from one value up to another."""
        return self._ordered[bisect_left(self._ordered, low) : bisect_right(self._ordered, high)]

    @cached_property
    def is_truth(self) -> bool:
        """Whether it holds truth values and nothing else."""
        return all(isinstance(cell, bool) or cell is None for cell in self.cells) and any(
            cell is not None for cell in self.cells
        )

    @cached_property
    def is_key(self) -> bool:
        """Whether its numbers name rows rather than measure something."""
        if self.is_date:
            return True
        named = bool(self.words) and (self.words[-1] in _KEYS or self.words[0] in ("id", "rank"))
        return named and all(number == int(number) for number in self.known)

    @cached_property
    def is_measure(self) -> bool:
        """Whether its numbers measure something."""
        return (
            bool(self.known) and not self.is_key and len(self.known) * 2 > sum(cell is not None for cell in self.cells)
        )

    @cached_property
    def is_fraction(self) -> bool:
        """Whether its numbers are parts of one."""
        return bool(self.known) and all(abs(n) <= 1 for n in self.known) and any(n != int(n) for n in self.known)

    @cached_property
    def says_percent(self) -> bool:
        """Whether its name or its cells say that its numbers are percentages."""
        return bool(_SAYS_PERCENT & set(self.words)) or any(isinstance(c, str) and "%" in c for c in self.cells)

    @cached_property
    def is_percent(self) -> bool:
        """Whether its numbers are percentages."""
        if self.says_percent:
            return True
        return bool(_PERCENT & set(self.words)) and not _COUNTS & set(self.words)

    @cached_property
    def unit(self) -> str:
        """The unit that its name tells."""
        return unit_of_column(self.words)

    @cached_property
    def scale(self) -> Decimal:
        """What one of it stands for."""
        return scale_of_column(self.words)

    @cached_property
    def currency(self) -> str:
        """The currency that its name tells."""
        return currency_of_column(self.words)


@dataclass(frozen=True)
class Facts:
    """A result as far as it is at hand: `row_count` counts all of its rows, the columns may hold the first of them."""

    columns: tuple[Column, ...]
    row_count: int
    held: int
    totals: tuple[Totals, ...] = ()

    @cached_property
    def measures(self) -> tuple[Column, ...]:
        """The columns of numbers that measure something; where none does, every column of numbers."""
        return tuple(c for c in self.columns if c.is_measure) or tuple(c for c in self.columns if c.known)

    @cached_property
    def names(self) -> tuple[Column, ...]:
        """The columns that name rows: texts and dates."""
        return tuple(c for c in self.columns if c.is_date or c.is_text or (c.is_key and c.known))

    @cached_property
    def every_row(self) -> frozenset[int]:
        """The rows at hand."""
        return frozenset(range(self.held))

    @cached_property
    def moments(self) -> tuple[Moment, ...]:
        """What all the date columns of a row say together, row by row: a year in one column, a month in another."""
        return tuple(self._moment(row) for row in range(self.held))

    def _moment(self, row: int) -> Moment:
        parts: dict[str, int] = {}
        for column in self.columns:
            if moment := column.moments[row]:
                parts |= moment.known()
        return Moment(**parts)

    def of_all(self, column: Column) -> Totals:
        """What a column adds up to over all rows of the result; nothing is known where only the first rows are at hand."""
        return self._totals[column.place]

    @cached_property
    def _totals(self) -> tuple[Totals, ...]:
        if self.totals:
            return self.totals
        whole = self.held == self.row_count
        return tuple(totals_of(column.cells) if whole else Totals(0, 0) for column in self.columns)


def facts(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> Facts:
    """The facts of a whole result. Rows that are too short have empty cells at their end."""
    held = [tuple(row) for row in rows]
    columns = tuple(
        Column(place, name, tuple(row[place] if place < len(row) else None for row in held))
        for place, name in enumerate(names)
    )
    return Facts(columns, len(held), len(held))


def facts_of(table: ResultTable, totals: Sequence[Totals] = ()) -> Facts:
    """The facts of the first rows of a result; `totals` are those of all of its rows, column by column."""
    first = facts([column.name for column in table.columns], table.rows)
    return Facts(first.columns, table.row_count, first.held, tuple(totals))


def totals_of(cells: Iterable[Any]) -> Totals:
    """What cells add up to; those that are no numbers are counted only."""
    every = [cell for cell in cells if cell is not None]
    known = sorted(number for cell in every if (number := number_of(cell)) is not None)
    distinct = len({str(cell) for cell in every})
    if not known:
        return Totals(len(every), distinct)
    return Totals(len(every), distinct, sum(known, Decimal()), known[0], known[-1], Decimal(median(known)), len(known))
