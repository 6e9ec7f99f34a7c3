"""Values of PostgreSQL: loaded exactly or as text, and bounded in size."""

from typing import Any

from psycopg import Connection, DataError
from psycopg.abc import AdaptContext, Buffer, Loader
from psycopg.adapt import AdaptersMap
from psycopg.postgres import types
from psycopg.pq import Format
from psycopg.types.string import TextLoader

from ai.sql.engines.port import QueryLimits
from ai.sql.engines.texts import Load

AS_TEXT = (
    "interval inet cidr json jsonb record int4range int8range numrange daterange tsrange tstzrange "
    "int4multirange int8multirange nummultirange datemultirange tsmultirange tstzmultirange"
).split()
WITH_INFINITY = "date timestamp timestamptz time timetz".split()
FIXED_SIZE = frozenset(
    types[name].oid
    for name in (
        "bool int2 int4 int8 float4 float8 oid date time timetz timestamp timestamptz interval uuid money name".split()
    )
)
NUMERIC, NUMERIC_BYTES = types["numeric"].oid, 150_000  # no longer than that as text
BYTES = frozenset({types["bytea"].oid, types["text"].oid, types["varchar"].oid})


KINDS = {
    types[name].oid: kind
    for kind, names in {
        "integer": "int2 int4 int8 oid",
        "number": "float4 float8",
        "boolean": "bool",
        "decimal": "numeric",
        "text": f"text varchar bpchar name {' '.join(AS_TEXT)}",
        "date": "date",
        "datetime": "timestamp",
        "moment": "timestamptz",
    }.items()
    for name in names.split()
}


def load_exactly(adapters: AdaptersMap) -> None:
    for name in AS_TEXT:
        adapters.register_loader(name, TextLoader)
    for name in WITH_INFINITY:
        number = adapters.types[name].oid
        usual = adapters.get_loader(number, Format.TEXT)
        if usual is not None:
            adapters.register_loader(number, _or_text(usual))


def reading_of(session: Connection[Any], number: int) -> tuple[str, Load]:
    """Return the kind ("" for none) and the text loader of a type number."""
    loader = session.adapters.get_loader(number, Format.TEXT) or TextLoader
    load = loader(number, session).load
    return KINDS.get(number, "text" if loader is TextLoader else ""), lambda text: load(text.encode())


def sized(sql: str, described: list[tuple[str, int]], limits: QueryLimits) -> str:
    """Stop a query behind the row limit, and fail it on the server at a big cell."""
    names = [f"c{n}" for n in range(len(described))]
    small = FIXED_SIZE | {NUMERIC} if limits.cell_bytes >= NUMERIC_BYTES else FIXED_SIZE
    sizes = [_size(name, number) for name, (_, number) in zip(names, described, strict=True) if number not in small]
    cut = f"SELECT * FROM (SELECT * FROM ({sql}) AS a LIMIT {limits.rows + 1}) AS q({', '.join(names)})"
    if not sizes:
        return cut
    biggest = f"greatest({', '.join(sizes)})"
    # A cast that fails is the one way to end a query from inside; it must depend on the row, or the planner tries it.
    return (
        f"{cut} WHERE CASE WHEN {biggest} > {limits.cell_bytes}"
        f" THEN CAST('a cell is too big: ' || {biggest} || ' bytes' AS boolean) ELSE true END"
    )


def _size(name: str, number: int) -> str:
    return f"octet_length({name if number in BYTES else f'CAST({name} AS text)'})"


def _or_text(usual: type[Loader]) -> type[Loader]:
    """Build a loader giving text for infinity, years before 1 and after 9999, and 24:00."""

    class OrText(TextLoader):
        def __init__(self, oid: int, context: AdaptContext | None = None) -> None:
            super().__init__(oid, context)
            self._usual = usual(oid, context)

        def load(self, data: Buffer) -> Any:
            try:
                return self._usual.load(data)
            except DataError:
                return super().load(data)

    return OrText
