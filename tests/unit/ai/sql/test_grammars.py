"""What each grammar reads, and how it writes that: a query keeps its meaning, and nothing is allowed without an example."""

import json
from collections import defaultdict
from pathlib import Path

import pytest
from sqlglot import exp

from ai.errors import SqlRefused
from ai.sql.corpus import judge_from
from ai.sql.grammars import OWN, grammar_of
from ai.sql.guard import check
from ai.sql.guard.syntax import read_sql
from tests.cases import cases

HERE = Path(__file__).parent
POLICY = json.loads((HERE / "corpora" / "policy.json").read_text("utf-8"))
EXAMPLES = cases(HERE / "grammars.jsonl")


@pytest.mark.parametrize("case", EXAMPLES)
def test_a_query_runs_as_it_is_meant(case: dict[str, str]) -> None:
    catalog = judge_from(case["dialect"], POLICY, None).catalog
    try:
        found = {"runs": check(case["sql"], catalog).sql}
    except SqlRefused as refusal:
        found = {"says": str(refusal)}
    assert found == ({"says": case["says"]} if "says" in case else {"runs": case.get("runs", case["sql"])})


def test_nothing_is_allowed_without_an_example() -> None:
    allowed, shown = defaultdict[type[exp.Expr], set[str]](set), defaultdict[type[exp.Expr], set[str]](set)
    for dialect in (*OWN, "snowflake"):
        for kind, arguments in grammar_of(dialect).nodes.items():
            allowed[kind] |= arguments
    for dialect, sql in _queries():
        for node in read_sql(sql, grammar_of(dialect))[1].walk():
            shown[type(node)] |= {name for name, value in node.args.items() if value}
    assert {kind: extra for kind, arguments in allowed.items() if (extra := arguments - shown[kind])} == {}
    assert allowed.keys() - shown.keys() == set()


def _queries() -> list[tuple[str, str]]:
    """The queries of the examples and of the corpora that pass, each with its dialect."""
    corpora = [
        (dialect, sql.replace('AS "select"', "AS chosen").strip())
        for dialect in OWN
        for name in ("common", dialect)
        for sql in (HERE / "corpora" / f"{name}.sql").read_text("utf-8").split(";\n")
        if sql.strip()
    ]
    lines = [case.values[0] for case in EXAMPLES]
    return [*corpora, *((line["dialect"], line["sql"]) for line in lines if "says" not in line)]
