"""Logistic regression with a penalty on large weights, by Newton's method."""

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


def fitted(values: Numbers, right: Numbers, penalty: float) -> Logistic:
    """Return the weights of the likeliest outcomes, less `penalty` times their squares."""
    means, scales = values.mean(0), values.std(0)
    scales = np.where(scales > 0, scales, 1.0)
    table = np.column_stack([np.ones(len(values)), _standard(values, means, scales)])
    weights = np.zeros(table.shape[1])
    penalties = np.full(table.shape[1], penalty)
    penalties[0] = 1e-6
    for _ in range(ROUNDS):
        chances = 1 / (1 + np.exp(-table @ weights))
        slope = table.T @ (right - chances) - penalties * weights
        bend = (table.T * (chances * (1 - chances))) @ table + np.diag(penalties)
        step = np.linalg.solve(bend, slope)
        weights = weights + step
        if np.abs(step).max() < SETTLED:
            break
    return Logistic(float(weights[0]), weights[1:], means, scales)


def unseen(values: Numbers, right: Numbers, groups: Sequence[str], penalty: float) -> Numbers:
    """Return the logit of each row by the weights learned from the other groups."""
    found = np.zeros(len(values))
    names = np.array(groups)
    for name in sorted(set(groups)):
        rest = names != name
        found[~rest] = fitted(values[rest], right[rest], penalty).logits(values[~rest])
    return found
