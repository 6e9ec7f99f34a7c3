"""Whether a number in a text says a value: rounded to its own precision, in its unit, with its sign, as hedged.

The rule: a stated number is right when it is the value rounded to the digits that are stated. "About" lets zeros at its
end be rounded digits, "nearly" and "just over" reach a tenth, "under" and "over" one step of the last digit not zero.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from ai.answers.facts import Column
from ai.answers.numerals import Kind, Numeral, Reading
from ai.answers.units import converted

Sign = Literal["own", "told", "difference"]
TENTH, FORTIETH = Decimal("0.1"), Decimal("0.025")
_NOT_MONEY = frozenset("count counts num n qty quantity".split())


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value that a figure may say.

    `sign` says how words such as "more" and "fell" go with it: an "own" sign stands by itself, one that is "told" must
    not contradict them, and that of a "difference" may be left to them altogether.
    """

    value: Decimal
    kind: Kind = "plain"
    column: Column | None = None
    sign: Sign = "own"


def fits(numeral: Numeral, candidate: Candidate, direction: int = 0) -> bool:
    """Whether a number says the candidate; `direction` is that of the words around it: up 1, down -1, none 0."""
    column = candidate.column
    if numeral.currency and column and _other_money(numeral.currency, column):
        return False
    signed = _signed(numeral, candidate, direction)
    return signed is not None and any(
        _within(reading, numeral.hedge, value)
        for reading in numeral.readings
        if alike(reading.kind, candidate.kind)
        for value in in_words(signed, reading, column)
    )


def from_cell(value: Decimal, column: Column) -> tuple[Candidate, ...]:
    """What a cell may be said as: as it is; as a percentage, where the column holds such or parts of one."""
    sign: Sign = "told" if column.is_signed else "own"
    plain = Candidate(value, "plain", column, sign)
    if column.is_fraction and not column.says_percent:
        return plain, Candidate(value * 100, "percent", column, sign)
    return plain, *_percent(value, column, sign)


def _percent(value: Decimal, column: Column, sign: Sign) -> tuple[Candidate, ...]:
    if column.is_percent or (
        column.may_be_percent and not column.unit and not column.currency and not _NOT_MONEY & set(column.words)
    ):
        return (Candidate(value, "percent", column, sign),)
    return ()


def numbers_near(numeral: Numeral, column: Column) -> Iterator[Decimal]:
    """The numbers of a column that a number may say, be it as hedged as can be; none that it says is left out."""
    if column.scale != 1 or (column.unit and numeral.readings[0].unit):
        yield from column.known
        return
    for reading in numeral.readings:
        size = abs(reading.value)
        slack = size * TENTH + reading.loose + reading.step
        for factor in (1, 100) if reading.kind != "plain" else (1,):
            yield from column.within((size - slack) / factor, (size + slack) / factor)
            if column.is_signed:
                yield from column.within((-size - slack) / factor, (slack - size) / factor)


def alike(said: Kind, meant: Kind) -> bool:
    """Whether a number of one kind may say a value of the other."""
    return said == meant or {said, meant} == {"points", "percent"}


def _other_money(currency: str, column: Column) -> bool:
    return bool(_NOT_MONEY & set(column.words)) or column.currency not in ("", currency)


def _signed(numeral: Numeral, candidate: Candidate, direction: int) -> Decimal | None:
    """The value with the sign that the text has to have; None where the words and the sign contradict each other."""
    value = candidate.value
    if numeral.signed or (numeral.bracketed and value < 0 and not direction):
        flipped = numeral.bracketed and not numeral.signed
        return -value if flipped else value
    if value < 0:
        return -value if direction < 0 or (candidate.sign == "difference" and not direction) else None
    return None if candidate.sign != "own" and direction < 0 and value > 0 else value


def in_words(value: Decimal, reading: Reading, column: Column | None) -> tuple[Decimal, ...]:
    """The value as a text may give it: in the unit that the text names, and written out where the column is in thousands."""
    if column is None:
        return (value,)
    if column.unit and reading.unit and column.unit != reading.unit:
        return converted(value, column.unit, reading.unit)
    return (value,) if column.scale == 1 else (value, value * column.scale)


def _within(reading: Reading, hedge: str, value: Decimal) -> bool:
    slack = reading.step / 2 + abs(value) * Decimal("1e-9")
    away, tenth = value - reading.value, abs(reading.value) * TENTH
    if abs(away) <= slack:
        return True
    match hedge:
        case "about":
            fortieth = abs(value) * FORTIETH if reading.is_coarse else Decimal()
            return abs(away) <= max(min(reading.loose / 2, tenth), fortieth)
        case "nearly":
            return -min(reading.loose, tenth) <= away <= 0
        case "barely":
            return 0 <= away <= min(reading.loose, tenth)
        case "under":
            return -reading.loose < away <= 0
        case "over":
            return 0 <= away < reading.loose
        case _:
            return False
