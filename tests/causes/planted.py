"""Builds databases with one planted cause, from a seed: other companies, dimensions and sizes each time.

Counts are drawn, so days vary as they do in life. `Planted.drivers` holds acceptable first drivers as (dimension,
value); () where nothing is to blame.
"""

import random
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path

TODAY = date(2026, 11, 22)
LAST_WEEK, WEEK_BEFORE = date(2026, 11, 9), date(2026, 11, 2)
OCTOBER, SEPTEMBER = date(2026, 10, 1), date(2026, 9, 1)
SHOP_DAYS = (1.0, 0.9, 0.95, 1.0, 1.15, 1.3, 1.1)
OFFICE_DAYS = (1.1, 1.1, 1.0, 1.0, 0.9, 0.3, 0.2)
Cell = dict[str, str]


@dataclass(frozen=True)
class Company:
    """`dimensions` are columns with weighted values; `joined` moves one of them to a table of its own."""

    name: str
    table: str
    day: str
    dimensions: dict[str, dict[str, float]]
    prices: tuple[str, dict[str, float]]  # by the values of a dimension
    amount: str
    measures: dict[str, str]  # what it is called in a question -> kind: count, sum, avg
    volume: float
    weekdays: tuple[float, ...] = SHOP_DAYS
    joined: tuple[str, str, str] | None = None  # dimension, its table, its column there

    def column(self, dimension: str) -> str:
        if self.joined and self.joined[0] == dimension:
            return f"{self.joined[1]}.{self.joined[2]}"
        return f"{self.table}.{dimension}"


COMPANIES = (
    Company(
        "freight",
        "shipments",
        "shipped_on",
        {
            "carrier": {"Nordline": 5, "Quickbox": 3, "Pelican": 2},
            "service": {"express": 3, "standard": 6, "economy": 2},
            "depot": {"Leeds": 4, "Bristol": 3, "Cardiff": 2, "Glasgow": 2},
        },
        ("service", {"express": 24.5, "standard": 9.9, "economy": 5.25}),
        "fee_gbp",
        {"shipments": "count", "fees": "sum", "average fee": "avg"},
        160,
        joined=("depot", "depots", "name"),
    ),
    Company(
        "laden",
        "verkaeufe",
        "verkauft_am",
        {
            "filiale": {"Kiel": 3, "Bonn": 4, "Jena": 2, "Ulm": 3},
            "warengruppe": {"Obst": 4, "Brot": 5, "Milch": 3},
            "zahlart": {"bar": 4, "karte": 6, "gutschein": 1},
        },
        ("warengruppe", {"Obst": 3.2, "Brot": 2.4, "Milch": 1.1}),
        "umsatz_eur",
        {"verkaeufe": "count", "umsatz": "sum"},
        220,
        joined=("filiale", "filialen", "name"),
    ),
    Company(
        "clinic",
        "visits",
        "visited_at",
        {
            "department": {"cardiology": 3, "dermatology": 4, "pediatrics": 5},
            "insurance": {"public": 7, "private": 3},
            "site": {"north": 4, "harbour": 3, "airport": 2},
        },
        ("department", {"cardiology": 180.0, "dermatology": 95.0, "pediatrics": 60.0}),
        "cost_usd",
        {"visits": "count", "cost": "sum", "average cost": "avg"},
        140,
        weekdays=OFFICE_DAYS,
    ),
)
UP = (
    "why did {m} rise {p}?",
    "{m} went up {p}, what happened?",
    "what drove the increase in {m} {p}",
    "any idea why {m} jumped {p}?",
)
DOWN = (
    "why did {m} drop {p}?",
    "{m} is down {p}. why?",
    "what caused the fall in {m} {p}?",
    "explain the decline of {m} {p}",
    "how come {m} fell {p}",
)
MEANT = {"week": "last week", "month": "in october"}


@dataclass(frozen=True)
class Effect:
    """`volume` and `price` are factors of matching cells in these days; `drop` leaves out their rows."""

    where: Cell = field(default_factory=dict)
    start: date = LAST_WEEK
    end: date = TODAY
    volume: float = 1.0
    price: float = 1.0
    drop: bool = False
    rename: tuple[str, str] | None = None  # dimension, new value


@dataclass(frozen=True)
class Planted:
    company: Company
    cause: str
    measure: str
    period: str
    question: str
    effects: tuple[Effect, ...] = ()
    drivers: tuple[tuple[str, str], ...] = ()
    first_day: date = date(2026, 8, 3)
    yearly: float = 1.0  # factor of last week's calendar week in every year


def planted(cause: str, seed: int) -> Planted:
    """Plan a case."""
    rng = random.Random(f"{cause} {seed}")
    company, period = rng.choice(COMPANIES), rng.choice(("week", "month"))
    start = LAST_WEEK if period == "week" else OCTOBER
    plan = PLANS[cause](rng, company, start)
    return _asked(rng, replace(plan, period=period if cause not in WEEKLY else "week"), rng.random() < 0.5)


def _asked(rng: random.Random, plan: Planted, _flip: bool) -> Planted:
    rises = any(effect.volume > 1 or effect.price > 1 for effect in plan.effects)
    wording = rng.choice(UP if rises else DOWN)
    first = date(2026, 6, 1) if plan.period == "month" else plan.first_day
    first = plan.first_day if plan.yearly != 1.0 else first
    return replace(plan, question=wording.format(m=plan.measure, p=MEANT[plan.period]), first_day=first)


def _measure(rng: random.Random, company: Company, *kinds: str) -> str:
    return rng.choice([name for name, kind in company.measures.items() if kind in kinds])


def _value(rng: random.Random, company: Company, *, not_in: str = "") -> tuple[str, str]:
    dimension = rng.choice([name for name in company.dimensions if name != not_in])
    heavy = [value for value, weight in company.dimensions[dimension].items() if weight >= 2]
    return dimension, rng.choice(heavy)


def _factor(rng: random.Random) -> float:
    return rng.choice((0.3, 0.45, 0.5, 1.8, 2.2))


def _segment(rng: random.Random, company: Company, start: date) -> Planted:
    dimension, value = _value(rng, company)
    effect = Effect({dimension: value}, start, volume=_factor(rng))
    measure = _measure(rng, company, "count", "sum")
    return Planted(company, "segment", measure, "", "", (effect,), ((company.column(dimension), value),))


def _pair(rng: random.Random, company: Company, start: date) -> Planted:
    one = _value(rng, company)
    other = _value(rng, company, not_in=one[0])
    order = sorted((one, other), key=lambda each: list(company.dimensions).index(each[0]))
    effect = Effect(dict(order), start, volume=rng.choice((0.1, 0.2, 3.0)))
    drivers = tuple(
        (" & ".join(company.column(name) for name, _ in each), " & ".join(value for _, value in each))
        for each in (order, order[::-1])
    )
    return Planted(company, "segment", _measure(rng, company, "count", "sum"), "", "", (effect,), drivers)


def _two(rng: random.Random, company: Company, start: date) -> Planted:
    one = _value(rng, company)
    other = _value(rng, company, not_in=one[0])
    effects = tuple(Effect(dict([each]), start, volume=0.45) for each in (one, other))
    drivers = tuple((company.column(name), value) for name, value in (one, other))
    return Planted(company, "two causes", _measure(rng, company, "count", "sum"), "", "", effects, drivers)


def _price(rng: random.Random, company: Company, start: date) -> Planted:
    effect = Effect({}, start, price=rng.choice((0.8, 1.25)))
    return Planted(company, "price or volume", _measure(rng, company, "sum"), "", "", (effect,), (("price", "all"),))


def _price_of_one(rng: random.Random, company: Company, start: date) -> Planted:
    dimension, prices = company.prices
    weights = company.dimensions[dimension]
    value = max(prices, key=lambda each: prices[each] * weights[each])
    effect = Effect({dimension: value}, start, price=rng.choice((0.6, 1.5)))
    return Planted(company, "price or volume", _measure(rng, company, "sum"), "", "", (effect,), (("price", value),))


def _volume(rng: random.Random, company: Company, start: date) -> Planted:
    effect = Effect({}, start, volume=rng.choice((0.7, 1.4)))
    measure = _measure(rng, company, "count", "sum")
    return Planted(company, "price or volume", measure, "", "", (effect,), (("volume", "all"),))


def _mix(rng: random.Random, company: Company, start: date) -> Planted:
    company = rng.choice([each for each in COMPANIES if "avg" in each.measures.values()])
    dimension, prices = company.prices
    cheap, dear = min(prices, key=lambda each: prices[each]), max(prices, key=lambda each: prices[each])
    effects = Effect({dimension: cheap}, start, volume=2.2), Effect({dimension: dear}, start, volume=0.5)
    drivers = tuple((company.column(dimension), value) for value in (cheap, dear))
    return Planted(company, "mix shift", _measure(rng, company, "avg"), "", "", effects, drivers)


def _gap(rng: random.Random, company: Company, start: date) -> Planted:
    dimension, value = _value(rng, company)
    first = start + timedelta(rng.choice((0, 1, 2)))
    effect = Effect({dimension: value}, first, start + timedelta(6), drop=True)
    return Planted(company, "data gap", _measure(rng, company, "count", "sum"), "", "", (effect,))


def _late(rng: random.Random, company: Company, start: date) -> Planted:
    effect = Effect({}, date(2026, 11, 13), TODAY, drop=True)
    return Planted(company, "data gap", _measure(rng, company, "count", "sum"), "", "", (effect,))


def _renamed(rng: random.Random, company: Company, start: date) -> Planted:
    dimension, value = _value(rng, company)
    effect = Effect({dimension: value}, start, rename=(dimension, f"{value} plus"))
    plan = Planted(company, "renamed", _measure(rng, company, "count", "sum"), "", "", (effect,))
    return replace(plan, measure=f"{value} {plan.measure}")


def _new(rng: random.Random, company: Company, start: date) -> Planted:
    dimension, value = _value(rng, company)
    early = Effect({dimension: value}, date(2020, 1, 1), start - timedelta(1), drop=True)
    up = Effect({}, start, volume=1.0001)
    measure = _measure(rng, company, "count", "sum")
    return Planted(company, "new segment", measure, "", "", (early, up), ((company.column(dimension), value),))


def _outlier(rng: random.Random, company: Company, start: date) -> Planted:
    day = LAST_WEEK + timedelta(rng.randrange(5))
    effect = Effect({}, day, day, volume=rng.choice((0.1, 3.5)))
    measure = _measure(rng, company, "count", "sum")
    return Planted(company, "outlier day", measure, "", "", (effect,), (("day", day.isoformat()),))


def _season(rng: random.Random, company: Company, start: date) -> Planted:
    factor = rng.choice((0.7, 1.5))
    plan = Planted(company, "seasonality", _measure(rng, company, "count", "sum"), "", "")
    return replace(plan, first_day=date(2025, 9, 29), yearly=factor, effects=(Effect({}, TODAY, volume=factor),))


def _season_and_segment(rng: random.Random, company: Company, start: date) -> Planted:
    """A value moves apart from a season that all values share."""
    plan, (dimension, _) = _season(rng, company, start), _value(rng, company)
    heavy = max(company.dimensions[dimension], key=lambda name: company.dimensions[dimension][name])
    effect = Effect({dimension: heavy}, LAST_WEEK, volume=0.35 if plan.yearly < 1 else 2.2)
    driver = ((company.column(dimension), heavy),)
    return replace(plan, cause="segment", effects=(*plan.effects, effect), drivers=driver)


def _nothing(rng: random.Random, company: Company, start: date) -> Planted:
    return Planted(company, "no change", _measure(rng, company, "count", "sum"), "", "")


PLANS: dict[str, Callable[[random.Random, Company, date], Planted]] = {
    "segment": _segment,
    "pair": _pair,
    "two": _two,
    "price": _price,
    "price of one": _price_of_one,
    "volume": _volume,
    "mix": _mix,
    "gap": _gap,
    "late": _late,
    "renamed": _renamed,
    "new": _new,
    "outlier": _outlier,
    "season": _season,
    "season and segment": _season_and_segment,
    "nothing": _nothing,
}
WEEKLY = frozenset({"late", "outlier", "season", "season and segment"})


def build(plan: Planted, path: Path, seed: int) -> None:
    """Write the database of a plan."""
    company, rng = plan.company, random.Random(seed)
    path.unlink(missing_ok=True)
    with sqlite3.connect(path) as database:
        keys = _tables(company, database, sorted(set(_names(plan))))
        names = [f"{name}_id" if company.joined and name == company.joined[0] else name for name in company.dimensions]
        marks = ", ".join("?" * (len(names) + 3))
        columns = f"row_id, {company.day}, {', '.join(names)}, {company.amount}"
        rows = (
            (number, _written(company, day, number), *(keys.get(value, value) for value in cell.values()), amount)
            for number, (day, cell, amount) in enumerate(_rows(plan, rng), 1)
        )
        database.executemany(f"INSERT INTO {company.table} ({columns}) VALUES ({marks})", rows)
    database.close()


def _is_timed(company: Company) -> bool:
    return company.day.endswith("_at") or company.day.endswith("_am")


def _written(company: Company, day: date, number: int) -> str:
    return f"{day.isoformat()} {number % 24:02}:{number % 60:02}:00" if _is_timed(company) else day.isoformat()


def _names(plan: Planted) -> Iterator[str]:
    company = plan.company
    if company.joined:
        yield from company.dimensions[company.joined[0]]
        yield from (e.rename[1] for e in plan.effects if e.rename and e.rename[0] == company.joined[0])


def _tables(company: Company, database: sqlite3.Connection, values: list[str]) -> dict[str, int]:
    columns = []
    for name in company.dimensions:
        if company.joined and name == company.joined[0]:
            _, table, column = company.joined
            database.execute(f"CREATE TABLE {table} ({name}_id INTEGER PRIMARY KEY, {column} TEXT NOT NULL)")
            database.executemany(f"INSERT INTO {table} VALUES (?, ?)", list(enumerate(values, 1)))
            columns.append(f"{name}_id INTEGER NOT NULL REFERENCES {table}")
        else:
            columns.append(f"{name} TEXT NOT NULL")
    database.execute(
        f"CREATE TABLE {company.table} (row_id INTEGER PRIMARY KEY, {company.day} {'DATETIME' if _is_timed(company) else 'DATE'} NOT NULL,"
        f" {', '.join(columns)}, {company.amount} NUMERIC NOT NULL)"
    )
    return {value: number for number, value in enumerate(values, 1)}


def _rows(plan: Planted, rng: random.Random) -> Iterator[tuple[date, Cell, float]]:
    company, day = plan.company, plan.first_day
    dimension, prices = company.prices
    cells = list(_cells(company.dimensions))
    while day < TODAY:
        season = plan.yearly if day.isocalendar().week == LAST_WEEK.isocalendar().week else 1.0
        for cell, part in cells:
            effects = [e for e in plan.effects if e.start <= day <= e.end and e.where.items() <= cell.items()]
            if any(effect.drop for effect in effects):
                continue
            volume, price = company.volume * part * company.weekdays[day.weekday()] * season, prices[cell[dimension]]
            for effect in effects:
                volume, price = volume * effect.volume, price * effect.price
            shown = cell | {e.rename[0]: e.rename[1] for e in effects if e.rename}
            for _ in range(_drawn(rng, volume)):
                yield day, shown, round(price * rng.choice((0.9, 1.0, 1.1)), 2)
        day += timedelta(1)


def _drawn(rng: random.Random, mean: float) -> int:
    """Draw a count about as noisy as one of independent events."""
    return max(0, round(rng.gauss(mean, mean**0.5)))


def _cells(dimensions: dict[str, dict[str, float]]) -> Iterator[tuple[Cell, float]]:
    (name, values), *rest = dimensions.items()
    whole = sum(values.values())
    for value, weight in values.items():
        if not rest:
            yield {name: value}, weight / whole
        for cell, part in _cells(dict(rest)) if rest else ():
            yield {name: value, **cell}, part * weight / whole
