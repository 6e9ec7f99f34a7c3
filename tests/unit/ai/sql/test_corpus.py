"""Verdicts on lines of queries, with and without a database that is asked too."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ai.errors import ConfigError
from ai.sql.corpus import judge_from
from tests.unit.ai.sql.shop import build_database

POLICY: dict[str, Any] = {"tables": {"orders": ["id", "status"]}, "denied_columns": {"orders": ["status"]}}
LINES = [
    json.dumps({"id": 7, "sql": sql}, ensure_ascii=False)
    for sql in ("SELECT id FROM orders", "", "SELECT status FROM orders", "SELECT id AS größe FROM nowhere")
]


def test_each_line_has_a_verdict_of_its_own() -> None:
    with closing(judge_from("sqlite", POLICY, None)) as judge:
        found = [*judge.verdicts([LINES[0], "  ", *LINES[1:]])]
    assert json.loads(found[0]) == {"id": 7, "verdict": "allow", "reason": "", "layer": ""}
    assert [(one["verdict"], one["layer"]) for one in map(json.loads, found[1:])] == [
        ("reject", "L1"),
        ("reject", "L4"),
        ("reject", "L3"),
    ]


def test_the_engine_has_the_last_word(tmp_path: Path) -> None:
    with closing(judge_from("sqlite", {}, build_database(tmp_path / "shop.db"))) as judge:
        lines = [
            json.dumps({"id": 1, "sql": sql})
            for sql in ("SELECT id FROM orders", "EXPLAIN SELECT 1", "SELECT upper(id, id) FROM orders")
        ]
        passed, explained, refused = map(json.loads, judge.verdicts(lines))
    assert (passed["verdict"], explained["verdict"]) == ("allow", "allow")
    assert (refused["verdict"], refused["layer"]) == ("reject", "L5")
    assert refused["reason"].startswith("SQLite cannot run this: ")


@pytest.mark.parametrize(
    ("url", "label"),
    [
        ("sqlite:///shop.db", "SQLite"),
        ("postgresql://bot@db.test/shop", "PostgreSQL"),
        ("mysql://bot@db.test/shop", "MariaDB or MySQL"),
        ("duckdb:///shop.duckdb", "DuckDB"),
    ],
)
def test_a_policy_for_another_kind_of_database_is_refused(url: str, label: str) -> None:
    with pytest.raises(ConfigError, match=f"The database is {label}, which is not the dialect snowflake"):
        judge_from("snowflake", {}, url)


@pytest.mark.parametrize("line", ["SELECT 1", "[1]", '{"id": 1}', '{"sql": "SELECT 1"}', '{"id": 1, "sql": 2}'])
def test_a_line_that_is_no_case_is_named_by_its_number(line: str) -> None:
    with pytest.raises(ConfigError, match=r"Line 2 (is not JSON|has no id or no sql)"):
        list(judge_from("sqlite", POLICY, None).verdicts([LINES[0], line]))
