"""The alert rules read as PromQL, and name metrics, labels and values that there are."""

from collections.abc import Iterator
from typing import Any

import promql_parser as promql
import pytest
import yaml

from bot.monitoring.metrics import LABELS, METRICS
from tests.paths import ROOT

RULES = [
    rule for group in yaml.safe_load((ROOT / "docs/alerts.yml").read_text("utf-8"))["groups"] for rule in group["rules"]
]
PARTS = {"counter": ("",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count")}
KNOWN = {f"{metric.full_name}{part}": metric for metric in METRICS for part in PARTS[metric.kind]}
OF_PROMETHEUS = {"up"}


def selectors(node: object) -> Iterator[promql.VectorSelector]:
    """Yield all selectors of an expression."""
    if isinstance(node, promql.VectorSelector):
        yield node
    for name in ("lhs", "rhs", "expr", "vector_selector"):
        if (child := getattr(node, name, None)) is not None:
            yield from selectors(child)
    args: Any = getattr(node, "args", None)
    for child in args if isinstance(args, list) else getattr(args, "args", ()) or ():
        yield from selectors(child)


@pytest.mark.parametrize("rule", RULES, ids=[rule["alert"] for rule in RULES])
def test_an_alert_names_what_there_is(rule: dict[str, Any]) -> None:
    found = list(selectors(promql.parse(rule["expr"])))
    assert found
    for selector in found:
        if selector.name in OF_PROMETHEUS:
            continue
        metric = KNOWN[str(selector.name)]
        for matcher in selector.matchers.matchers:
            assert matcher.name in metric.labels
            if (values := LABELS.get(matcher.name)) is not None:
                assert set(matcher.value.split("|")) <= values
    assert rule["labels"]["severity"] in ("page", "ticket")
    assert rule["annotations"]["summary"].endswith(".")


def test_each_metric_has_a_help_of_one_sentence_and_labels_of_few_values() -> None:
    assert len({metric.full_name for metric in METRICS}) == len(METRICS)
    for metric in METRICS:
        assert metric.help.endswith(".")
        assert not {"user", "thread", "channel", "table", "team", "turn"} & set(metric.labels)
        assert bool(metric.buckets) == (metric.kind == "histogram")


def test_the_alerts_are_about_a_dozen() -> None:
    assert len(RULES) >= 12
    assert len({rule["alert"] for rule in RULES}) == len(RULES)
