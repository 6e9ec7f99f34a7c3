"""The guard on corpora of our own: attacks by rule, and analytic queries by dialect, as lines of data."""

import json
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import process_time

import pytest

from ai.sql.corpus import Judge, judge_from
from ai.sql.grammars import OWN
from ai.sql.guard import check
from tests.cases import cases
from tests.unit.ai.sql.bombs import bombs

CORPORA = Path(__file__).parent / "corpora"
MOST_SECONDS = 2.0  # of processor time, a safety bound: 0.2 are usual
MOST_KB = 128 * 2**10  # of memory, where it is the most that this process ever held
WAREHOUSES = ("snowflake", "bigquery", "redshift", "trino", "databricks", "clickhouse")


def judge(dialect: str) -> Judge:
    return judge_from(dialect, json.loads((CORPORA / "policy.json").read_text("utf-8")), None)


def verdicts(dialect: str, queries: list[str]) -> list[dict[str, str]]:
    lines = (json.dumps({"id": number, "sql": sql}) for number, sql in enumerate(queries))
    return [json.loads(line) for line in judge(dialect).verdicts(lines)]


def queries_of(name: str) -> list[str]:
    return [sql.strip() for sql in (CORPORA / f"{name}.sql").read_text("utf-8").split(";\n") if sql.strip()]


@pytest.mark.parametrize("dialect", OWN)
def test_every_attack_is_refused(dialect: str) -> None:
    lines = map(json.loads, (CORPORA / "attacks.jsonl").read_text("utf-8").splitlines())
    attacks = [line for line in lines if line["dialect"] == dialect]
    found = verdicts(dialect, [attack["sql"] for attack in attacks])
    passed = [attack for attack, verdict in zip(attacks, found, strict=True) if verdict["verdict"] != "reject"]
    assert len(attacks) > 150
    assert passed == []
    assert all(verdict["reason"] and verdict["layer"] for verdict in found)


@pytest.mark.parametrize("case", cases(CORPORA / "stars.jsonl"))
def test_a_star_means_the_columns_that_may_be_read(case: dict[str, str]) -> None:
    held = judge(case["dialect"])
    assert check(case["sql"], held.catalog, held.rights).sql == case["runs"]


@pytest.mark.parametrize("dialect", OWN)
def test_every_analytic_query_passes(dialect: str) -> None:
    quote = "`" if dialect == "mysql" else '"'
    queries = [
        sql.replace('AS "select"', f"AS {quote}select{quote}") for sql in queries_of("common") + queries_of(dialect)
    ]
    found = verdicts(dialect, queries)
    assert len(queries) >= 60
    assert [(sql, v) for sql, v in zip(queries, found, strict=True) if v["verdict"] != "allow"] == []


@pytest.mark.parametrize("dialect", WAREHOUSES)
def test_other_dialects_run_the_common_core_and_no_attack_of_the_others(dialect: str) -> None:
    common = [sql.replace('AS "select"', "AS chosen") for sql in queries_of("common")]
    allowed = [v for v in verdicts(dialect, common) if v["verdict"] == "allow"]
    lines = map(json.loads, (CORPORA / "attacks.jsonl").read_text("utf-8").splitlines())
    attacks = [
        line["sql"] for line in lines if line["dialect"] == "sqlite" and line["rule"] != "R7" and '"' not in line["sql"]
    ]
    assert len(allowed) >= 0.9 * len(common)
    assert [sql for sql, v in zip(attacks, verdicts(dialect, attacks), strict=True) if v["verdict"] == "allow"] == []


@pytest.mark.parametrize("case", bombs())
@pytest.mark.parametrize("dialect", OWN)
def test_no_text_is_dear_to_judge(dialect: str, case: str) -> None:
    held = judge(dialect)
    began, held_before = process_time(), getrusage(RUSAGE_SELF).ru_maxrss
    verdict = json.loads(next(held.verdicts([json.dumps({"id": 1, "sql": bombs()[case]})])))
    assert verdict["verdict"] in ("allow", "reject")
    assert process_time() - began < MOST_SECONDS
    assert getrusage(RUSAGE_SELF).ru_maxrss - held_before < MOST_KB
