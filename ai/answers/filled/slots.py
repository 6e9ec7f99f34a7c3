"""Slots over a result: `{{[function] column | row | row}}`, such as `{{share revenue | Berlin}}`."""

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from typing import Any, Literal

from ai.answers.filled.sheet import ResultSheet, SlotError
from ai.answers.formats import Format, is_number
from ai.language.claims import Language

SLOT = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
CONDITION = re.compile(r"(.+?)\s*(>=|<=|>|<|=)\s*(.+)")
BETWEEN = re.compile(r"\s+(?:of|vs|minus|and)\s+|\s*/\s*|\s*,\s*|\s+-\s+")
SIGNS: Mapping[str, Callable[[Any, Any], bool]] = {
    ">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le, "=": operator.eq,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Token:
    """The text of a slot or name, with its rows and column.

    A pair has two rows, from the first to the second. A `free` figure needs no label. `claims` are kinds of claiming
    words it bears out, `limit` the number in its condition.
    """

    text: str
    role: Literal["label", "column", "figure", "pair"]
    rows: tuple[int, ...] = ()
    column: int = -1
    function: str = ""
    value: Decimal | None = None
    free: bool = False
    claims: frozenset[str] = field(default=frozenset())
    limit: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """The parts of a slot."""

    sheet: ResultSheet
    language: Language | None
    function: str
    of: str
    rows: tuple[str, ...]

    @property
    def says(self) -> Mapping[str, str]:
        if self.language is None:
            raise SlotError("no words in this language")
        return self.language.says

    @property
    def among(self) -> tuple[int, ...]:
        """The named rows, else all."""
        if len(self.rows) > 1:
            raise SlotError("too many rows")
        return self.sheet.find(self.rows[0]) if self.rows else self.sheet.every

    def column(self, name: str = "") -> int:
        at = self.sheet.column(name or self.of)
        if at is None or not any(is_number(row[at]) for row in self.sheet.rows):
            raise SlotError(f"no figures {name or self.of}")
        return at

    def whole(self, at: int = -1, *, added: bool = False) -> None:
        """Raise where rows are missing, or values do not add up."""
        if self.sheet.cut or at in self.sheet.unadded or (added and not _adds(self.sheet, at)):
            raise SlotError("values that do not add up")

    def figure(self, at: int, value: Decimal, rows: Sequence[int], *claims: str, by: Format | None = None) -> Token:
        """Write a computed value."""
        shape = by or self.sheet.formats[at]
        plain = int(value) if shape.kind == "number" and value == value.to_integral_value() else float(value)
        text = shape.said(plain, today=self.sheet.today)
        return Token(text, "figure", tuple(rows), at, self.function, value, not self.rows, frozenset(claims))

    def percent(self, part: Decimal, whole: Decimal) -> str:
        if not whole:
            raise SlotError("a share of nothing")
        return Format("percent", "ratio", 100, self.sheet.locale).said(float(part / whole))

    def two_columns(self) -> tuple[int, int, int] | None:
        """Return two columns and their row."""
        names = BETWEEN.split(self.of)
        if len(names) != 2 or self.sheet.column(self.of) is not None:
            return None
        if len(self.among) != 1:
            raise SlotError("not one row")
        return self.column(names[0]), self.column(names[1]), self.among[0]


def token_of(slot: str, sheet: ResultSheet, language: Language | None) -> Token:
    """Evaluate the text between the braces."""
    head, *rows = [part.strip() for part in slot.split("|")]
    first, _, rest = head.partition(" ")
    function = first.casefold() if sheet.column(head) is None and first.casefold() in FUNCTIONS else ""
    return FUNCTIONS[function](Call(sheet, language, function, rest.strip() if function else head, tuple(rows)))


def _adds(sheet: ResultSheet, at: int) -> bool:
    return at not in sheet.unadded and sheet.formats[at].kind not in ("percent", "plain")


def _cell(call: Call) -> Token:
    at, rows = call.sheet.column(call.of), call.among
    texts = [*dict.fromkeys(call.sheet.written(row, at) for row in rows)] if at is not None else []
    if at is None or len(texts) != 1 or call.sheet.known(at, rows) != rows:
        raise SlotError("not one value")
    if at in call.sheet.labels:
        return Token(texts[0], "label", rows, at)
    return Token(texts[0], "figure", rows, at, value=call.sheet.number(rows[0], at))


def _count(call: Call) -> Token:
    call.whole()
    at, rows, by = call.sheet.column(call.of), call.among, Format("number", locale=call.sheet.locale)
    if at is not None:
        different = {call.sheet.rows[row][at] for row in call.sheet.known(at, rows)}
        return call.figure(-1, Decimal(len(different)), rows, by=by)
    adds = any(_adds(call.sheet, place) for place in call.sheet.figures)  # "in total" is then said of their sums
    if not call.of:
        return call.figure(-1, Decimal(len(rows)), rows, *([] if adds else ["total"]), by=by)
    when = _condition(call)
    count = sum(when.holds(call.sheet.rows[row][when.column]) for row in rows)
    return replace(call.figure(-1, Decimal(count), rows, *when.claims, by=by), column=when.column, limit=when.limit)


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on a column: "sales > 100"."""

    column: int
    sign: str
    limit: str

    @property
    def claims(self) -> tuple[str, ...]:
        """The kinds of claiming words with this meaning."""
        return ("more", "high") if self.sign.startswith(">") else ("less", "low") if self.sign.startswith("<") else ()

    def holds(self, cell: Any) -> bool:
        if not is_number(cell):
            return self.sign == "=" and str(cell).casefold() == self.limit.casefold()
        try:
            return SIGNS[self.sign](Decimal(str(cell)), Decimal(self.limit.replace(",", "")))
        except InvalidOperation:
            raise SlotError("no limit") from None


def _condition(call: Call) -> Condition:
    name, sign, limit = found.groups() if (found := CONDITION.fullmatch(call.of)) else ("", "", "")
    at = call.sheet.column(name)
    if at is None:
        raise SlotError("no condition")
    return Condition(at, sign, limit.strip(" '\""))


def _total(call: Call) -> Token:
    at, rows = call.column(), call.among
    call.whole(at, added=call.function == "sum")
    held = [call.sheet.number(row, at) for row in call.sheet.known(at, rows)]
    if not held:
        raise SlotError("no values")
    total = sum(held, Decimal())
    is_sum = call.function == "sum"
    return call.figure(at, total if is_sum else total / len(held), rows, "total" if is_sum else "mean")


def _end(call: Call) -> Token:
    """Write the highest or lowest value; of dates the last or first."""
    at = call.sheet.column(call.of)
    if at is None:
        raise SlotError(f"no column {call.of}")
    high = call.function == "max"
    rows = call.sheet.ends(at, call.among, high=high)
    text, claims = call.sheet.written(rows[0], at), frozenset(("high" if high else "low",))
    if at in call.sheet.labels:
        return Token(text, "label", rows, at)
    return Token(text, "figure", rows, at, call.function, call.sheet.number(rows[0], at), not call.rows, claims)


def _share(call: Call) -> Token:
    if columns := call.two_columns():
        one, other, row = columns
        text = call.percent(call.sheet.number(row, one), call.sheet.number(row, other))
        return Token(text, "figure", (row,), one, "share", free=len(call.sheet.rows) == 1)
    at, rows = call.column(), call.among
    call.whole(at, added=True)
    held = {row: call.sheet.number(row, at) for row in call.sheet.known(at, call.sheet.every)}
    if not call.rows or min(held.values()) < 0:
        raise SlotError("no share")
    part = sum((call.sheet.number(row, at) for row in rows), Decimal())
    text = call.percent(part, sum(held.values(), Decimal()))
    return Token(text, "figure", rows, at, "share", claims=frozenset(("total",)))


def _two(call: Call) -> tuple[int, tuple[int, int], Decimal, Decimal]:
    """Return column, two rows and their values: rows by name, the ends in time, or the only two."""
    at, sheet = call.column(), call.sheet
    found = [sheet.find(row) for row in call.rows] or [(row,) for row in sheet.known(at, sheet.every)]
    rows = [row for same in found for row in same]
    moments = [str(sheet.rows[row][sheet.time]) for row in rows] if sheet.time is not None else []
    is_series = not sheet.cut and len(set(moments)) == len(rows) > 1
    if any(len(same) != 1 for same in found) or not (len(rows) == 2 or (is_series and not call.rows)):
        raise SlotError("not two rows")
    if moments and call.function != "compare":
        rows = [row for _, row in sorted(zip(moments, rows, strict=True))]
    return at, (rows[0], rows[-1]), sheet.number(rows[0], at), sheet.number(rows[-1], at)


def _change(call: Call) -> Token:
    """Write a change in percent or a difference; of percentages in points."""
    by = Format("number", locale=call.sheet.locale)
    if call.function == "difference" and (columns := call.two_columns()):
        one, other, row = columns
        if call.sheet.formats[one] != call.sheet.formats[other]:
            raise SlotError("not two values of a kind")
        return call.figure(one, abs(call.sheet.number(row, one) - call.sheet.number(row, other)), (row,))
    at, pair, before, after = _two(call)
    change, shape = after - before, call.sheet.formats[at]
    if shape.kind == "percent":
        size = by.said(float(f"{abs(change) * Decimal(str(shape.scale)):.3g}"))
        text = f"{size} {call.says['point' if size == '1' else 'points']}"
    elif call.function == "difference":
        text = call.figure(at, abs(change), pair).text
    elif before <= 0:
        raise SlotError("no base")
    else:
        text = call.percent(abs(change), before)
    return Token(text, "pair", pair, at, call.function, change)


def _way(call: Call) -> Token:
    at, pair, first, second = _two(call)
    change = second - first
    names = ("up", "flat", "down") if call.function == "direction" else ("less", "same", "more")
    way = names[0 if change > 0 else 1 if not change else 2]
    return Token(call.says[way], "pair", pair, at, call.function, change, claims=frozenset((way,)))


def _rank(call: Call) -> Token:
    call.whole()
    at, rows = call.column(), call.among
    values = [call.sheet.number(row, at) for row in call.sheet.known(at, call.sheet.every)]
    if len(rows) != 1 or len(values) < 2 or call.language is None:
        raise SlotError("no place")
    own = call.sheet.number(rows[0], at)
    place = 1 + sum(value > own for value in values)
    is_last = place == len(values)
    claim = "high" if place == 1 else "low" if is_last else "rank"
    text = call.says["lowest"] if is_last else call.language.place(place)
    return Token(text, "figure", rows, at, "rank", claims=frozenset((claim,)))


def _quantifier(call: Call) -> Token:
    call.whole()
    when = _condition(call)
    every, so = len(call.sheet.rows), sum(when.holds(row[when.column]) for row in call.sheet.rows)
    part = "half" if 2 * so == every else "most" if 2 * so > every else "some"
    way = "none" if not so else "all" if so == every else part
    claims = frozenset(("share", *when.claims))
    return Token(
        call.says[way],
        "figure",
        call.sheet.every,
        when.column,
        "quantifier",
        free=True,
        claims=claims,
        limit=when.limit,
    )


FUNCTIONS: Mapping[str, Callable[[Call], Token]] = {
    "": _cell, "count": _count, "sum": _total, "mean": _total, "min": _end, "max": _end, "share": _share, "rank": _rank,
    "difference": _change, "change": _change, "direction": _way, "compare": _way, "quantifier": _quantifier,
}  # fmt: skip
