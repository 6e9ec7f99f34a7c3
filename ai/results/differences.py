"""Differences of two results: missing rows, new rows, changed cells.

The order of rows, and of equally named columns, does not count. Numbers agree in nine digits. Differing rows are paired
by their other cells.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from ai.results.table import ResultColumn, Row

DIGITS = 9


@dataclass(frozen=True, slots=True)
class Rows:
    """A result to compare; `is_cut` when there were more rows."""

    columns: tuple[ResultColumn, ...]
    rows: tuple[Row, ...]
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class ChangedCell:
    column: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Difference:
    """Differences of two results; `columns` describes in words columns that do not match."""

    same: int
    missing: tuple[Row, ...] = ()
    extra: tuple[Row, ...] = ()
    changed: tuple[ChangedCell, ...] = ()
    columns: str = ""

    @property
    def is_none(self) -> bool:
        return not (self.missing or self.extra or self.changed or self.columns)


def difference(before: Rows, after: Rows) -> Difference:
    names, order = [column.name for column in before.columns], _order(before.columns, after.columns)
    if order is None:
        told = f"{len(before.columns)} columns were expected, there are {len(after.columns)}"
        return Difference(0, before.rows, after.rows, columns=told)
    arranged = [tuple(row[place] for place in order) for row in after.rows]
    lost, came, same = _unmatched(before.rows, arranged)
    changed, missing, extra = _paired(names, lost, came)
    return Difference(same, tuple(missing), tuple(extra), tuple(changed))


def _order(before: Sequence[ResultColumn], after: Sequence[ResultColumn]) -> list[int] | None:
    if len(before) != len(after):
        return None
    names = [column.name.casefold() for column in after]
    wanted = [column.name.casefold() for column in before]
    if len(set(names)) == len(names) and set(names) == set(wanted):
        return [names.index(name) for name in wanted]
    return list(range(len(after)))


def _unmatched(before: Sequence[Row], after: Sequence[Row]) -> tuple[list[Row], list[Row], int]:
    left = Counter(map(_plain, before))
    right = Counter(map(_plain, after))
    return _only(before, left - right), _only(after, right - left), (left & right).total()


def _only(rows: Iterable[Row], wanted: Counter[Row]) -> list[Row]:
    found = []
    for row in rows:
        plain = _plain(row)
        if wanted[plain] > 0:
            wanted[plain] -= 1
            found.append(row)
    return found


def _paired(
    names: Sequence[str], lost: Sequence[Row], came: Sequence[Row]
) -> tuple[list[ChangedCell], list[Row], list[Row]]:
    by_name: dict[Row, list[Row]] = defaultdict(list)
    for row in came:
        by_name[_name(row)].append(row)
    changed: list[ChangedCell] = []
    missing: list[Row] = []
    for row in lost:
        partners = by_name.get(_name(row), [])
        if not partners:
            missing.append(row)
            continue
        cells = zip(names, row, partners.pop(0), strict=True)
        changed += [ChangedCell(name, was, now) for name, was, now in cells if _cell(was) != _cell(now)]
    return changed, missing, [row for rows in by_name.values() for row in rows]


def _name(row: Row) -> Row:
    return tuple(cell for cell in row if not _is_number(cell))


def _plain(row: Row) -> Row:
    return tuple(map(_cell, row))


def _cell(value: Any) -> Any:
    if _is_number(value):
        return f"{float(value):.{DIGITS}g}"
    return value if isinstance(value, str | bytes | bool | None) else str(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)
