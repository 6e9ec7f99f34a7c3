"""Why a sum moved: by price or volume, by values of a dimension, or everywhere alike."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction

from ai.analysis.case import FLAGS, Case
from ai.analysis.effects import PriceAndVolume, contributions, price_and_volume
from ai.analysis.finding import Breakdown, Cause, Driver, Finding, PartRow, named
from ai.analysis.search import WIDEST, Conjunction, Value, search
from ai.analysis.study import QUANTITIES, ROWS, VALUE, Cell, Days, Key, Parts, total

ZERO = Fraction(0)
MOSTLY, MINOR = Fraction(1, 2), Fraction(1, 20)
CLEAR = Fraction(1, 20)  # of the whole, for what is named within a usual change
STEADY = 3  # a price effect counts beyond so many times what prices wander anyway
ONE_VALUE = Fraction(8, 10)  # of the price effect
STILL = Fraction(35, 100)  # the others' price change beside that of the value
MOST_CELLS = 3_000


@dataclass(frozen=True, slots=True)
class Pricing:
    """Prices per value of a dimension, by one quantity; `wander` is their usual effect."""

    dimension: str
    quantity: int
    effects: dict[Key, PriceAndVolume]
    wander: Fraction

    @property
    def price(self) -> Fraction:
        return sum((effect.price for effect in self.effects.values()), ZERO)

    @property
    def volume(self) -> Fraction:
        return sum((effect.volume for effect in self.effects.values()), ZERO)


def why_sum(case: Case, *, is_usual: bool) -> Finding | None:
    """Name price first, then the moved values, else the volume of all.

    Within a usual change, only what is clear by itself is named.
    """
    least = CLEAR * case.before if is_usual else ZERO
    pricing = min(_pricings(case), key=lambda each: each.wander, default=None)
    if pricing and abs(pricing.price) > max(MOSTLY * abs(case.change), STEADY * pricing.wander, least):
        return _by_price(case, pricing)
    dimensions, cells = _cells(case)
    if moved := search(cells) if cells else ():
        found = _by_values(case, dimensions, moved, cells)
        return found if any(abs(each.share * case.change) >= least for each in found.drivers) else None
    return None if is_usual else _everywhere(case, pricing)


def _pricings(case: Case) -> Iterator[Pricing]:
    """Yield the ways to take a price: quantities of the rows, steady by some dimension."""
    for dimension in case.study.dimensions if case.study.has_price else ():
        before, now = case.sides(dimension)
        earlier, later, times = _step_before(case, dimension)
        for place in (
            *(() if case.study.is_summary else (ROWS,)),
            *range(QUANTITIES, QUANTITIES + len(case.study.quantities)),
        ):
            if earlier and not _is_the_figure(before, place) and _has_some(before, now, place):
                usual = price_and_volume(earlier, later, place)
                wander = times * sum((abs(effect.price) for effect in usual.values()), ZERO)
                yield Pricing(dimension, place, price_and_volume(before, now, place), wander)


def _step_before(case: Case, dimension: str) -> tuple[dict[Key, Parts], dict[Key, Parts], int]:
    """Return two periods that tell how prices wander, and how often they fit; halves where no history is."""
    before = case.study.before
    if earlier := case.of(dimension, case.study.previous):
        return earlier, case.of(dimension, before), 1
    middle = before.start + timedelta(max(before.length // 2, 1))
    return case.of(dimension, Days(before.start, middle)), case.of(dimension, Days(middle, before.end)), 2


def _is_the_figure(before: dict[Key, Parts], place: int) -> bool:
    return all(parts[VALUE] == parts[place] for parts in before.values())


def _has_some(before: dict[Key, Parts], now: dict[Key, Parts], place: int) -> bool:
    return all(any(parts[place] > 0 for parts in side.values()) for side in (before, now))


def _by_price(case: Case, pricing: Pricing) -> Finding:
    value = _priced_value(case, pricing.quantity) or "all"
    drivers, table = _price_drivers(case, pricing, value), _priced(case, pricing)
    return Finding("price or volume", case.before, case.now, drivers, breakdown=table, per=_per(case, pricing))


def _per(case: Case, pricing: Pricing) -> str:
    """Return the quantity that a price is of, "" for rows."""
    return "" if pricing.quantity == ROWS else case.study.quantities[pricing.quantity - QUANTITIES]


def _price_drivers(case: Case, pricing: Pricing, value: str = "all") -> tuple[Driver, ...]:
    """Return the price of a value and the volume of all, those worth telling."""
    price = Driver("price", value, pricing.price / case.change)
    volume = Driver("volume", "all", pricing.volume / case.change)
    told = (each for each in (price, volume) if abs(each.share) > MINOR)
    return tuple(sorted(told, key=lambda each: -each.share))


def _priced(case: Case, pricing: Pricing) -> Breakdown:
    old, new = case.sides(pricing.dimension)
    sides = [total(side.values()) for side in (old, new)]
    prices = [parts[VALUE] / parts[pricing.quantity] if parts[pricing.quantity] else None for parts in sides]
    counts = [parts[pricing.quantity] for parts in sides]
    rows = (
        PartRow("price", prices[0], prices[1], pricing.price),
        PartRow("volume", counts[0], counts[1], pricing.volume),
    )
    return Breakdown("effect", rows)


def _priced_value(case: Case, quantity: int) -> str:
    """Return the value whose price moved where the others' stood still, else ""."""
    best, found = ONE_VALUE, ""
    for dimension in case.study.dimensions:
        effects = price_and_volume(*case.sides(dimension), quantity)
        whole = sum((effect.price for effect in effects.values()), ZERO)
        for key, effect in effects.items():
            share = effect.price / whole if whole else ZERO
            if share >= best and len(effects) > 1 and _others_stand(effects, key):
                best, found = share, named(key)
    return "" if found in FLAGS else found


def _others_stand(effects: dict[Key, PriceAndVolume], key: Key) -> bool:
    own = _moved(effects[key])
    return all(abs(_moved(effect)) <= STILL * abs(own) for other, effect in effects.items() if other != key)


def _moved(effect: PriceAndVolume) -> Fraction:
    return effect.prices[1] / effect.prices[0] - 1 if effect.prices[0] else ZERO


def _cells(case: Case) -> tuple[tuple[str, ...], tuple[Cell, ...]]:
    """Return the most surprising dimensions, as many as make a table of bearable size, and its cells."""
    ranked = sorted(case.study.dimensions, key=lambda dimension: -_surprise(case, dimension))
    chosen: list[str] = []
    size = 1
    for dimension in ranked:
        width = max(len(case.segments(dimension)), 1)
        if width > 1 and size * width <= MOST_CELLS:
            chosen.append(dimension)
            size *= width
    cells = case.study.cells(chosen) if chosen else ()
    return tuple(chosen), _renamed(case, chosen, cells)


def _surprise(case: Case, dimension: str) -> Fraction:
    """Return how far the contributions are from proportional ones."""
    found = contributions(*case.sides(dimension)).values()
    if not case.before:
        return ZERO
    return sum((abs(part.change - case.change * part.before / case.before) for part in found), ZERO)


def _renamed(case: Case, dimensions: Sequence[str], cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    names = [{rename.old: rename.new for rename in case.renamed.get(dimension, ())} for dimension in dimensions]
    if not any(names):
        return cells
    together: dict[tuple[Key, ...], list[Cell]] = {}
    for cell in cells:
        key = tuple(new.get(value, value) for new, value in zip(names, cell.values, strict=True))
        together.setdefault(key, []).append(cell)
    return tuple(
        Cell(key, total(c.previous for c in found), total(c.before for c in found), total(c.now for c in found))
        for key, found in together.items()
    )


def _by_values(case: Case, dimensions: Sequence[str], moved: tuple[Conjunction, ...], cells: Sequence[Cell]) -> Finding:
    moved = tuple(_larger_half(conjunction, cells) for conjunction in moved) if len(moved) == 1 else moved
    drivers = [_driver(case, dimensions, conjunction, cells) for conjunction in moved]
    if any(abs(driver.share) < MINOR for driver in drivers):
        drivers = _movers(case, dimensions, moved) or drivers
    drivers.sort(key=lambda driver: -abs(driver.share))
    cause: Cause = "two causes" if len(drivers) > 1 else "segment"
    first = drivers[0].dimension
    breakdown = case.breakdown(first) if first in dimensions else _combined(case, dimensions, moved[0], cells)
    return Finding(cause, case.before, case.now, tuple(drivers), breakdown=breakdown)


def _movers(case: Case, dimensions: Sequence[str], moved: tuple[Conjunction, ...]) -> list[Driver]:
    """Return the moved values of one dimension, where those left standing were found; none where these are many."""
    places = {value.place for conjunction in moved for value in conjunction}
    if len(places) > 1:
        return []
    dimension = dimensions[places.pop()]
    found = [case.driver(dimension, key) for key in case.segments(dimension)]
    found = [driver for driver in found if abs(driver.share) >= MINOR]
    return found if len(found) <= WIDEST else []


def _larger_half(moved: Conjunction, cells: Sequence[Cell]) -> Conjunction:
    """Return of two values of a dimension the one with more of the change."""
    keys = {cell.values[moved[0].place] for cell in cells}
    if len(moved) > 1 or len(keys) != 2:
        return moved
    sides = {key: _sides((Value(moved[0].place, key),), cells) for key in keys}
    larger = max(keys, key=lambda key: (abs(sides[key][1] - sides[key][0]), key == moved[0].key))
    return (Value(moved[0].place, larger),)


def _driver(case: Case, dimensions: Sequence[str], moved: Conjunction, cells: Sequence[Cell]) -> Driver:
    values = sorted(moved, key=lambda value: case.study.dimensions.index(dimensions[value.place]))
    before, now = _sides(moved, cells)
    name = " & ".join(dimensions[value.place] for value in values)
    return Driver(name, " & ".join(named(value.key) for value in values), (now - before) / case.change)


def _sides(moved: Conjunction, cells: Sequence[Cell]) -> tuple[Fraction, Fraction]:
    inside = [cell for cell in cells if all(cell.values[value.place] == value.key for value in moved)]
    return sum((cell.before[VALUE] for cell in inside), ZERO), sum((cell.now[VALUE] for cell in inside), ZERO)


def _combined(case: Case, dimensions: Sequence[str], moved: Conjunction, cells: Sequence[Cell]) -> Breakdown:
    driver = _driver(case, dimensions, moved, cells)
    before, now = _sides(moved, cells)
    others = PartRow("all others", case.before - before, case.now - now, case.change - (now - before))
    return Breakdown(driver.dimension, (PartRow(driver.value, before, now, now - before), others))


def _everywhere(case: Case, pricing: Pricing | None) -> Finding:
    """All values moved alike: fewer or more of everything, with the price where it moved too."""
    if pricing is None:
        drivers: tuple[Driver, ...] = (Driver("volume", "all", Fraction(1)),)
        widest = max(case.study.dimensions, key=lambda each: len(case.segments(each)), default="")
        breakdown = case.breakdown(widest) if widest else None
    else:
        drivers, breakdown = _price_drivers(case, pricing), _priced(case, pricing)
    per = _per(case, pricing) if pricing else ""
    return Finding("price or volume", case.before, case.now, drivers, breakdown=breakdown, per=per)
