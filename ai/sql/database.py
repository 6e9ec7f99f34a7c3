"""The only door to a user's database: runs checked queries within limits, in flat memory."""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from functools import partial
from time import monotonic

import pyarrow as pa

from ai.errors import ConfigError, QueryEnded, QueryFailed, SourceUnavailable, SqlRefused, Stopped
from ai.results import computing as pc
from ai.results.cells import Block
from ai.results.csv import Lines
from ai.results.table import Row
from ai.sql.catalog import Catalog
from ai.sql.dialects import Dialect, dialect_of, parse_url
from ai.sql.engines import (
    Backend,
    CsvBackend,
    KeptCatalog,
    Piece,
    QueryLimits,
    RightsDrift,
    RowStream,
    hold,
    open_backend,
    roles_of,
)
from ai.sql.gate import Gate
from ai.sql.guard import Checked, KeptChecks
from ai.sql.preflight import Cost, cost_of
from ai.sql.restrictions import RightsMisfit, misfits
from ai.sql.rights import EVERYTHING, Rights, SourceRights, visible
from ai.stopping import NEVER, Stop

__all__ = ["Database", "QueryLimits", "RowStream"]
LONG_SECONDS = 1.0  # after which a query leaves its place to another one


def unheard(_: str) -> None:
    return


class Database:
    """One user database. Safe for many threads."""

    def __init__(
        self,
        name: str,
        url: str,
        *,
        limits: QueryLimits | None = None,
        rights: SourceRights | Rights = EVERYTHING,
        ceiling: float | None = None,
        on_refusal: Callable[[str], object] = unheard,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """Connect to nothing yet; `ConfigError` for an unknown kind of URL."""
        self.name = name
        self._url = url
        self.dialect: Dialect = dialect_of(url)
        self.limits = limits or QueryLimits()
        given = SourceRights(rights) if isinstance(rights, Rights) else rights
        self._granted = given.within(_own_schema(url, self.dialect))
        self._rights = self._granted.of(())
        self._backend = self._opened(self.limits)
        self._ceiling = ceiling
        self._gate = Gate(self.limits.at_once, leaves_after=LONG_SECONDS)
        self._kept = KeptCatalog(name, self._backend, self._examine, clock)
        self._checks = KeptChecks()
        self._on_refusal = on_refusal

    def seen_by(self, roles: Collection[str]) -> "Database":
        """Return the database as seen with these roles."""
        view = copy(self)
        view._rights = self._granted.of(roles)  # noqa: SLF001 - a copy of its own
        return view

    def within(self, limits: QueryLimits) -> "Database":
        """Return the database within other limits: own connections, the same catalogue."""
        other = copy(self)
        other.limits = limits
        other._backend = self._opened(limits)  # noqa: SLF001 - a copy of its own
        other._gate = Gate(limits.at_once, leaves_after=LONG_SECONDS)  # noqa: SLF001
        return other

    def _opened(self, limits: QueryLimits) -> Backend:
        return open_backend(self.dialect, self._url, replace(limits, blind=self._granted.hide_rows))

    @property
    def is_restricted(self) -> bool:
        return self._rights.restrict

    @property
    def has_rights(self) -> bool:
        """Whether anything is kept back from anybody."""
        return any(rights.restrict for rights in self._granted.every)

    def right_of(self, roles: Collection[str]) -> str:
        """Return the name of the right under these roles."""
        return self._granted.name_of(roles)

    def catalog(self) -> Catalog:
        """Return the readable catalogue."""
        return visible(self._kept.whole(), self._rights)

    def check(self, sql: str) -> Checked:
        """Let a query through, or raise `SqlRefused`; `on_refusal` hears of its layer."""
        try:
            return self._checked(sql)
        except SqlRefused as refusal:
            self._on_refusal(refusal.layer)
            raise

    def _checked(self, sql: str) -> Checked:
        return self._checks.check(sql, self._kept.whole(), self._rights)

    def opens(self, sql: str) -> bool:
        """Whether nothing read by a query is kept back, nor by the conditions on rows of others."""
        try:
            checked = self._checked(sql)
        except SqlRefused:
            return False
        tables = filter(None, map(self._kept.whole().table, checked.tables))
        return not checked.mark and not any(
            self._granted.told_by_rows(table) & {*self._rights.denied_columns(table), *self._rights.masks_of(table)}
            for table in tables
        )

    def misfits(self) -> tuple[RightsMisfit, ...]:
        """List what of the rights, of everybody and all roles, does not fit the tables."""
        return tuple(misfits(self._granted, self._backend.tables(self.name)))

    def hold_rights(self, *, keep: bool) -> RightsDrift:
        """Write the rights of everybody and all roles into the engine if `keep`; compare otherwise."""
        return hold(self._url, roles_of(self.name, self._granted, self._kept.whole()), keep=keep)

    def _examine(self, catalog: Catalog) -> None:
        """Read nothing under rights that might leave open what they name."""
        if found := next((one for one in misfits(self._granted, catalog) if not one.is_grant), None):
            raise SourceUnavailable(
                f"The rights on {self.name} do not fit its tables, so nothing of it is read; "
                f"an owner has to mend them with `datathread check`."
            ) from ConfigError(str(found))

    def ping(self) -> None:
        """Return when the database can be read, or raise `SourceUnavailable`."""
        self._backend.fingerprint()

    @contextmanager
    def run(self, checked: Checked, stop: Stop = NEVER) -> Iterator[RowStream[Block]]:
        """Run a checked query; take its rows inside the `with` block.

        Raises `QueryEnded`, `QueryFailed`, `SourceUnavailable`, `SqlRefused` by the engine, or `Stopped`, while
        iterating too.
        """
        with self._gate.place(stop), _stopped_by(stop), self._backend.ask(checked.sql, stop) as answer:
            yield RowStream(answer.columns, _bounded(answer.blocks, self.limits))

    @contextmanager
    def run_for_csv(
        self, checked: Checked, *, formula_guard: bool, stop: Stop = NEVER
    ) -> Iterator[RowStream[Block | Lines]]:
        """Run a query for a CSV file; servers writing CSV are several times as fast."""
        if not isinstance(self._backend, CsvBackend):
            with self.run(checked, stop) as rows:
                yield RowStream[Block | Lines](rows.columns, rows.blocks)
            return
        asked = partial(self._backend.ask_csv, checked.sql, formula_guard=formula_guard, stop=stop)
        with self._gate.place(stop), _stopped_by(stop), asked() as answer:
            yield RowStream[Block | Lines](answer.columns, _bounded(answer.blocks, self.limits))

    def cost(self, checked: Checked) -> Cost | None:
        """Estimate the cost, if the database tells; raises as `run` does."""
        return cost_of(self.dialect.name, checked.sql, self._plan)

    def advice(self, sql: str) -> str:
        """Warn of a query dearer than usual here, else return ""."""
        if self._ceiling is None:
            return ""
        try:
            checked = self._checked(sql)
            cost = None if checked.mark else self.cost(checked)  # an estimate tells of rows that are kept back
        except (QueryEnded, QueryFailed, SourceUnavailable, SqlRefused):  # what is wrong, the query itself will say
            return ""
        if cost is None or cost.amount <= self._ceiling:
            return ""
        return f"This query costs {cost}, more than the {self._ceiling:,.0f} that are usual here."

    def _plan(self, statement: str) -> list[Row]:
        with self._backend.ask(statement) as answer:
            return [row for block in answer.blocks for row in block.rows()]

    def close(self) -> None:
        self._backend.close()


def _own_schema(url: str, dialect: Dialect) -> str:
    return parse_url(url).database or "" if dialect.name == "mysql" else ""


@contextmanager
def _stopped_by(stop: Stop) -> Iterator[None]:
    try:
        yield
    except (QueryEnded, QueryFailed, SourceUnavailable, SqlRefused) as error:
        if stop.is_called:  # an interrupted query looks like a failed one
            raise Stopped from error
        raise


def _bounded(blocks: Iterable[Piece], limits: QueryLimits) -> Iterator[Piece]:
    rows, size = limits.rows, limits.bytes
    for block in blocks:
        if isinstance(block, Block):
            _check_cells(block, limits.cell_bytes)
        fitting = min(block.fitting(size), rows)
        if fitting < block.row_count:
            yield block.part(0, fitting + 1)
            return
        yield block
        rows, size = rows - block.row_count, size - block.size


def _check_cells(block: Block, most: int) -> None:
    for way, array in zip(block.ways, block.arrays, strict=True):
        if way.name in ("text", "binary") and isinstance(array, pa.StringArray | pa.BinaryArray):
            biggest = pc.max(pc.binary_length(array)).as_py()
            if biggest is not None and biggest > most:
                raise QueryFailed(f"a cell is too big: more than {most} bytes")
