"""The search for drivers in a table with hardly a row in each cell."""

from fractions import Fraction
from random import Random

from ai.analysis.search import Value, search
from ai.analysis.study import Cell, Parts

CHANNELS, PRODUCTS, REGIONS = ("web", "shop", "app"), range(30), "NSEW"
WEEKLY = 900


def counted(random: Random, web: float) -> dict[tuple[str, ...], int]:
    found: dict[tuple[str, ...], int] = {}
    for _ in range(WEEKLY):
        key = (random.choice(CHANNELS), str(random.choice(PRODUCTS)), random.choice(REGIONS))
        if key[0] != "web" or random.random() < web:
            found[key] = found.get(key, 0) + 1
    return found


def cells(seed: int, web: float) -> list[Cell]:
    random = Random(seed)
    weeks = [counted(random, part) for part in (1, 1, web)]
    keys = sorted({key for week in weeks for key in week})

    def parts(count: int) -> Parts:
        return tuple(map(Fraction, (count, count, count)))

    return [Cell(key, *(parts(week.get(key, 0)) for week in weeks)) for key in keys]


def test_one_value_is_found_among_sparse_cells() -> None:
    assert all(search(cells(seed, 0.35)) == ((Value(0, "web"),),) for seed in range(3))


def test_chance_moves_nothing() -> None:
    assert sum(bool(search(cells(seed, 1))) for seed in range(6)) == 0
