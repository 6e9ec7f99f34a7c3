"""Fit the weights that tell messages for us from talk among people, and say how well they do on scenes left out.

A logistic regression with a quadratic penalty, by gradient descent: small enough to need no library, the same on
every run.

    python -m benchmarks.manners [--write FILE]   # replaces bot/listeners/manners/weights.json
"""

import argparse
import json
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.report.rows import Row
from bot.cli.sets import moment
from bot.listeners.manners.features import Features, features
from bot.listeners.manners.verdict import bound, probability
from tests.paths import ROOT

SETS = ("scenes", "moments", "follow_ups", "edits", "alone")
TALK = ROOT / "tests/corpora/talk"
WEIGHTS = ROOT / "bot/listeners/manners/weights.json"
PENALTY, ROUNDS, STEP = 0.5, 600, 0.02
SILENCE = 2.0  # a line of people that is answered costs as much as two questions left open
Weights = dict[str, float]


@dataclass(frozen=True)
class Moment:
    set: str
    scene: int
    found: Features
    wanted: bool


def moments() -> list[Moment]:
    return [
        Moment(name, case["scene"], features(*moment(case)), case["expect"] == "answer")
        for name in SETS
        for case in map(json.loads, (TALK / f"{name}.jsonl").read_text("utf-8").splitlines())
    ]


def fitted(given: Sequence[Moment]) -> Weights:
    """Return the weights that minimise the penalised log loss."""
    names = sorted(given[0].found)
    rows = [([names.index(name) for name in names if each.found[name]], each.wanted) for each in given]
    weights = [0.0] * len(names)
    speed = [0.0] * len(names)
    for _ in range(ROUNDS):
        slope = [PENALTY * weight for weight in weights]
        for held, wanted in rows:
            guess = 1 / (1 + math.exp(-sum(weights[at] for at in held)))
            error = (guess - wanted) * (1.0 if wanted else SILENCE)
            for at in held:
                slope[at] += error
        for at, by in enumerate(slope):
            speed[at] = 0.8 * speed[at] - STEP / 10 * by
            weights[at] += speed[at]
    return {name: round(weight, 3) for name, weight in zip(names, weights, strict=True)}


def answered(each: Moment, weights: Weights) -> bool:
    return probability(each.found, weights) >= bound(each.found)


def cross_validated(given: Sequence[Moment], folds: int) -> dict[str, tuple[float, float]]:
    """Return per set the share of talk and of questions answered, in scenes not fitted on."""
    scenes = sorted({each.scene for each in given})
    random.Random(0).shuffle(scenes)
    verdicts: list[tuple[Moment, bool]] = []
    for fold in range(folds):
        held = set(scenes[fold::folds])
        weights = fitted([each for each in given if each.scene not in held])
        verdicts += [(each, answered(each, weights)) for each in given if each.scene in held]
    return {
        name: (
            _share([verdict for each, verdict in verdicts if each.set == name and not each.wanted]),
            _share([verdict for each, verdict in verdicts if each.set == name and each.wanted]),
        )
        for name in SETS
    }


def _share(verdicts: Sequence[bool]) -> float:
    return sum(verdicts) / max(1, len(verdicts))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", type=Path, default=WEIGHTS, help="where to write the weights")
    wanted = parser.parse_args()
    wanted.write.write_text(json.dumps(fitted(moments()), indent=1, ensure_ascii=False) + "\n", "utf-8")


def rows(folds: int) -> Iterator[Row]:
    for name, (talk, questions) in cross_validated(moments(), folds).items():
        yield Row(f"{name}: talk that is answered", 100 * talk, "%")
        yield Row(f"{name}: questions that are answered", 100 * questions, "%", more=True)


if __name__ == "__main__":
    main()
