"""Features of the result: none before the query ran."""

import re
from math import log10
from typing import Any

from ai.nl2sql.chart.parts import Flag
from ai.nl2sql.confidence.derivation import Derivation
from ai.results.table import Row

BESIDE = re.compile(r"(?:and|what about|how about|or)\b(?! (?:only|just|which|with|without)\b)", re.IGNORECASE)
READ = 30  # rows that people read
LISTING = re.compile(
    r"\b(?:which|what|who|where|show|list|find|return|give|display|sort|retrieve|get|all|every)\b", re.I
)
EACH = re.compile(r"\b(?:per|each|every)\b", re.IGNORECASE)


def gives_nothing(made: Derivation) -> float:
    return made.result is not None and not made.result.row_count


def gives_zero(made: Derivation) -> float:
    """One cell, with the number 0, if it is no key."""
    cell = _only_cell(made)
    return isinstance(cell, int | float) and cell == 0 and not made.meaning.columns


def gives_null(made: Derivation) -> float:
    return made.result is not None and made.result.row_count == 1 and all(cell is None for cell in _rows(made)[0])


def adds_to_none(made: Derivation) -> bool:
    """Whether no row has one value more: “and leafs” after Teslas are other cars, and no Teslas called so."""
    before = made.before
    more = before is not None and len(made.meaning.filters) > len(before.filters) and made.changed == {"filters"}
    return more and bool(BESIDE.match(made.text)) and bool(gives_nothing(made) or gives_zero(made) or gives_null(made))


def gives_one_row(made: Derivation) -> float:
    return made.result is not None and made.result.row_count == 1


def length(made: Derivation) -> float:
    """The power of ten of the number of rows."""
    return log10(max(made.result.row_count, 1)) if made.result else 0


def overlength(made: Derivation) -> float:
    """How many powers of ten there are more rows than people read."""
    return max(0, length(made) - log10(READ))


def overlength_unlisted(made: Derivation) -> float:
    """As before, where no word asks for a list or for all, and the rows are no time line."""
    asked = any(isinstance(part.data, Flag) and part.data.sign in ("list", "all") for part in made.flags)
    asked = asked or (not made.meaning.all_measures and LISTING.search(made.text) is not None) or for_each(made)
    return 0 if asked or any(group.unit for group in made.meaning.all_groups) else overlength(made)


def repeated_rows(made: Derivation) -> float:
    return _repeated(made) > 0


def mostly_repeated_rows(made: Derivation) -> float:
    return _repeated(made) > 1 / 2


def empty_cells(made: Derivation) -> float:
    """The share of cells without a value."""
    cells = [cell for row in _rows(made) for cell in row]
    return sum(cell is None for cell in cells) / len(cells) if cells else 0


def empty_columns(made: Derivation) -> float:
    return any(set(column) == {None} for column in _columns(made))


def constant_columns(made: Derivation) -> float:
    return any(len(set(column)) == 1 for column in _columns(made))


def same_figures(made: Derivation) -> float:
    """Three rows or more with the same last number."""
    columns = _columns(made)
    return (
        len(_rows(made)) > 2
        and bool(columns)
        and isinstance(columns[-1][0], int | float)
        and len(set(columns[-1])) == 1
    )


def rows_for_a_number(made: Derivation) -> float:
    """Several rows, though one number was asked for."""
    return len(_rows(made)) > 1 and made.text.lower().startswith("how") and not for_each(made)


def for_each(made: Derivation) -> bool:
    """Whether a row for each group is asked for."""
    return bool(made.meaning.groups or made.meaning.within) and EACH.search(made.text) is not None


def _rows(made: Derivation) -> tuple[Row, ...]:
    return made.result.rows if made.result else ()


def _only_cell(made: Derivation) -> Any:
    rows = _rows(made)
    return rows[0][0] if len(rows) == 1 and len(rows[0]) == 1 else None


def _columns(made: Derivation) -> list[tuple[Any, ...]]:
    """The columns of two rows or more, if these are no single place that several share."""
    return list(zip(*_rows(made), strict=True)) if len(_rows(made)) > 1 and made.meaning.limit != 1 else []


def _repeated(made: Derivation) -> float:
    rows = _rows(made)
    return 1 - len(set(map(repr, rows))) / len(rows) if rows else 0


RESULTS = (
    gives_nothing, gives_zero, gives_null, gives_one_row, length, overlength, overlength_unlisted, repeated_rows,
    mostly_repeated_rows, empty_cells, empty_columns, constant_columns, same_figures, rows_for_a_number,
)  # fmt: skip
LENGTHS = (length, overlength, overlength_unlisted, repeated_rows, mostly_repeated_rows)
