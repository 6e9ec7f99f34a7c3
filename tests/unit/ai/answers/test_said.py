"""Sentences, headings, cells and readings, as `datathread say` writes them; formats and readings by themselves."""

import json
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from ai.answers.formats import format_of, heading_words, unit_in
from ai.answers.kept import kept
from ai.answers.naming import Names
from ai.answers.phrase import phrased
from ai.answers.reading import reading, reading_in_language
from ai.answers.view import ColumnHint, view_of
from ai.errors import ConfigError
from ai.results import steps
from ai.results.table import ResultColumn, ResultTable
from ai.sql.catalog import Catalog, Column, Table
from ai.sql.facts import facts_of
from ai.sql.semantics import NO_SEMANTICS, Metric, Semantics
from bot.cli.wording import NO_TABLES, said
from tests.cases import cases

HERE = Path(__file__).parent
TODAY = date(2026, 11, 22)


@pytest.mark.parametrize("case", cases(HERE / "said.jsonl"))
def test_said(case: dict[str, Any], tmp_path: Path) -> None:
    item = {"id": "1", "truncated": False, **case}
    (tmp_path / "items.jsonl").write_text(json.dumps(item), "utf-8")
    [line] = said(tmp_path / "items.jsonl", NO_SEMANTICS, case.get("locale", "en-US"), TODAY)
    assert {name: line[name] for name in ("text", "headings", "cells") if name in case} == {
        name: case[name] for name in ("text", "headings", "cells") if name in case
    }
    assert len(str(line["text"]).split()) <= 40


@pytest.mark.parametrize("case", cases(HERE / "kept.jsonl"))
def test_kept_rows(case: dict[str, Any]) -> None:
    facts = facts_of(case["sql"], NO_TABLES, TODAY, NO_SEMANTICS)
    columns = tuple(ResultColumn(output.name) for output in facts.outputs)
    added = tuple(ResultColumn("share") for _ in case["left"][0][len(columns) :]) if case["left"] else ()
    shown, left = (
        ResultTable(held, tuple(map(tuple, rows)), len(rows), truncated=False)
        for held, rows in ((columns, case["rows"]), ((*columns, *added), case["left"]))
    )
    changes = [getattr(steps, name)(*map(step_value, values)) for name, *values in case["steps"]]
    assert kept(view_of(Names(facts, NO_TABLES, TODAY, NO_SEMANTICS), shown), left, changes) == case["text"]


def step_value(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else Decimal(str(value)) if isinstance(value, float) else value


@pytest.mark.parametrize("case", cases(HERE / "german.jsonl"))
def test_said_in_german(case: dict[str, Any]) -> None:
    facts = facts_of(case["sql"], NO_TABLES, TODAY, NO_SEMANTICS)
    names = Names(facts, NO_TABLES, TODAY, NO_SEMANTICS, case["question"], "de_DE", language="de")
    rows = tuple(tuple(row) for row in case["rows"])
    hints = [ColumnHint(column.get("unit") or "", column.get("type") or "") for column in case["columns"]]
    columns = tuple(ResultColumn(column["name"]) for column in case["columns"])
    assert phrased(view_of(names, ResultTable(columns, rows, len(rows), truncated=False), hints)) == case["text"]


@pytest.mark.parametrize("case", cases(HERE / "formats.jsonl"))
def test_formats(case: dict[str, Any]) -> None:
    value = date.fromisoformat(case["day"]) if "day" in case else case["value"]
    by = format_of(case.get("name", "x"), case.get("unit", ""), [value], locale=case.get("locale", "en-US"))
    assert (by.cell(value), by.said(value, today=TODAY)) == (case["cell"], case["said"])


@pytest.mark.parametrize("case", cases(HERE / "names.jsonl"))
def test_the_name_of_a_column_tells_its_unit_and_heads_it(case: dict[str, Any]) -> None:
    assert (unit_in(case["name"]), heading_words(case["name"])) == (case["unit"], case["heading"])


TABLES = (
    Table("app_portfolio", (Column("app_id", "INTEGER", "integer"), Column("name", "TEXT", "text"), Column("platform", "TEXT", "text"), Column("is_active", "BOOLEAN", "boolean")), ("app_id",)),
    Table("daily_metrics", (Column("app_id", "INTEGER", "integer"), Column("day", "DATE", "date"), Column("revenue_usd", "REAL", "number")), ("app_id", "day")),
)  # fmt: skip
SEMANTICS = Semantics(
    metrics=(
        Metric("bad reviews", "reviews", "COUNT(*)", "stars <= 2"),
        Metric("ARPU", "daily_metrics", "SUM(revenue_usd) / COUNT(DISTINCT user_id)"),
    )
)


@pytest.mark.parametrize("case", cases(HERE / "readings.jsonl"))
def test_readings(case: dict[str, Any]) -> None:
    catalog = Catalog("demo", case.get("dialect", "sqlite"), TABLES)
    facts = facts_of(case["sql"], catalog, TODAY, SEMANTICS)
    assert reading(Names(facts, catalog, TODAY, SEMANTICS)) == case["reading"]
    assert reading_in_language(Names(facts, catalog, TODAY, SEMANTICS, "", "de_DE", language="de")) == case["german"]


@pytest.mark.parametrize(
    "line",
    [
        "no json",
        "[]",
        '{"id": 1}',
        '{"id": 1, "question": "", "sql": "", "columns": ["a"], "rows": []}',
        '{"id": 1, "question": "", "sql": "", "columns": [{"name": "a"}], "rows": [[1, 2]]}',
    ],
)
def test_a_line_that_is_no_item_is_named(line: str, tmp_path: Path) -> None:
    (tmp_path / "items.jsonl").write_text(line, "utf-8")
    with pytest.raises(ConfigError, match="line 1"):
        list(said(tmp_path / "items.jsonl", NO_SEMANTICS, "en-US", TODAY))
