"""Why a ratio moved: by the mix of its values, or by the rate of some or all of them."""

from fractions import Fraction

from ai.analysis.case import Case
from ai.analysis.effects import MixAndRate, mix_and_rate
from ai.analysis.finding import Breakdown, Driver, Finding, PartRow, named
from ai.analysis.study import Key

ZERO = Fraction(0)
MOSTLY, MINOR = Fraction(1, 2), Fraction(1, 20)
STILL = Fraction(35, 100)  # the others' rate change beside that of the value
APART, ALMOST = Fraction(15, 100), Fraction(99, 100)
STEADY = 3  # times the movement of the step before
COST = Fraction(1, 100)  # of each further value of a dimension

Effects = dict[Key, MixAndRate]


def why_ratio(case: Case, *, is_usual: bool) -> Finding | None:
    """Name the dimension whose mix gives the change, else the value whose rate does.

    Within a usual change, a mix or rate must have moved far more than in the step before.
    """
    found = {dimension: mix_and_rate(*case.sides(dimension)) for dimension in case.study.dimensions}
    found = {dimension: effects for dimension, effects in found.items() if len(effects) > 1}
    if is_usual:
        found = {dimension: effects for dimension, effects in found.items() if _is_clear(case, dimension, effects)}
    mixed = {dimension: effects for dimension, effects in found.items() if _mix(effects) / case.change >= MOSTLY}
    if mixed:
        dimension = max(mixed, key=lambda each: _purity(mixed[each]))
        return _by_mix(case, dimension, mixed[dimension])
    rated = [(share, dimension, key) for dimension, effects in found.items() for share, key in _rated(case, effects)]
    if rated:
        share, dimension, key = max(rated, key=lambda each: (each[0], each[1]))
        driver = Driver(dimension, named(key), share, "rate")
        return Finding("segment", case.before, case.now, (driver,), breakdown=_table(dimension, found[dimension]))
    if is_usual:
        return None
    dimension = max(found, key=lambda each: _purity(found[each]), default="")
    drivers = (Driver("price", "all", Fraction(1)),)
    breakdown = _table(dimension, found[dimension]) if dimension else None
    return Finding("price or volume", case.before, case.now, drivers, breakdown=breakdown)


def _is_clear(case: Case, dimension: str, effects: Effects) -> bool:
    """Whether mix and rates moved far more than in the step before."""
    earlier = mix_and_rate(case.of(dimension, case.study.previous), case.of(dimension, case.study.before))
    usual = sum((abs(effect.mix) + abs(effect.rate) for effect in earlier.values()), ZERO)
    moved = sum((abs(effect.mix) + abs(effect.rate) for effect in effects.values()), ZERO)
    return bool(earlier) and moved > STEADY * usual and abs(case.change) >= MINOR * abs(case.before)


def _mix(effects: Effects) -> Fraction:
    return sum((effect.mix for effect in effects.values()), ZERO)


def _purity(effects: Effects) -> Fraction:
    """Return the mix as a part of all movement, less a cost for each value."""
    mix = sum((abs(effect.mix) for effect in effects.values()), ZERO)
    rate = sum((abs(effect.rate) for effect in effects.values()), ZERO)
    return (mix / (mix + rate) if mix + rate else ZERO) - COST * len(effects)


def _by_mix(case: Case, dimension: str, effects: Effects) -> Finding:
    shares = ((effect.mix / case.change, key) for key, effect in effects.items())
    drivers = [Driver(dimension, named(key), share, "mix") for share, key in shares if share > MINOR]
    drivers.sort(key=lambda driver: -driver.share)
    return Finding("mix shift", case.before, case.now, tuple(drivers), breakdown=_table(dimension, effects))


def _rated(case: Case, effects: Effects) -> list[tuple[Fraction, Key]]:
    """Return the value whose rate gives most of the change while the other rates stand still."""
    found = []
    for key, effect in effects.items():
        share, own = effect.rate / case.change, abs(_moved(effect))
        others = [abs(_moved(other)) for name, other in effects.items() if name != key]
        is_more = share >= min(effect.weights[1] + APART, ALMOST)  # than its weight gives where all rates move alike
        if share >= MOSTLY and is_more and all(moved <= STILL * own for moved in others):
            found.append((share, key))
    return found


def _moved(effect: MixAndRate) -> Fraction:
    return effect.rates[1] / effect.rates[0] - 1 if effect.rates[0] else effect.rates[1]


def _table(dimension: str, effects: Effects) -> Breakdown:
    rows = [PartRow(named(key), each.rates[0], each.rates[1], each.mix + each.rate) for key, each in effects.items()]
    return Breakdown(dimension, tuple(sorted(rows, key=lambda row: -abs(row.effect))))
