"""Results in words: templates that take every number from a cell of the result or from its count of rows.

Writes Markdown. Data values pass through `literal`, so that no cell becomes a mention, a link or formatting. It does not
know how a question was read: the caller says in plain words what the result is of (`Asked`).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from ai.results.table import ResultTable, Row

Shape = Literal["figures", "list", "groups", "ranking"]
FIRST_FEW = 5
_MARKUP = re.compile(r"([\\`*_{}\[\]()<>#+!|~&@:])")
_HIDDEN = re.compile(r"[\x00-\x1f\x7f\u2028\u2029\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]+")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a result is of.

    `figures` names the last columns, those that were computed; `groups` and `group` say what they are computed for each of;
    `condition` is a clause or "".
    """

    shape: Shape
    things: str
    thing: str
    figures: tuple[str, ...] = ()
    groups: str = "groups"
    group: str = "group"
    condition: str = ""
    descending: bool = True


def literal(text: str) -> str:
    """A data value as Markdown that shows exactly its characters, on one line."""
    return _MARKUP.sub(r"\\\1", _HIDDEN.sub(" ", text)).strip()


def figure(value: Any) -> str:
    """A computed cell: thousands grouped, floats to two places (or three digits when small), exact decimals untouched."""
    if value is None:
        return "nothing"
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return label(value)
    if isinstance(value, float):
        return f"{value:,.0f}" if value.is_integer() else f"{value:,.2f}" if abs(value) >= 1 else f"{value:.3g}"
    return f"{value:,}"


def label(value: Any) -> str:
    """A cell that names something: as it is, no digits grouped."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return literal(str(value))


def phrase(asked: Asked, result: ResultTable) -> Iterator[str]:
    """Say the result, sentence by sentence."""
    yield from _TELL[asked.shape](asked, result)
    if result.truncated:
        kept = "1 row was" if result.row_count == 1 else f"{result.row_count:,} rows were"
        yield f" There are more: only the first {kept} kept."


def _figures(asked: Asked, result: ResultTable) -> Iterator[str]:
    """One row of computed values."""
    values = result.rows[0] if result.rows else (None,) * len(asked.figures)
    where = f" {literal(asked.condition)}" if asked.condition else ""
    if all(value is None for value in values):
        yield f"There is no {literal(' and '.join(asked.figures))}{where}: no {literal(asked.things)} match."
    elif asked.figures == (f"number of {asked.things}",):
        one = values[0] == 1
        noun = literal(asked.thing if one else asked.things)
        yield f"There {'is' if one else 'are'} **{figure(values[0])}** {noun}{where}."
    else:
        said = (f"{literal(name)} is **{figure(value)}**" for name, value in zip(asked.figures, values, strict=False))
        yield f"The {' and the '.join(said)}{where}."


def _list(asked: Asked, result: ResultTable) -> Iterator[str]:
    where = f" {literal(asked.condition)}" if asked.condition else ""
    if not result.row_count:
        yield f"No {literal(asked.things)} match{':' if where else ''}{where}."
        return
    noun = literal(asked.thing if result.row_count == 1 else asked.things)
    names = [_name(row, len(result.columns)) for row in result.rows[:FIRST_FEW]]
    rest = result.row_count - len(names)
    more = f" and {rest:,} more" if rest else ""
    yield f"**{result.row_count:,}** {noun}{where}: {', '.join(names)}{more}."


def _groups(asked: Asked, result: ResultTable) -> Iterator[str]:
    where = f" {literal(asked.condition)}" if asked.condition else ""
    ranked = [row for row in result.rows if isinstance(row[-1], int | float | Decimal)]
    if not ranked:
        yield f"No {literal(asked.things)} match{':' if where else ''}{where}."
        return
    best = max(ranked, key=lambda row: row[-1])
    name = literal(asked.figures[-1] if asked.figures else "figure")
    count = literal(asked.group if result.row_count == 1 else asked.groups)
    known = "" if len(result.rows) == result.row_count else " among the first rows"
    yield f"**{result.row_count:,}** {count}{where}. "
    yield f"The highest {name}{known} is **{figure(best[-1])}**, for {_key(best, asked)}."


def _ranking(asked: Asked, result: ResultTable) -> Iterator[str]:
    """The first few of groups or rows in an order."""
    if not result.rows:
        yield from _list(asked, result)
        return
    where = f" {literal(asked.condition)}" if asked.condition else ""
    name = literal(asked.figures[-1]) if asked.figures else ""
    order = "highest" if asked.descending else "lowest"
    first = result.rows[0]
    value = f": **{figure(first[-1])}**" if name and len(first) > 1 else ""
    what = f"has the {order} {name}" if name else "comes first"
    yield f"**{_key(first, asked)}** {what}{where}{value}."
    following = [f"{_key(row, asked)} ({figure(row[-1])})" for row in result.rows[1:FIRST_FEW] if value]
    if following:
        yield f" Then come {', '.join(following)}."


def _key(row: Row, asked: Asked) -> str:
    """What names a row: everything before its figures."""
    names = row[: len(row) - len(asked.figures)] or row
    return " ".join(label(value) for value in names)


def _name(row: Row, width: int) -> str:
    if width == 1:
        return label(row[0])
    shown = ", ".join(label(value) for value in row[1:4])
    return f"{label(row[0])} ({shown})"


_TELL = {"figures": _figures, "list": _list, "groups": _groups, "ranking": _ranking}
