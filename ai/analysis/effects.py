"""Exact decompositions of a change; the parts add up to the change, as fractions.

Additive figures: the contribution of each value (the explanatory power of Adtributor: Bhagwan et al., NSDI 2014).
Ratios: mix and rate in sequence, each value's weight against the old mean, its rate at the new weight (Kitagawa 1955).
Sums of price and quantity: price at new quantities, volume at old prices (Laspeyres volume, Paasche price).
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from ai.analysis.study import BASE, VALUE, Parts

K = TypeVar("K", bound=Hashable)
ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class Contribution:
    before: Fraction
    now: Fraction

    @property
    def change(self) -> Fraction:
        return self.now - self.before


@dataclass(frozen=True, slots=True)
class MixAndRate:
    """Weights and rates of one value, and its two effects on the ratio."""

    weights: tuple[Fraction, Fraction]
    rates: tuple[Fraction, Fraction]
    mix: Fraction
    rate: Fraction


@dataclass(frozen=True, slots=True)
class PriceAndVolume:
    prices: tuple[Fraction, Fraction]
    price: Fraction
    volume: Fraction


def contributions(before: Mapping[K, Parts], now: Mapping[K, Parts]) -> dict[K, Contribution]:
    return {
        key: Contribution(before[key][VALUE] if key in before else ZERO, now[key][VALUE] if key in now else ZERO)
        for key in dict.fromkeys((*before, *now))
    }


def mix_and_rate(before: Mapping[K, Parts], now: Mapping[K, Parts]) -> dict[K, MixAndRate]:
    """Decompose the change of sum(VALUE) / sum(BASE); a value on one side only has mix, but no rate effect."""
    (top, base), (_, new_base) = _sums(before, VALUE, BASE), _sums(now, VALUE, BASE)
    if not base or not new_base:
        return {}
    mean, found = top / base, {}
    for key in dict.fromkeys((*before, *now)):
        old, new = _pair(before, key, VALUE, BASE), _pair(now, key, VALUE, BASE)
        weight, new_weight = old[1] / base, new[1] / new_base
        new_rate = new[0] / new[1] if new[1] else (old[0] / old[1] if old[1] else mean)
        rate = old[0] / old[1] if old[1] else new_rate
        mix = (new_weight - weight) * (rate - mean)
        loose = (new[0] if not new[1] else ZERO) / new_base - (old[0] if not old[1] else ZERO) / base
        effect = new_weight * (new_rate - rate) + loose
        found[key] = MixAndRate((weight, new_weight), (rate, new_rate), mix, effect)
    return found


def price_and_volume(before: Mapping[K, Parts], now: Mapping[K, Parts], quantity: int) -> dict[K, PriceAndVolume]:
    """Decompose the change of sum(VALUE) by the quantity at this place of the parts."""
    found = {}
    for key in dict.fromkeys((*before, *now)):
        old, new = _pair(before, key, VALUE, quantity), _pair(now, key, VALUE, quantity)
        price = old[0] / old[1] if old[1] else None
        new_price = new[0] / new[1] if new[1] else None
        first = price if price is not None else new_price or ZERO
        last = new_price if new_price is not None else first
        effect = new[1] * (last - first)
        found[key] = PriceAndVolume((first, last), effect, new[0] - old[0] - effect)
    return found


def _sums(parts: Mapping[K, Parts], *places: int) -> tuple[Fraction, ...]:
    return tuple(sum((part[place] for part in parts.values()), ZERO) for place in places)


def _pair(parts: Mapping[K, Parts], key: K, *places: int) -> tuple[Fraction, ...]:
    return tuple(parts[key][place] if key in parts else ZERO for place in places)
