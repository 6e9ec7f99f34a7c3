"""Files for `datathread say` and `datathread figures`: JSON lines with results in, lines with words or verdicts out."""

import json
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from ai.answers.filled import sheet_of_rows, written
from ai.answers.naming import Names
from ai.answers.phrase import phrased
from ai.answers.reading import reading
from ai.answers.view import ColumnHint, view_of
from ai.charts import ChartDesign, chosen
from ai.errors import ConfigError
from ai.files.json_lines import numbered
from ai.results.table import ResultColumn, ResultTable
from ai.sql.catalog import Catalog
from ai.sql.facts import facts_of
from ai.sql.semantics import Semantics
from ai.types import Json

NO_TABLES = Catalog("", "sqlite", ())
RESULTS = {"id": object, "question": str, "sql": str, "columns": list, "rows": list}
TEXTS = {"id": object, "text": str, "columns": list, "rows": list}


def said(items: Path, semantics: Semantics, locale: str, today: date) -> Iterator[dict[str, Json]]:
    """Put each result into words. Raises `ConfigError` for a line that is none."""
    for item in _items(items, RESULTS, "name, type and unit"):
        facts = facts_of(item["sql"], NO_TABLES, today, semantics)
        names = Names(facts, NO_TABLES, today, semantics, item["question"], locale)
        rows = tuple(tuple(row) for row in item["rows"])
        columns = tuple(ResultColumn(column["name"]) for column in item["columns"])
        hints = [ColumnHint(column.get("unit") or "", column.get("type") or "") for column in item["columns"]]
        view = view_of(names, ResultTable(columns, rows, len(rows), bool(item.get("truncated"))), hints)
        shown: dict[str, Json] = {"headings": [*view.headings], "cells": [[*row] for row in view.cells(len(rows))]}
        chart = columns_of(chosen(view), [column.name for column in columns])
        yield {"id": item["id"], "text": phrased(view), **shown, "reading": reading(names), "chart": chart}


def columns_of(design: ChartDesign, names: Sequence[str]) -> dict[str, Json]:
    """Return a chart's kind with the names of its columns; several figures are a list."""

    def name(at: int | None) -> str | None:
        return None if at is None else names[at]

    figures: list[Json] = [names[at] for at in design.y]
    y: Json = figures[0] if len(figures) == 1 else figures or None
    return {"kind": design.kind, "x": name(design.x), "y": y, "series": name(design.series)}


def checked(items: Path) -> Iterator[dict[str, Json]]:
    """Judge each text with slots. Raises `ConfigError` for a line that is none."""
    for item in _items(items, TEXTS, ""):
        sheet = sheet_of_rows(item["columns"], item["rows"])
        found = written(item["text"], sheet, question=item.get("question", ""))
        yield {"id": item["id"], "ok": not found.unbound, "unbound": [*found.unbound]}


def _items(path: Path, needed: dict[str, type], parts: str) -> Iterator[dict[str, Any]]:
    how = f"a line is a JSON object with {', '.join(needed)} (docs/answers.md)"
    for number, line in numbered(path):
        where = f"{path}, line {number}"
        try:
            item = json.loads(line)
        except ValueError:
            raise ConfigError(f"{where}: not JSON; {how}.") from None
        if not isinstance(item, dict) or not all(isinstance(item.get(n), t) and n in item for n, t in needed.items()):
            raise ConfigError(f"{where}: something is missing; {how}.")
        if not all(_is_column(column, with_parts=bool(parts)) for column in item["columns"]):
            raise ConfigError(f"{where}: columns are {f'objects with {parts}' if parts else 'names'}; {how}.")
        if not all(isinstance(row, list) and len(row) == len(item["columns"]) for row in item["rows"]):
            raise ConfigError(f"{where}: each row is a list with a cell for each column; {how}.")
        yield item


def _is_column(column: object, *, with_parts: bool) -> bool:
    return isinstance(column, dict) and isinstance(column.get("name"), str) if with_parts else isinstance(column, str)
