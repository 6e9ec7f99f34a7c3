"""States and traces as documents of the search."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Table, and_, false, func, or_, select

from ai.memory.search.scope import QUERY_BIT, STATE_BIT, Saved, Scope, WorkspaceScope
from ai.memory.workspaces.tables import STATE, TRACE

STATES, TRACES = QUERY_BIT | STATE_BIT, QUERY_BIT  # what is added to their own numbers
OWN = STATE_BIT - 1
Which = Callable[[Table], ColumnElement[bool]]


def size(connection: Connection) -> int:
    numbers = select(
        func.coalesce(select(func.max(STATE.c.number)).scalar_subquery(), 0)
        + func.coalesce(select(func.max(TRACE.c.id)).scalar_subquery(), 0)
    )
    found: int = connection.execute(numbers).scalar_one()
    return found


def inside(table: Table, scope: Scope, within: WorkspaceScope) -> ColumnElement[bool]:
    column = table.c
    bounds: list[ColumnElement[bool]] = [column.workspace_id == within.workspace]
    if table is STATE:
        bounds.append(column.source.in_(("", within.source)))
    else:
        bounds += [column.team == within.team, column.channel == within.channel]
    bounds += [column.turn_id != scope.except_turn] if scope.except_turn is not None else []
    bounds += [column.created_at >= scope.since] if scope.since is not None else []
    bounds += [column.created_at < scope.until] if scope.until is not None else []
    return and_(*bounds)


def numbered(numbers: Collection[int]) -> Which:
    states = [number & OWN for number in numbers if number & STATE_BIT]
    traces = [number & OWN for number in numbers if not number & STATE_BIT]
    return lambda table: STATE.c.number.in_(states) if table is STATE else TRACE.c.id.in_(traces)


def having(needles: Sequence[str]) -> Which:
    return lambda table: or_(false(), *(table.c.said.icontains(needle, autoescape=True) for needle in needles))


def newest(connection: Connection, scope: Scope, which: Which, most: int) -> list[tuple[int, Saved]]:
    """Return the newest states and traces with their numbers, `most` of each."""
    found: list[tuple[int, Saved]] = []
    if scope.within is None:
        return found
    if "state" in scope.kinds:
        states = select(STATE).where(inside(STATE, scope, scope.within), which(STATE))
        rows = connection.execute(states.order_by(STATE.c.number.desc()).limit(most))
        found += [(STATES | row.number, _state(row)) for row in rows]
    if "trace" in scope.kinds:
        traces = select(TRACE).where(inside(TRACE, scope, scope.within), which(TRACE))
        rows = connection.execute(traces.order_by(TRACE.c.id.desc()).limit(most))
        found += [(TRACES | row.id, _trace(row)) for row in rows]
    return found


def _state(row: Row[Any]) -> Saved:
    return Saved("state", row.said, row.created_at, row.turn_id, context={"name": row.name})


def _trace(row: Row[Any]) -> Saved:
    return Saved("trace", row.said, row.created_at, row.turn_id, row.tool, {"sessionId": row.session, **row.context})
