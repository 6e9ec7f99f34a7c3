"""Columns of PostgreSQL as fields of our CSV, written by the server: one expression per type.

Queries with other types (arrays, times of day) or a single column, written by COPY in its own way, are left out.
"""

from collections.abc import Sequence
from typing import Any

from psycopg import Connection
from psycopg.postgres import types

from ai.results.csv import DISARMED_REST, INVISIBLE, REST, SIGNED_NUMBER, SIGNS
from ai.sql.engines.postgres.values import reading_of

TEXT = "CAST({0} AS text)"
AS_WRITTEN = "CASE WHEN num_nonnulls({0}) = 1 THEN concat({0}) END"  # a cast would cut the blanks off a char(n)
NUMBER = (
    "CASE WHEN abs({0}) >= 1e15 AND abs({0}) < 1e16 THEN CAST(CAST(CAST({0} AS text) AS numeric) AS text)"
    " ELSE CAST({0} AS text) END"
)
LONG_AGO = "CASE WHEN {0} = '-infinity' THEN '{1}-infinity'"  # the one text of these types that looks like a formula
DATE = f"{LONG_AGO} ELSE CAST({{0}} AS text) END"
MOMENT = (
    f"{LONG_AGO} WHEN {{0}} < '0001-01-01' OR {{0}} >= '10000-01-01' THEN CAST({{0}} AS text)"
    " WHEN date_trunc('second', {0}) = {0} THEN replace(CAST({0} AS text), ' ', 'T')%s"
    " ELSE to_char({0}, 'YYYY-MM-DD\"T\"HH24:MI:SS.US')%s END"
)
FIELDS = {
    types[name].oid: field
    for names, field in {
        "int2 int4 int8 oid numeric bytea uuid": "{0}",
        "bool": TEXT,
        "float4": NUMBER.format("CAST(CAST({0} AS text) AS float8)"),
        "float8": NUMBER,
        "date": DATE,
        "timestamp": MOMENT % ("", ""),
        "timestamptz": MOMENT % (" || ':00'", " || '+00:00'"),
    }.items()
    for name in names.split()
}
TEXTS = dict.fromkeys((types[name].oid for name in ("text", "varchar", "name")), TEXT)
# Nearly all texts are empty or begin with a letter or a digit, which is quickly seen.
START = (
    "CASE WHEN ascii({0}) BETWEEN 65 AND 126 OR ascii({0}) BETWEEN 48 AND 57 OR ascii({0}) = 0 THEN {0}"
    f" WHEN {{0}} COLLATE \"C\" ~ '^(?:[{INVISIBLE}]*[{SIGNS}]|[\t\r\n])' AND {{0}} COLLATE \"C\" !~ '{SIGNED_NUMBER}'"
    " THEN '''' || {0} ELSE {0} END"
)
CUT, CUT_DISARMED = REST.replace(r"\x00", ""), DISARMED_REST.replace("'", "''")  # no text has a NUL there
GUARD = (
    f"CASE WHEN {{0}} COLLATE \"C\" ~ '{CUT}' THEN regexp_replace({START}, '{CUT}', '{CUT_DISARMED}', 'g')"
    f" ELSE {START} END"
)


def csv_of(session: Connection[Any], sql: str, kinds: Sequence[int], *, formula_guard: bool) -> str | None:
    """Wrap a query with the columns c0, c1 … into one of CSV fields, if that can be."""
    if len(kinds) < 2 or session.info.parameter_status("server_encoding") != "UTF8":
        return None
    fields = [_field(session, f"c{n}", kind, formula_guard) for n, kind in enumerate(kinds)]
    if None in fields:
        return None
    return f"SELECT {', '.join(map(str, fields))} FROM ({sql}) AS f"


def _field(session: Connection[Any], name: str, kind: int, formula_guard: bool) -> str | None:
    if kind in FIELDS:
        return FIELDS[kind].format(name, "''" if formula_guard else "")
    field = TEXTS.get(kind) or (AS_WRITTEN if reading_of(session, kind)[0] == "text" else None)
    if field is None:
        return None
    return GUARD.format(field.format(name)) if formula_guard else field.format(name)
