"""`make mutate`: change the product in small ways, and print each change that no test notices."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import TextIO

import click
import pytest

from tests.mutants.areas import rates, sampled
from tests.mutants.changes import changed_lines
from tests.mutants.forbidden import forbidden
from tests.mutants.lines import Lines
from tests.mutants.mutant import Mutant, files
from tests.mutants.operators import usual
from tests.mutants.runs import kept, learn
from tests.mutants.sessions import joined
from tests.mutants.trial import Outcome, Trials
from tests.mutants.verdicts import accepted, keep, killers


@click.command()
@click.argument("paths", nargs=-1)
@click.option("--base", default="main", help="Without paths: the lines changed since this commit.")
@click.option("--forbidden", "refusals", is_flag=True, help="The branches that say no, of the rooms of rights.")
@click.option("--unjudged", is_flag=True, help="Of these only the ones without a verdict.")
@click.option("--again", type=click.File(encoding="utf-8"), help="Of these the ones that this file names, a line each.")
@click.option("--sample", type=int, help="So many, chosen at random.")
@click.option("--each", type=int, help="So many of each area, chosen at random.")
@click.option("--seed", default=1, help="Of the choice.")
@click.option("--tests", multiple=True, help="Test files or folders, in place of all.")
@click.option("--seconds", type=float, help="Of tests for each mutant, the quick ones; else all.")
@click.option("--minutes", type=float, help="Of trials in all, in an order by chance.")
@click.option("--jobs", default=2, help="Mutants tried at once.")
def mutate(
    paths: tuple[str, ...],
    base: str,
    refusals: bool,
    unjudged: bool,
    again: TextIO | None,
    sample: int | None,
    each: int | None,
    seed: int,
    tests: tuple[str, ...],
    seconds: float | None,
    minutes: float | None,
    jobs: int,
) -> None:
    """Print the mutants that no test notices; exit status 1 when one of them is not in the ledger."""
    learn(kept().stale(test for folder in tests or ("tests",) for test in _test_files(folder)), jobs)
    lines = kept()
    past = killers()
    judged = {*accepted(), *(past if unjudged else ())}
    mutants = [mutant for mutant in _chosen(paths, base, refusals=refusals) if mutant.name not in judged]
    if again is not None:
        named = {*again.read().splitlines()}
        mutants = [mutant for mutant in mutants if mutant.name in named]
    mutants = sampled(mutants, len(mutants) if minutes and sample is None else sample, each, seed)
    tried = {mutant: [*_within(_tests(mutant, lines, past, tests), lines, seconds)] for mutant in mutants}
    trials = Trials(tried, lines.seconds, jobs, partial(_tell, keeps=refusals), minutes)
    with joined():
        pytest.main(["-q", "--no-header", "-p", "no:xdist", "-r", "N", *_needed(trials)], plugins=[trials])
    left = [mutant.name for mutant, outcome in trials.outcomes.items() if outcome in ("survived", "untested")]
    count = len(trials.outcomes)
    click.echo(f"{count} of {len(mutants)} mutants were tried, {count - len(left)} killed, {len(left)} left:")
    click.echo("\n".join((*left, *rates(trials.outcomes))))
    sys.exit(bool(left))


def _chosen(paths: tuple[str, ...], base: str, *, refusals: bool) -> Iterator[Mutant]:
    if refusals:
        return (mutant for mutant in forbidden() if mutant.path.startswith(paths or ("",)))
    if paths:
        return usual(path for folder in paths for path in files(folder))
    changed = changed_lines(base)
    return (mutant for mutant in usual(changed) if mutant.line in changed[mutant.path])


def _tests(mutant: Mutant, lines: Lines, killers: Mapping[str, str], chosen: tuple[str, ...]) -> list[str]:
    """Return the tests of a mutant, of the chosen ones, the one that killed it before first."""
    killer = killers.get(mutant.name)
    return [
        *filter(None, (killer,)),
        *(test for test in lines.of(mutant) if test != killer and test.startswith(chosen or ("",))),
    ]


def _within(tests: Sequence[str], lines: Lines, seconds: float | None) -> Iterator[str]:
    """Yield the first tests, as many as end within the time."""
    ends = accumulate(tests, lambda took, test: took + lines.seconds.get(test, 0.0), initial=0.0)
    return (test for test, took in zip(tests, ends, strict=False) if seconds is None or took <= seconds)


def _tell(mutant: Mutant, outcome: Outcome, last: str, *, keeps: bool) -> None:
    """Print what became of a mutant; keep the test that failed, or never ended, with it."""
    click.echo(f"{outcome:9} {mutant.line:4} {mutant.name}")
    if keeps:
        keep(mutant.name, last if outcome in ("killed", "endless") else None)


def _test_files(folder: str) -> Iterable[str]:
    return [path for path in files(folder) if Path(path).name.startswith("test_")]


def _needed(trials: Trials) -> list[str]:
    return sorted({test.partition("::")[0] for tests in trials.tests.values() for test in tests})


if __name__ == "__main__":
    mutate()
