"""The catalogue of a DuckDB file, in three queries for any number of tables."""

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from ai.sql.catalog import Catalog, Column, ForeignKey, Kind, Table

Rows = Sequence[Sequence[Any]]

HERE = "database_name = current_database() AND schema_name = 'main'"
STORED = f"SELECT table_name FROM duckdb_tables() WHERE {HERE} AND NOT internal"
FINGERPRINT = f"""
    SELECT (SELECT md5(string_agg(concat_ws(' ', table_name, column_name, data_type, is_nullable, comment), ','
              ORDER BY table_name, column_index)) FROM duckdb_columns() WHERE {HERE}),
      (SELECT md5(string_agg(constraint_text, ',' ORDER BY table_oid, constraint_index))
         FROM duckdb_constraints() WHERE {HERE})
"""
RELATIONS = f"""
    SELECT table_name, estimated_size, comment, table_oid FROM duckdb_tables() WHERE {HERE} AND NOT internal
    UNION ALL SELECT view_name, NULL, comment, view_oid FROM duckdb_views() WHERE {HERE} AND NOT internal
    ORDER BY 4
"""
COLUMNS = f"""
    SELECT table_name, column_name, data_type, is_nullable, comment FROM duckdb_columns()
    WHERE {HERE} AND NOT internal ORDER BY table_name, column_index
"""
KEYS = f"""
    SELECT table_name, constraint_type, constraint_column_names, referenced_table, referenced_column_names
    FROM duckdb_constraints()
    WHERE {HERE} AND constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY') ORDER BY table_oid, constraint_index
"""
QUERIES = (RELATIONS, COLUMNS, KEYS)
KINDS: dict[str, Kind] = {
    "VARCHAR": "text",
    "ENUM": "text",
    "DATE": "date",
    "BOOLEAN": "boolean",
    "BLOB": "binary",
    "FLOAT": "number",
    "DOUBLE": "number",
    "DECIMAL": "number",
    "UINTEGER": "integer",
}


def tables(source: str, relations: Rows, described: Rows, constraints: Rows) -> Catalog:
    """Build the catalogue of the main schema from the answers to `QUERIES`."""
    columns: dict[str, list[Column]] = defaultdict(list)
    for owner, *description in described:
        columns[owner].append(_column(*description))
    primary: dict[str, tuple[str, ...]] = {}
    foreign: dict[str, list[ForeignKey]] = defaultdict(list)
    for owner, kind, here, target, there in constraints:
        if kind == "PRIMARY KEY":
            primary[owner] = tuple(here)
        else:
            foreign[owner].append(ForeignKey(tuple(here), target, tuple(there)))
    found = (
        Table(name, tuple(columns[name]), primary.get(name, ()), tuple(foreign[name]), rows, comment or "")
        for name, rows, comment, _ in relations
    )
    return Catalog(source, "duckdb", tuple(found), "main")


@lru_cache(4096)  # of thousands of columns, most are described as another one is
def _column(name: str, declared: str, nullable: bool, comment: str | None) -> Column:
    return Column(name, declared, kind_of(declared), nullable, comment or "")


def kind_of(declared: str) -> Kind:
    name = declared.partition("(")[0].strip()
    if declared.endswith("]"):
        return "other"
    if name.startswith("TIMESTAMP"):
        return "datetime"
    return KINDS.get(name) or ("integer" if name.endswith("INT") or name == "INTEGER" else "other")
