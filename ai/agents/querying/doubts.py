"""Doubts about a result, as sentences for the model repairing the SQL. Pure."""

from datetime import date

from ai.analysts.port import Expected
from ai.results.table import ResultTable
from ai.sql.catalog import Catalog
from ai.sql.cautions import find_cautions, finds_nothing


def doubt(expects: Expected, sql: str, table: ResultTable, catalog: Catalog, today: date) -> str:
    """Describe a wrong shape, all NULL, or no rows for a misspelt value; "" without doubt."""
    if not expects:
        return ""
    return _misspelt(sql, table, catalog, today) or _empty(expects, table) or _misshapen(expects, table)


def _misspelt(sql: str, table: ResultTable, catalog: Catalog, today: date) -> str:
    if not finds_nothing(table):
        return ""
    near = (caution.text for caution in find_cautions(sql, catalog, table, today) if caution.kind == "near")
    return " ".join(near)


def _empty(expects: Expected, table: ResultTable) -> str:
    if not table.row_count and expects != "rows":
        return "It gives no row, though one was expected."
    return "It gives nothing but NULL." if table.row_count and _is_all_null(table) else ""


def _misshapen(expects: Expected, table: ResultTable) -> str:
    rows, columns = table.row_count, len(table.columns)
    if expects == "value" and (rows, columns) != (1, 1):
        return f"One cell was expected, but it gives {rows} rows of {columns} columns."
    if expects == "row" and rows != 1:
        return f"One row was expected, but it gives {rows}."
    return ""


def _is_all_null(table: ResultTable) -> bool:
    return table.row_count == len(table.rows) and all(cell is None for row in table.rows for cell in row)
