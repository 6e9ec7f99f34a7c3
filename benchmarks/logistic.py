"""Logistic regression with a penalty on large steps from the weights before, by Newton's method."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]
FARTHEST = 4.0  # standard deviations; beyond, a value counts no more
ROUNDS, SETTLED = 50, 1e-8


@dataclass(frozen=True)
class Logistic:
    """`weights` are for values less their `means`, in `scales`; values off by more than FARTHEST are cut."""

    bias: float
    weights: Numbers
    means: Numbers
    scales: Numbers

    def chances(self, values: Numbers) -> Numbers:
        return 1 / (1 + np.exp(-self.logits(values)))

    def logits(self, values: Numbers) -> Numbers:
        logits: Numbers = self.bias + _standard(values, self.means, self.scales) @ self.weights
        return logits

    def stretched(self, factor: float, shift: float) -> "Logistic":
        return Logistic(self.bias * factor + shift, self.weights * factor, self.means, self.scales)


def _standard(values: Numbers, means: Numbers, scales: Numbers) -> Numbers:
    return np.clip((values - means) / scales, -FARTHEST, FARTHEST)


def fitted(
    values: Numbers, right: Numbers, penalty: float, start: Logistic | None = None, worth: Numbers | None = None
) -> Logistic:
    """Return the weights of the likeliest outcomes, less `penalty` times the squares of their steps from `start`.

    Without a start they step from nothing. `worth` is how much each outcome counts, once by default.
    """
    start = start or _nothing(values)
    table = np.column_stack([np.ones(len(values)), _standard(values, start.means, start.scales)])
    before = np.concatenate([[0.0], start.weights])
    weights = before.copy()
    penalties = np.full(table.shape[1], penalty)
    penalties[0] = 1e-6
    counted = np.ones(len(values)) if worth is None else worth
    for _ in range(ROUNDS):
        chances = 1 / (1 + np.exp(-table @ weights))
        slope = table.T @ (counted * (right - chances)) - penalties * (weights - before)
        bend = (table.T * (counted * chances * (1 - chances))) @ table + np.diag(penalties)
        step = np.linalg.solve(bend, slope)
        weights = weights + step
        if np.abs(step).max() < SETTLED:
            break
    return Logistic(float(weights[0]), weights[1:], start.means, start.scales)


def _nothing(values: Numbers) -> Logistic:
    scales = values.std(0)
    return Logistic(0.0, np.zeros(values.shape[1]), values.mean(0), np.where(scales > 0, scales, 1.0))


def unseen(
    values: Numbers, right: Numbers, groups: Sequence[str], penalty: float, start: Logistic, worth: Numbers
) -> Numbers:
    """Return the logit of each row by the weights learned from the other groups."""
    found = np.zeros(len(values))
    names = np.array(groups)
    for name in sorted(set(groups)):
        rest = names != name
        found[~rest] = fitted(values[rest], right[rest], penalty, start, worth[rest]).logits(values[~rest])
    return found
