"""The catalogue of a PostgreSQL schema as far as the role may read it, in a handful of queries."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from ai.sql.catalog import Catalog, Column, ForeignKey, Kind, Table

Rows = Sequence[Sequence[Any]]
Read = Callable[[str], Rows]

FINGERPRINT = """
    SELECT current_schema(), count(*), sum(a.xmin::text::bigint), sum(c.xmin::text::bigint),
      (SELECT sum(k.xmin::text::bigint) FROM pg_constraint AS k WHERE k.connamespace = current_schema()::regnamespace),
      (SELECT sum(d.xmin::text::bigint) FROM pg_description AS d WHERE d.classoid = 'pg_class'::regclass)
    FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
"""
STORED = """
    SELECT relname FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'm') AND NOT relispartition
"""
RELATIONS = """
    SELECT c.oid::bigint, c.relname, c.reltuples::bigint, coalesce(obj_description(c.oid, 'pg_class'), '')
    FROM pg_class AS c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
      AND NOT c.relispartition
    ORDER BY c.oid
"""
COLUMNS = """
    SELECT a.attrelid::bigint, a.attname, a.atttypid::bigint, a.atttypmod, NOT a.attnotnull, a.attnum
    FROM (SELECT oid, has_table_privilege(oid, 'SELECT') AS readable FROM pg_class
          WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')
            AND NOT relispartition OFFSET 0) AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
    WHERE a.attnum > 0 AND NOT a.attisdropped
      AND (c.readable OR has_column_privilege(a.attrelid, a.attnum, 'SELECT'))
    ORDER BY a.attrelid, a.attnum
"""
TYPES = """
    SELECT u.type::bigint, u.modifier, format_type(u.type, u.modifier), b.typname, b.typcategory
    FROM (SELECT DISTINCT a.atttypid AS type, a.atttypmod AS modifier
          FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
          WHERE c.relnamespace = current_schema()::regnamespace AND a.attnum > 0) AS u
      JOIN pg_type AS t ON t.oid = u.type JOIN pg_type AS b ON b.oid = coalesce(nullif(t.typbasetype, 0), t.oid)
"""
COMMENTS = """
    SELECT d.objoid::bigint, d.objsubid, d.description FROM pg_description AS d JOIN pg_class AS c ON c.oid = d.objoid
    WHERE d.classoid = 'pg_class'::regclass AND c.relnamespace = current_schema()::regnamespace AND d.objsubid > 0
"""
KEYS = """
    SELECT k.conrelid::bigint, k.contype, k.confrelid::bigint,
      ARRAY(SELECT a.attname::text FROM unnest(k.conkey) WITH ORDINALITY AS u(number, place)
            JOIN pg_attribute AS a ON a.attrelid = k.conrelid AND a.attnum = u.number ORDER BY u.place),
      ARRAY(SELECT a.attname::text FROM unnest(k.confkey) WITH ORDINALITY AS u(number, place)
            JOIN pg_attribute AS a ON a.attrelid = k.confrelid AND a.attnum = u.number ORDER BY u.place)
    FROM pg_constraint AS k
    WHERE k.connamespace = current_schema()::regnamespace AND k.contype IN ('p', 'f')
    ORDER BY k.oid
"""
KINDS: dict[str, Kind] = {
    "int2": "integer",
    "int4": "integer",
    "int8": "integer",
    "date": "date",
    "timestamp": "datetime",
    "timestamptz": "datetime",
    "bytea": "binary",
}
CATEGORIES: dict[str, Kind] = {"N": "number", "S": "text", "E": "text", "B": "boolean"}


def tables(source: str, read: Read) -> Catalog:
    ((schema,),) = read("SELECT coalesce(current_schema(), '')")
    columns = _columns(read(COLUMNS), read(TYPES), read(COMMENTS))
    relations = [relation for relation in read(RELATIONS) if columns[relation[0]]]
    primary, foreign = _keys(read(KEYS), {owner: name for owner, name, *_ in relations})
    return Catalog(
        source,
        "postgres",
        tuple(
            Table(name, tuple(columns[owner]), primary.get(owner, ()), tuple(foreign[owner]), _estimate(rows), comment)
            for owner, name, rows, comment in relations
        ),
        schema,
    )


def _columns(found: Rows, types: Rows, comments: Rows) -> dict[int, list[Column]]:
    described = {(number, modifier): (name, kind_of(*base)) for number, modifier, name, *base in types}
    said = {(owner, place): comment for owner, place, comment in comments}
    made = cache(Column)
    columns: dict[int, list[Column]] = defaultdict(list)
    for owner, name, number, modifier, nullable, place in found:
        columns[owner].append(made(name, *described[number, modifier], nullable, said.get((owner, place), "")))
    return columns


def kind_of(base: str, category: str) -> Kind:
    return KINDS.get(base) or CATEGORIES.get(category, "other")


def _estimate(rows: int) -> int | None:
    return rows if rows >= 0 else None


def _keys(
    found: Sequence[Sequence[Any]], names: dict[int, str]
) -> tuple[dict[int, tuple[str, ...]], dict[int, list[ForeignKey]]]:
    primary: dict[int, tuple[str, ...]] = {}
    foreign: dict[int, list[ForeignKey]] = defaultdict(list)
    for owner, kind, target, here, there in found:
        if kind == "p":
            primary[owner] = tuple(here)
        elif target in names:
            foreign[owner].append(ForeignKey(tuple(here), names[target], tuple(there)))
    return primary, foreign
