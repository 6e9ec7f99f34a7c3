"""Chooses mutants at random, of each area of the product or of all, and tells how many were noticed in each."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from tests.mutants.mutant import Mutant
from tests.mutants.trial import Outcome


def area(path: str) -> str:
    """Name the folder below `ai` or `bot`; below `ai/sql` each is an area."""
    folders = path.split("/")[:-1]
    return "/".join(folders[: 3 if folders[:2] == ["ai", "sql"] else 2]) or path


def sampled(mutants: Sequence[Mutant], sample: int | None, each: int | None, seed: int) -> list[Mutant]:
    """Return all, so many of all, or so many of each area."""
    chance, areas = Random(seed), defaultdict[str, list[Mutant]](list)
    for mutant in mutants:
        areas[area(mutant.path) if each is not None else ""].append(mutant)
    most = sample if each is None else each
    if most is None:
        return [*mutants]
    return [one for found in areas.values() for one in chance.sample(found, min(most, len(found)))]


def rates(outcomes: Mapping[Mutant, Outcome]) -> Iterator[str]:
    """Yield a line for each area: how many of its mutants were noticed."""
    every, left = Counter[str](), Counter[str]()
    for mutant, outcome in outcomes.items():
        every[area(mutant.path)] += 1
        left[area(mutant.path)] += outcome in ("survived", "untested")
    for name, count in sorted(every.items()):
        yield f"{(count - left[name]) / count:4.0%} of {count:3} in {name}"
