"""Follow-ups on a stored result without a query: order, choose and name rows and columns, shares, pivot.

DuckDB changes the result step by step. Cells not computed by a step stay exact; rows equal in order keep their places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import chain
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ai.errors import UserError
from ai.results import computing as pc
from ai.results.cells import BY_NAME, MIXED, NOTHING, Block, Way
from ai.results.csv import plain
from ai.results.steps import Columns, Comparison, First, Keep, OneOf, Pivot, Rename, Share, Sort, Step
from ai.results.store import ResultStore, StoredResult
from ai.results.table import ResultColumn, Row

if TYPE_CHECKING:
    import duckdb

PLACE = "place"
BATCH_ROWS = 5_000
MOST_ACROSS = 100
SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "memory_limit": "512MB",
    "threads": 2,
}


@dataclass(frozen=True, slots=True)
class _Frame:
    """A relation on the way, with the titles and ways of its columns and its order."""

    connection: duckdb.DuckDBPyConnection
    relation: duckdb.DuckDBPyRelation
    names: tuple[str, ...]
    columns: tuple[ResultColumn, ...]
    ways: tuple[Way, ...]
    order: tuple[duckdb.Expression, ...]

    def sorted(self) -> duckdb.DuckDBPyRelation:
        return self.relation.sort(*self.order)

    def blocks(self) -> Iterator[Block]:
        import duckdb

        cells = self.sorted().project(*map(duckdb.ColumnExpression, self.names))
        for batch in cells.to_arrow_reader(BATCH_ROWS):
            columns = zip(self.ways, batch.columns, strict=True)
            arrays = (pa.nulls(len(a)) if way is NOTHING else pc.cast(a, way.arrow) for way, a in columns)
            yield Block(self.ways, tuple(arrays))


def reshape(store: ResultStore, handle: str, steps: Sequence[Step], to: str) -> StoredResult:
    """Store what steps make of a result as `to`. Raises `NoResult`, or `UserError` for an impossible step."""
    import duckdb  # few follow-ups change a result

    source = store.describe(handle)
    with closing(duckdb.connect(config=SETTINGS)) as connection:
        frame = _frame(connection, source.columns, store.blocks(handle))
        for step in steps:
            frame = APPLY[type(step)](frame, step)
        return store.under(source.rights).write_blocks(to, frame.columns, frame.blocks(), truncated=source.truncated)


def holding(store: ResultStore, handle: str, text: str) -> tuple[int, ...]:
    """Return the columns holding this text in some row, in any letter case."""
    found: set[int] = set()
    for block in store.blocks(handle):
        for place, (way, array) in enumerate(zip(block.ways, block.arrays, strict=True)):
            if way.name == "text" and pc.any(pc.equal(pc.utf8_lower(array), pa.scalar(text.lower()))).as_py():
                found.add(place)
    return tuple(sorted(found))


def nameless(store: ResultStore, handle: str) -> bool:
    """Whether a row has no name in the first column: tickets of no agent."""
    return any(block.ways[0].name == "text" and block.arrays[0].null_count > 0 for block in store.blocks(handle))


def numeric(store: ResultStore, handle: str) -> tuple[int, ...]:
    """Return the columns of numbers."""
    ways = store.describe(handle).ways
    first = next(iter(store.blocks(handle)), None) if MIXED.name in ways else None
    return tuple(place for place, way in enumerate(ways) if way in NUMBERS or _has_numbers(first, place))


def _has_numbers(block: Block | None, place: int) -> bool:
    if block is None or block.ways[place] != MIXED:
        return False
    values = block.ways[place].read(block.arrays[place])
    return all(value is None or type(value) in (int, float, Decimal) for value in values)


def _frame(connection: duckdb.DuckDBPyConnection, columns: tuple[ResultColumn, ...], blocks: Iterable[Block]) -> _Frame:
    import duckdb

    rest = iter(blocks)
    first = next(rest, None)
    ways = first.ways if first else (NOTHING,) * len(columns)
    names = tuple(f"c{number}" for number in range(len(columns)))
    schema = pa.schema([*map(pa.field, names, (way.arrow for way in ways)), pa.field(PLACE, pa.int64())])
    placed = _placed(chain([first] if first else [], rest), schema)
    relation = connection.from_arrow(pa.RecordBatchReader.from_batches(schema, placed))
    connection.register("cells", relation.to_arrow_table())
    order = (duckdb.ColumnExpression(PLACE),)
    return _Frame(connection, connection.table("cells"), names, columns, ways, order)


def _placed(blocks: Iterable[Block], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    begin = 0
    for block in blocks:
        end = begin + block.row_count
        yield pa.RecordBatch.from_arrays([*block.arrays, pa.array(range(begin, end), pa.int64())], schema=schema)
        begin = end


def _sort(frame: _Frame, step: Sort) -> _Frame:
    import duckdb

    keys = [duckdb.SQLExpression(key) for key in _keys(frame, step.column)]
    ordered = [(key.desc() if step.descending else key.asc()).nulls_last() for key in keys]
    return replace(frame, order=(*ordered, *frame.order))


def _keep(frame: _Frame, step: Keep) -> _Frame:
    import duckdb

    is_text = isinstance(step.value, str)
    cell = duckdb.SQLExpression(f"lower({frame.names[step.column]})" if is_text else _number(frame, step.column))
    value = duckdb.ConstantExpression(step.value.lower() if isinstance(step.value, str) else step.value)
    return replace(frame, relation=frame.relation.filter(COMPARE[step.comparison](cell, value)))


def _among(frame: _Frame, step: OneOf) -> _Frame:
    import duckdb

    cell = duckdb.SQLExpression(f"lower({frame.names[step.column]})")
    values = [duckdb.ConstantExpression(value.lower()) for value in step.values]
    return replace(frame, relation=frame.relation.filter(cell.isnotin(*values) if step.without else cell.isin(*values)))


def _first(frame: _Frame, step: First) -> _Frame:
    return replace(frame, relation=frame.sorted().limit(step.count))


def _columns(frame: _Frame, step: Columns) -> _Frame:
    return replace(
        frame,
        names=tuple(frame.names[place] for place in step.columns),
        columns=tuple(frame.columns[place] for place in step.columns),
        ways=tuple(frame.ways[place] for place in step.columns),
    )


def _rename(frame: _Frame, step: Rename) -> _Frame:
    columns = list(frame.columns)
    columns[step.column] = replace(columns[step.column], name=step.title)
    return replace(frame, columns=tuple(columns))


def _share(frame: _Frame, step: Share) -> _Frame:
    import duckdb

    number, name = _number(frame, step.column), f"c{len(frame.relation.columns)}s"
    share = duckdb.SQLExpression(f"100.0 * CAST({number} AS DOUBLE) / nullif(CAST(sum({number}) OVER () AS DOUBLE), 0)")
    return replace(
        frame,
        relation=frame.relation.project(duckdb.StarExpression(), share.alias(name)),
        names=(*frame.names, name),
        columns=(*frame.columns, ResultColumn(f"{frame.columns[step.column].name} share %")),
        ways=(*frame.ways, BY_NAME["number"]),
    )


def _pivot(frame: _Frame, step: Pivot) -> _Frame:
    _number(frame, step.value)  # says so when there is nothing to add up
    cells: dict[Any, dict[str, Any]] = {}
    across: dict[str, None] = {}
    for row in (row for block in frame.blocks() for row in block.rows()):
        title, value = plain(row[step.across]) if row[step.across] is not None else "none", row[step.value]
        across.setdefault(title)
        found = cells.setdefault(row[step.down], {})
        if value is not None:
            found[title] = found[title] + value if title in found else value
    if len(across) > MOST_ACROSS:
        raise UserError(
            f"That would be {len(across):,} columns, and {MOST_ACROSS} are the most; choose another column."
        )
    rows: list[Row] = [(down, *map(found.get, across)) for down, found in cells.items()]
    columns = (frame.columns[step.down], *map(ResultColumn, across))
    return _frame(frame.connection, columns, [Block.of(rows)] if rows else [])


def _keys(frame: _Frame, column: int) -> tuple[str, ...]:
    name, way = frame.names[column], frame.ways[column].name
    if way == "text":
        return f"lower({name})", name
    if way == "decimal":
        return f"TRY_CAST({name} AS DOUBLE)", f"TRY_CAST({name} AS DECIMAL(38, 10))"
    if way == "mixed":
        number = MIXED_NUMBER.format(name)
        return f"TRY_CAST({number} AS DOUBLE)", f"TRY_CAST({number} AS HUGEINT)", name
    return (name,)


def _number(frame: _Frame, column: int) -> str:
    name, way = frame.names[column], frame.ways[column].name
    if way in NUMBERS:
        return f"TRY_CAST({name} AS DECIMAL(38, 10))" if way == "decimal" else name
    if way == "mixed":
        return f"TRY_CAST({MIXED_NUMBER.format(name)} AS DOUBLE)"
    raise UserError(f"The column {frame.columns[column].name} does not hold numbers; name another column.")


NUMBERS = frozenset({"integer", "number", "decimal"})
MIXED_NUMBER = """nullif(regexp_extract({}, '^\\["[ifd]","([^"]+)"\\]$', 1), '')"""
COMPARE: dict[Comparison, Callable[[duckdb.Expression, duckdb.Expression], duckdb.Expression]] = {
    "=": lambda cell, value: cell == value,
    "!=": lambda cell, value: cell != value,
    "<": lambda cell, value: cell < value,
    "<=": lambda cell, value: cell <= value,
    ">": lambda cell, value: cell > value,
    ">=": lambda cell, value: cell >= value,
}
APPLY: dict[type[Step], Callable[[_Frame, Any], _Frame]] = {
    Sort: _sort,
    Keep: _keep,
    OneOf: _among,
    First: _first,
    Columns: _columns,
    Rename: _rename,
    Share: _share,
    Pivot: _pivot,
}
