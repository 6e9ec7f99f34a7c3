"""No figure that a slot writes is wrong: random results, each function computed here a second time."""

import re
from collections.abc import Callable
from fractions import Fraction
from random import Random

import pytest

from ai.answers.filled import ResultSheet, SlotError, sheet_of_rows, token_of
from ai.language.claims import languages

Cells = list[Fraction | None]
ENGLISH = next(language for language in languages() if language.code == "en")
NUMBER = re.compile(r"[\d,]*\.?\d+")
FACTORS = {"K": 10**3, "M": 10**6, "B": 10**9}


def column(chance: Random, rows: int) -> list[float | int | None]:
    kind = chance.choice(("counts", "money", "small", "signed"))
    numbers: dict[str, Callable[[], float]] = {
        "counts": lambda: chance.randint(0, 10 ** chance.randint(1, 7)),
        "money": lambda: round(chance.uniform(0, 10 ** chance.randint(1, 6)), 2),
        "small": lambda: chance.random(),
        "signed": lambda: round(chance.gauss(0, 100), 1),
    }
    return [None if chance.random() < 0.05 else numbers[kind]() for _ in range(rows)]


def wanted(slot: str, cells: Cells, row: int, other: int) -> Fraction | None:
    """The figure itself, None where there is none to tell."""
    known = [cell for cell in cells if cell is not None]
    here, there = cells[row], cells[other]
    whole = sum(known, Fraction())
    both = here is not None and there is not None
    by: dict[str, Callable[[], Fraction | None]] = {
        "sum": lambda: whole,
        "mean": lambda: whole / len(known),
        "min": lambda: min(known),
        "max": lambda: max(known),
        "count": lambda: Fraction(len(cells)),
        "value": lambda: here,
        "share": lambda: None if here is None or not whole else 100 * here / whole,
        "difference": lambda: abs(there - here) if both else None,  # type: ignore[operator]
        "change": lambda: 100 * abs(there - here) / here if both and here > 0 else None,  # type: ignore[operator]
    }
    return by[slot]()


def read(text: str) -> tuple[Fraction, Fraction]:
    """A figure as people read it, and how much rounding may have moved it."""
    found = NUMBER.search(text)
    assert found, text
    digits = found.group().replace(",", "")
    factor = FACTORS.get(text[found.end() : found.end() + 1], 1)
    sign = -1 if text.startswith("-") else 1
    return sign * Fraction(digits) * factor, Fraction(factor, 2 * 10 ** len(digits.partition(".")[2]))


def one_result(chance: Random) -> None:
    rows = chance.randint(1, 8)
    values = column(chance, rows)
    named = chance.choice(("orders", "revenue_usd", "weight"))
    sheet = sheet_of_rows(("city", named), [[f"City {chr(65 + at)}", value] for at, value in enumerate(values)])
    cells: Cells = [None if value is None else Fraction(str(value)) for value in values]
    row, other = chance.randrange(rows), chance.randrange(rows)
    names = [f"City {chr(65 + at)}" for at in (row, other)]
    slots = {
        "value": f"{named} | {names[0]}", "sum": f"sum {named}", "mean": f"mean {named}", "min": f"min {named}",
        "max": f"max {named}", "count": "count", "share": f"share {named} | {names[0]}",
        "difference": f"difference {named} | {names[0]} | {names[1]}", "change": f"change {named} | {names[0]} | {names[1]}",
    }  # fmt: skip
    for kind, slot in slots.items():
        text = said(slot, sheet)
        if text is not None:
            figure, rounding = read(text)
            expected = wanted(kind, cells, row, other)
            assert expected is not None, (slot, values, text)
            assert abs(figure - expected) <= rounding, (slot, values, text, float(expected))


def said(slot: str, sheet: ResultSheet) -> str | None:
    try:
        return token_of(slot, sheet, ENGLISH).text
    except SlotError:
        return None


def test_figures_of_random_results_are_right() -> None:
    for seed in range(400):
        one_result(Random(seed))


@pytest.mark.slow
def test_figures_of_ten_thousand_random_results_are_right() -> None:
    for _ in range(10_000):
        one_result(Random())
