"""Definitions written as a semantics file, which reads back as the same definitions."""

from collections import defaultdict
from typing import Any

import yaml

from ai.sql.semantics.semantics import Metric, Semantics


def written(semantics: Semantics) -> str:
    """The YAML of a semantics file; sections without anything are left out."""
    values: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for wording in semantics.wordings:
        values[f"{wording.table}.{wording.column}"][wording.value].append(wording.word)
    sections: dict[str, Any] = {
        "version": semantics.version,
        "metrics": {metric.name: _metric(metric) for metric in semantics.metrics},
        "synonyms": {synonym.word: synonym.target for synonym in semantics.synonyms},
        "display": dict(semantics.display),
        "dates": dict(semantics.dates),
        "values": {target: dict(words) for target, words in values.items()},
        "hidden": sorted(semantics.hidden),
        "rules": list(semantics.rules),
    }
    kept = {name: section for name, section in sections.items() if section or name == "version"}
    return str(yaml.safe_dump(kept, sort_keys=False, allow_unicode=True, width=120))


def _metric(metric: Metric) -> dict[str, Any]:
    fields = {
        "table": metric.table,
        "expression": metric.expression,
        "condition": metric.condition,
        "description": metric.description,
        "synonyms": list(metric.synonyms),
        "unit": metric.unit,
    }
    return {name: value for name, value in fields.items() if value}
