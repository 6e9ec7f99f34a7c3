"""The weights of the built-in reader as numbers in the order of its features, read and written."""

import json
from typing import Any, Literal

import numpy as np

from ai.nl2sql.confidence.features import FEATURES
from ai.nl2sql.confidence.judging import WEIGHTS
from benchmarks.logistic import Logistic, Numbers

Section = dict[str, Any]


def _sections() -> dict[str, Section]:
    found: dict[str, Section] = json.loads(WEIGHTS.read_text("utf-8"))
    return found


def in_force(kind: Literal["alone", "threads"], table: Numbers) -> Logistic:
    """Return the weights that the reader uses; those of other features are nothing."""
    kept = _sections()[kind]
    scales = np.where(table.std(0) > 0, table.std(0), 1.0)
    unknown = zip(np.zeros(len(FEATURES)), table.mean(0), scales, strict=True)
    known = [kept["features"].get(name, rest) for name, rest in zip(FEATURES, unknown, strict=True)]
    weights, means, scales = np.array(known, dtype=np.float64).T
    return Logistic(float(kept["bias"]), weights, means, scales)


def written(weights: Logistic) -> None:
    """Write the weights of questions alone beside those in threads, each with its mean and scale; none that is 0."""
    rows = zip(FEATURES, weights.weights, weights.means, weights.scales, strict=True)
    kept = {
        name: [_short(weight), _short(mean), _short(scale)] for name, weight, mean, scale in rows if abs(weight) > 1e-3
    }
    sections = {**_sections(), "alone": {"bias": _short(weights.bias), "features": kept}}
    text = ",\n".join(_section(name, found) for name, found in sections.items())
    WEIGHTS.write_text(f"{{\n{text}\n}}\n", "utf-8")


def _section(name: str, found: Section) -> str:
    lines = (f"    {json.dumps(feature)}: {json.dumps(value)}" for feature, value in found["features"].items())
    features_of = ",\n".join(lines)
    return f'  {json.dumps(name)}: {{"bias": {found["bias"]}, "features": {{\n{features_of}\n  }}}}'


def _short(value: float) -> float:
    return float(f"{value:.4g}")
