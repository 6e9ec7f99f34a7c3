"""How likely a reading is what was meant: its features by the weights that `benchmarks/abstaining.py` learns."""

import json
from functools import cache
from math import exp
from pathlib import Path
from typing import NamedTuple

from ai.nl2sql.confidence.derivation import Derivation
from ai.nl2sql.confidence.features import FEATURES, Feature

WEIGHTS = Path(__file__).with_name("weights.json")
FARTHEST = 4.0  # standard deviations; beyond, a value counts no more
# Less likely readings are asked back; a message in a thread leans on one that was read already.
ASKED_BELOW, ASKED_BELOW_IN_THREADS = 0.0, 0.0


class Weight(NamedTuple):
    """What a feature adds for each standard deviation from its mean."""

    feature: Feature
    weight: float
    mean: float
    scale: float


@cache
def weights() -> tuple[float, tuple[Weight, ...]]:
    """Return the bias and the weights."""
    kept = json.loads(WEIGHTS.read_text("utf-8"))
    found = (Weight(FEATURES[name], *numbers) for name, numbers in kept["features"].items())
    return float(kept["bias"]), tuple(found)


def confidence(made: Derivation) -> float:
    """Return the probability that a reading is what was meant."""
    bias, found = weights()
    logit = bias
    for feature, weight, mean, scale in found:
        logit += weight * max(-FARTHEST, min(FARTHEST, (feature(made) - mean) / scale))
    return round(1 / (1 + exp(-logit)), 3)


def asked_below(made: Derivation) -> float:
    """Return how likely a reading must be to be answered."""
    return ASKED_BELOW_IN_THREADS if made.deep or made.lost else ASKED_BELOW
