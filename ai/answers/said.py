"""Results put into words, from a file: JSON lines with SQL and rows in, lines with text, headings and cells out."""

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from ai.answers.naming import Names
from ai.answers.phrase import phrased
from ai.answers.reading import reading
from ai.answers.view import ColumnHint, view_of
from ai.errors import ConfigError
from ai.json_lines import numbered
from ai.results.table import ResultColumn, ResultTable
from ai.sql.catalog import Catalog
from ai.sql.facts import facts_of
from ai.sql.semantics import Semantics
from ai.types import Json

HOW = "a line is a JSON object with id, question, sql, columns (name, type, unit) and rows (docs/answers.md)"
NO_TABLES = Catalog("", "sqlite", ())
LISTED = ("id", "question", "sql", "columns", "rows")


def said(items: Path, semantics: Semantics, locale: str, today: date) -> Iterator[dict[str, Json]]:
    """Put each result into words; `ConfigError` for a line that is none."""
    for number, line in numbered(items):
        yield _said(_item(line, f"{items}, line {number}"), semantics, locale, today)


def _said(item: dict[str, Any], semantics: Semantics, locale: str, today: date) -> dict[str, Json]:
    facts = facts_of(item["sql"], NO_TABLES, today, semantics)
    names = Names(facts, NO_TABLES, today, semantics, item["question"], locale)
    rows = tuple(tuple(row) for row in item["rows"])
    columns = tuple(ResultColumn(column["name"]) for column in item["columns"])
    result = ResultTable(columns, rows, len(rows), bool(item.get("truncated")))
    hints = [ColumnHint(column.get("unit") or "", column.get("type") or "") for column in item["columns"]]
    view = view_of(names, result, hints)
    return {
        "id": item["id"],
        "text": phrased(view),
        "headings": list(view.headings),
        "cells": [list(row) for row in view.cells(len(rows))],
        "reading": reading(names),
        "chart": None,
    }


def _item(line: str, where: str) -> dict[str, Any]:
    try:
        item: dict[str, Any] = json.loads(line)
    except ValueError:
        raise ConfigError(f"{where}: not JSON; {HOW}.") from None
    if not isinstance(item, dict) or not all(name in item for name in LISTED):
        raise ConfigError(f"{where}: something is missing; {HOW}.")
    columns, rows = item["columns"], item["rows"]
    named = isinstance(columns, list) and all(isinstance(c, dict) and isinstance(c.get("name"), str) for c in columns)
    if not named or not isinstance(rows, list) or not all(isinstance(r, list) and len(r) == len(columns) for r in rows):
        raise ConfigError(f"{where}: columns have names, and each row has a cell for each; {HOW}.")
    return item
