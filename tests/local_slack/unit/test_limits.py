"""The rows of the limits: each is used, each has a source, and a rules file changes their values."""

import re
from pathlib import Path

import pytest

from local_slack.block_kit import check_blocks
from local_slack.limits import RulesError, strict
from local_slack.wire import SlackError
from tests.paths import ROOT

SOURCE = "".join(path.read_text("utf-8") for path in sorted((ROOT / "local_slack").rglob("*.py")))
CHART = {
    "type": "pie",
    "segments": [{"label": f"segment {number}", "value": 1} for number in range(7)],
}


def test_every_row_is_used_and_every_name_has_a_row() -> None:
    rows = set(strict().rows)
    computed = {"container.children_documented", "container.children_live", "tier.1", "tier.2", "tier.3", "tier.4"}
    computed |= {"events.retry_1", "events.retry_2", "events.retry_3"}
    assert [name for name in rows - computed if f'"{name}"' not in SOURCE] == []
    named = re.findall(r'limits(?:\[|\.count\(|\.words\()"([a-z_.0-9]+)"', SOURCE)
    assert set(named) <= rows


def test_every_row_has_a_source() -> None:
    assert [row.name for row in strict().rows.values() if not row.source or not row.unit] == []


def test_a_rules_file_changes_values(tmp_path: Path) -> None:
    rules = tmp_path / "record.json"
    rules.write_text(
        """{"asked": "a real workspace", "limits": {"chart.segments": {"value": 7, "source": "doctor"}, "table.rows": 2,
        "container.children_live": ["rich_text"], "message.block_text": null}}"""
    )
    limits = strict().overridden(rules)
    assert (limits["chart.segments"], limits["table.rows"], limits["table.columns"]) == (7, 2, 20)
    assert (limits.rows["chart.segments"].status, limits.rows["chart.segments"].source) == ("seen live", "doctor")
    chart = [{"type": "data_visualization", "title": "a", "chart": CHART}]
    check_blocks(chart, limits)
    with pytest.raises(SlackError):
        check_blocks(chart)
    check_blocks([{"type": "section", "text": {"type": "mrkdwn", "text": "x" * 3000}}] * 20, limits)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{", "is no valid JSON"),
        ("[]", 'needs an object "limits"'),
        ('{"limits": {"table.rowz": 1}}', "names table.rowz, which is no limit"),
        ('{"limits": {"table.rows": "many"}}', "must give table.rows as a number from 0 on, or null for none"),
        ('{"limits": {"container.children_live": 3}}', "must give container.children_live as a list of words"),
        ('{"limits": {"table.rows": {"value": 1, "status": "sure"}}}', "the status documented, seen live, guess"),
    ],
)
def test_what_is_no_rules_file_is_a_sentence(tmp_path: Path, content: str, sentence: str) -> None:
    path = tmp_path / "rules.json"
    path.write_text(content)
    with pytest.raises(RulesError, match=re.escape(sentence)):
        strict().overridden(path)
