"""Seeded faults draw their caution, clean queries draw none; all run on real databases."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from ai.errors import QueryFailed, QueryTimeout, SourceUnavailable
from ai.results.table import ResultColumn, ResultTable, Row
from ai.sql.cautions import MOST, Asked, find_cautions
from ai.sql.database import Database
from ai.sql.facts import facts_of
from ai.sql.semantics import Metric, Semantics
from tests.cases import cases
from tests.unit.ai.sql.cautions.corpus import TODAY, cautions_of, open_databases, scored

HERE = Path(__file__).parent
DEFINED = Semantics(metrics=(Metric("paid total", "orders", "SUM(total)", "status = 'paid'"),))
BLIND_RECALL, BLIND_PRECISION = 0.94, 1.0  # the first run on queries written after the detectors


@pytest.fixture(scope="module")
def databases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Database]:
    return open_databases(tmp_path_factory.mktemp("databases"))


@pytest.mark.parametrize("case", [*cases(HERE / "faults.jsonl"), *cases(HERE / "clean.jsonl")])
def test_faults_are_told_and_nothing_else(case: dict[str, Any], databases: dict[str, Database]) -> None:
    found = cautions_of(case["sql"], databases[case["on"]])
    assert {caution.kind for caution in found} == set(case["expect"]), [caution.text for caution in found]
    assert [caution.text for caution in found] == case.get("says", [])


@pytest.mark.parametrize("case", cases(HERE / "bounds.jsonl"))
def test_how_much_is_worth_a_note(case: dict[str, Any], databases: dict[str, Database]) -> None:
    rows = tuple(map(tuple, case["rows"]))
    result = ResultTable((ResultColumn("x"),) * 2, rows, len(rows))

    def ask(query: str) -> tuple[Row, ...]:
        return tuple(tuple(row) for part, rows in case["answers"].items() if part in query for row in rows)

    found = find_cautions(case["sql"], databases["shop"].catalog(), result, TODAY, ask)
    assert [caution.text for caution in found] == case["says"]


@pytest.mark.parametrize("case", cases(HERE / "asked.jsonl"))
def test_a_question_and_its_query_that_disagree(case: dict[str, Any], databases: dict[str, Database]) -> None:
    catalog, result = databases["shop"].catalog(), ResultTable((ResultColumn("x"),), ((1,),), 1)
    facts = facts_of(case["sql"], catalog, TODAY, DEFINED)
    found = find_cautions(case["sql"], catalog, result, TODAY, asked=Asked(case["question"], TODAY), facts=facts)
    told = " ".join(caution.text for caution in found if caution.kind == "question")
    assert (case["says"] in told) if case["says"] else not told, told


def test_queries_written_afterwards_fare_as_well(databases: dict[str, Database]) -> None:
    lines = [json.loads(line) for line in (HERE / "blind.jsonl").read_text("utf-8").splitlines()]
    score = scored(iter(lines), databases)
    assert score.recall >= BLIND_RECALL
    assert score.precision >= BLIND_PRECISION


@pytest.mark.parametrize("case", cases(HERE / "dialects.jsonl"))
def test_other_dialects_cut_time_in_other_words(case: dict[str, Any], databases: dict[str, Database]) -> None:
    catalog = replace(databases["shop"].catalog(), dialect=case["dialect"])
    cell = date.fromisoformat(case["cell"]) if case["is_date"] else case["cell"]
    result = ResultTable((ResultColumn("period"), ResultColumn("n")), ((cell, 1),), 1)
    assert [c.kind for c in find_cautions(case["sql"], catalog, result, TODAY)] == case["expect"]


@pytest.mark.parametrize("dialect", ["sqlite", "postgres", "mysql", "duckdb"])
@pytest.mark.parametrize("case", cases(HERE / "not_in.jsonl"))
def test_not_in_with_a_null_among_the_values(
    case: dict[str, Any], dialect: str, databases: dict[str, Database]
) -> None:
    catalog = replace(databases["shop"].catalog(), dialect=dialect)
    sql = f"SELECT id FROM customers WHERE segment NOT IN (SELECT segment FROM customers {case['where']})"
    texts = [caution.text for caution in find_cautions(sql, catalog, ResultTable((ResultColumn("id"),), (), 0), TODAY)]
    told = ["NOT IN gives no rows as soon as one segment of customers is empty."]
    assert texts == (told if case["warns"] else [])


def test_whatever_the_guard_lets_through_can_be_looked_at(databases: dict[str, Database]) -> None:
    lines = [json.loads(line) for line in (HERE.parent / "legitimate.jsonl").read_text("utf-8").splitlines()]
    result = ResultTable((), ((None,) * 9,), 1)
    catalog = databases["shop"].catalog()
    found = [find_cautions(line["sql"], catalog, result, TODAY, lambda _: ((9, 1),)) for line in lines]
    assert 0 < sum(map(len, found)) < len(lines)


def test_a_cut_result_is_told(databases: dict[str, Database]) -> None:
    result = ResultTable((ResultColumn("id"),), ((1,),), 1, truncated=True)
    (found,) = find_cautions("SELECT id FROM orders", databases["shop"].catalog(), result, TODAY)
    assert found.text == "There are more rows than the 1 that were kept; figures made of them are over a part."


@pytest.mark.parametrize("error", [QueryFailed("no"), SourceUnavailable("away"), QueryTimeout(1)])
def test_a_note_is_not_worth_failing_for(error: Exception, databases: dict[str, Database]) -> None:
    def ask(_: str) -> tuple[Row, ...]:
        raise error

    result = ResultTable((ResultColumn("n"),), ((1,),), 1)
    for sql in ("SELECT AVG(minutes) FROM tickets", "SELECT SUM(visits) FROM daily_stats WHERE day < '2026-01-01'"):
        assert find_cautions(sql, databases["shop"].catalog(), result, TODAY, ask) == ()


def test_names_that_are_words_of_sql_are_asked_about_too(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "odd.db")) as odd, odd:
        odd.executescript('CREATE TABLE "group" ("from" DATE, "order" TEXT, "to" NUMERIC);')
        rows = [("2026-01-02", "done", 1), ("2026-01-03", "cancelled", None), ("2026-01-03", "done", 3)]
        odd.executemany('INSERT INTO "group" VALUES (?, ?, ?)', rows * 2)
    database = Database("odd", f"sqlite:///{tmp_path / 'odd.db'}")
    told = {
        """SELECT COUNT("order") FROM "group" WHERE "from" >= '2026-01-01' AND "from" < '2026-05-01'""": (
            "The data of group ends on 2026-01-03, before the period does (2026-04-30)."
        ),
        'SELECT COUNT(*) FROM "group"': "Also counted: 2 cancelled.",
        'SELECT AVG("to") FROM "group"': "33 % of the rows have no to; the figure is over the others.",
    }
    assert {sql: [caution.text for caution in cautions_of(sql, database)] for sql in told} == {
        sql: [text] for sql, text in told.items()
    }


def test_the_sentences_name_what_they_are_about(databases: dict[str, Database]) -> None:
    texts = [
        caution.text
        for sql in (
            "SELECT SUM(o.total) FROM orders o JOIN order_items i ON i.order_id = o.id",
            "SELECT COUNT(*) FROM customers WHERE country = 'Germny'",
        )
        for caution in cautions_of(sql, databases["shop"])
    ]
    assert texts == [
        "The join with order_items repeats rows of orders: SUM(total) may take the same row several times.",
        "There is no country “Germny”; did you mean “Germany”?",
    ]


def test_no_more_notes_than_are_read(databases: dict[str, Database]) -> None:
    sql = """
    SELECT segment, strftime('%Y-%m', o.ordered_on) AS month, SUM(c.credit_limit), AVG(o.discount), SUM(a.balance)
    FROM customers c JOIN orders o ON o.customer_id = c.id JOIN accounts a ON a.customer_id = c.id
    GROUP BY segment, month LIMIT 2
    """
    assert len(cautions_of(sql, databases["shop"])) == MOST


@pytest.mark.parametrize("sql", ["", "SELECT", "EXPLAIN SELECT 1", "DROP TABLE orders", "SELECT 1", "VALUES (1)"])
def test_what_is_no_query_draws_nothing(sql: str, databases: dict[str, Database]) -> None:
    assert find_cautions(sql, databases["shop"].catalog(), ResultTable((), (), 0), TODAY) == ()


@pytest.mark.parametrize(
    ("sql", "whole"),
    [
        ("SELECT strftime('%Y-%m', day) AS m, SUM(rides) FROM days GROUP BY m", "month"),
        ("SELECT DATE(day, 'weekday 0', '-6 days') AS w, SUM(rides) FROM days GROUP BY w", "week"),
        ("SELECT strftime('%Y-%m', day) AS m, SUM(rides) FROM days WHERE day >= '2026-09-01' GROUP BY m", ""),
        ("SELECT strftime('%Y-%m', opened) AS m, COUNT(*) FROM depots GROUP BY m", ""),
    ],
)
def test_a_first_month_that_the_data_begin_in_is_told(sql: str, whole: str, tmp_path: Path) -> None:
    days = [(TODAY - timedelta(days=back), back) for back in range(1, 100)]
    with closing(sqlite3.connect(tmp_path / "rides.db")) as rides, rides:
        rides.executescript("CREATE TABLE days (day DATE, rides INTEGER); CREATE TABLE depots (opened DATE);")
        rides.executemany("INSERT INTO days VALUES (?, ?)", [(day.isoformat(), number) for day, number in days])
        rides.executemany("INSERT INTO depots VALUES (?)", [("2026-08-15",), ("2026-09-20",), ("2026-10-20",)])
    texts = [caution.text for caution in cautions_of(sql, Database("rides", f"sqlite:///{tmp_path / 'rides.db'}"))]
    told = [text for text in texts if "is not whole" in text]
    assert told == (
        [f"The data of days begins on {days[-1][0].isoformat()}, so that {whole} is not whole."] if whole else []
    )
