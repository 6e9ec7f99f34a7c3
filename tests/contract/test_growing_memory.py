"""A turn looks up rows by indexes alone: none of its statements reads a whole table that grows with every question."""

import sqlite3
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Engine, event, inspect

from ai.types import ThreadKey
from tests.desk import open_desk

BOUNDED = {"alembic_version", "workspace", "rule", "preference", "verified"}  # by what people do now and then
QUESTIONS = ("how many apps are there?", "how many users are there?", "export this as csv", "show me the sql")


def statements_of(engine: Engine) -> list[str]:
    """A list that every statement goes into from now on, as SQLite ran it."""
    heard = list[str]()
    engine.dispose()
    event.listen(engine, "connect", lambda driver, _: driver.set_trace_callback(heard.append))
    return heard


def test_no_statement_of_a_turn_walks_through_a_table_that_grows(tmp_path: Path) -> None:
    with open_desk(tmp_path) as desk:
        engine = desk.memory.parts.engine
        heard = statements_of(engine)
        for question in QUESTIONS:
            thread = ThreadKey("T1", "C1", "1700000000.000001")
            desk.memory.receive(thread, f"T1:C1:{question}", question, "U1", datetime.now(UTC))
            desk.orchestrator.process_message(question, thread)
        growing = set(inspect(engine).get_table_names()) - BOUNDED
        engine.dispose()
        with sqlite3.connect(str(engine.url.database)) as database:
            walks = {
                sql: walked(database, sql, growing) for sql in heard if sql.startswith(("SELECT", "UPDATE", "WITH"))
            }
    assert len(walks) > 20
    assert {sql: found for sql, found in walks.items() if found} == {}


def walked(database: sqlite3.Connection, sql: str, tables: set[str]) -> list[str]:
    plan = [row[3] for row in database.execute(f"EXPLAIN QUERY PLAN {sql}")]
    walks = [step for step in plan if step.startswith("SCAN") and tables & set(step.split()) and "INDEX" not in step]
    return [] if "ORDER BY seal.number DESC" in sql else walks  # from the last row backwards, one step
