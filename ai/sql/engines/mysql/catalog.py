"""The catalogue of a MariaDB or MySQL database, in three queries for any number of tables."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from ai.sql.catalog import Catalog, Column, ForeignKey, Kind, Table

Read = Callable[[str], Sequence[Sequence[Any]]]

FINGERPRINT = """
    SELECT COUNT(*),
      SUM(CRC32(CONCAT_WS(' ', table_name, column_name, column_type, is_nullable, column_key, column_comment)))
    FROM information_schema.columns WHERE table_schema = DATABASE()
"""
STORED = """
    SELECT table_name FROM information_schema.tables
    WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'
"""
RELATIONS = """
    SELECT table_name, table_rows, IF(table_type = 'VIEW', '', table_comment) FROM information_schema.tables
    WHERE table_schema = DATABASE() AND table_type IN ('BASE TABLE', 'VIEW', 'SYSTEM VERSIONED')
    ORDER BY create_time, table_name
"""
COLUMNS = """
    SELECT table_name, column_name, column_type, data_type, is_nullable = 'YES', column_comment
    FROM information_schema.columns WHERE table_schema = DATABASE() ORDER BY table_name, ordinal_position
"""
KEYS = """
    SELECT table_name, constraint_name, column_name, referenced_table_name, referenced_column_name
    FROM information_schema.key_column_usage
    WHERE table_schema = DATABASE() AND (constraint_name = 'PRIMARY' OR referenced_table_schema = DATABASE())
    ORDER BY table_name, constraint_name, ordinal_position
"""
KINDS: dict[str, Kind] = {
    **dict.fromkeys(("tinyint", "smallint", "mediumint", "int", "bigint", "year"), "integer"),
    **dict.fromkeys(("decimal", "float", "double"), "number"),
    **dict.fromkeys(("char", "varchar", "tinytext", "text", "mediumtext", "longtext", "enum", "set"), "text"),
    **dict.fromkeys(("binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob", "bit"), "binary"),
    **dict.fromkeys(("datetime", "timestamp"), "datetime"),
    "date": "date",
}


def tables(source: str, schema: str, read: Read) -> Catalog:
    columns: dict[str, list[Column]] = defaultdict(list)
    for owner, *described in read(COLUMNS):
        columns[owner].append(_column(*described))
    primary, foreign = _keys(read(KEYS))
    found = (
        Table(name, tuple(columns[name]), tuple(primary[name]), tuple(foreign[name]), rows, comment or "")
        for name, rows, comment in read(RELATIONS)
    )
    return Catalog(source, "mysql", tuple(found), schema)


@lru_cache(4096)  # of thousands of columns, most are described as another one is
def _column(name: str, declared: str, kind: str, nullable: int, comment: str | None) -> Column:
    return Column(name, declared, kind_of(declared, kind), bool(nullable), comment or "")


def kind_of(declared: str, kind: str) -> Kind:
    """Return the kind of a type; BOOLEAN is stored as TINYINT(1)."""
    return "boolean" if declared.lower().startswith("tinyint(1)") else KINDS.get(kind.lower(), "other")


def _keys(found: Sequence[Sequence[Any]]) -> tuple[dict[str, list[str]], dict[str, list[ForeignKey]]]:
    primary: dict[str, list[str]] = defaultdict(list)
    pairs: dict[tuple[str, str, str], list[tuple[str, str]]] = defaultdict(list)
    for owner, key, here, target, there in found:
        if target is None:
            primary[owner].append(here)
        else:
            pairs[owner, key, target].append((here, there))
    foreign: dict[str, list[ForeignKey]] = defaultdict(list)
    for (owner, _, target), links in pairs.items():
        foreign[owner].append(ForeignKey(tuple(h for h, _ in links), target, tuple(t for _, t in links)))
    return primary, foreign
