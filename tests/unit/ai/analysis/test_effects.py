"""Decompositions add up to the change, to the last fraction."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from ai.analysis.effects import contributions, mix_and_rate, price_and_volume
from ai.analysis.study import BASE, ROWS, VALUE, Parts

AMOUNTS = st.integers(0, 10**9).map(lambda cents: Fraction(cents, 100))
COUNTS = st.integers(0, 10**6).map(Fraction)
SIDES = st.dictionaries(st.sampled_from("abcdef"), st.tuples(AMOUNTS, COUNTS, COUNTS), max_size=6)


def total(side: dict[str, Parts], place: int) -> Fraction:
    return sum((parts[place] for parts in side.values()), Fraction(0))


@given(SIDES, SIDES)
def test_contributions_add_up(before: dict[str, Parts], now: dict[str, Parts]) -> None:
    found = contributions(before, now)
    assert sum(part.change for part in found.values()) == total(now, VALUE) - total(before, VALUE)


@given(SIDES, SIDES)
def test_mix_and_rate_add_up(before: dict[str, Parts], now: dict[str, Parts]) -> None:
    if not total(before, BASE) or not total(now, BASE):
        assert not mix_and_rate(before, now)
        return
    change = total(now, VALUE) / total(now, BASE) - total(before, VALUE) / total(before, BASE)
    assert sum(part.mix + part.rate for part in mix_and_rate(before, now).values()) == change


@given(SIDES, SIDES)
def test_price_and_volume_add_up(before: dict[str, Parts], now: dict[str, Parts]) -> None:
    found = price_and_volume(before, now, ROWS)
    change = total(now, VALUE) - total(before, VALUE)
    assert sum(part.price + part.volume for part in found.values()) == change


def test_a_ratio_of_steady_rates_moves_by_its_mix_alone() -> None:
    before = {"ios": (Fraction(60), Fraction(1000)), "android": (Fraction(25), Fraction(1000))}
    now = {"ios": (Fraction(30), Fraction(500)), "android": (Fraction(50), Fraction(2000))}
    assert all(part.rate == 0 for part in mix_and_rate(before, now).values())


def test_a_sum_of_steady_counts_moves_by_its_price_alone() -> None:
    before, now = {"a": (Fraction(10), Fraction(0), Fraction(5))}, {"a": (Fraction(20), Fraction(0), Fraction(5))}
    assert price_and_volume(before, now, ROWS)["a"].price == 10
