"""Traces: every call of a tool with parameters, the beginning of its result, and its duration."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import monotonic
from typing import Any, TypeVar

from sqlalchemy import Engine, Row, Select, insert, select

from ai.errors import UserError
from ai.memory.log.database import reading, writing
from ai.memory.log.tables import in_thread
from ai.memory.workspaces.tables import TRACE
from ai.memory.workspaces.workspaces import Workspaces
from ai.types import Json, Place, ThreadKey

T = TypeVar("T")
KEPT_CHARACTERS = 2000


@dataclass(frozen=True, slots=True)
class TracedCall:
    """A call of a tool within a session, its thread. A kept trace has its workspace by id."""

    tool: str
    params: Mapping[str, Json]
    session: ThreadKey
    place: Place = field(default_factory=Place)
    turn_id: str = ""
    context: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Trace:
    """`result` is the beginning as JSON, `tokens` the size of the whole."""

    call: TracedCall
    result: str
    tokens: int
    ms: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Traces:
    engine: Engine
    workspaces: Workspaces
    count: Callable[[str], int]

    def run(self, call: TracedCall, work: Callable[[], T], tell: Callable[[T], Json]) -> T:
        """Run a tool and keep a trace; `tell` turns its result into JSON. Errors pass through."""
        started = monotonic()
        try:
            given = work()
        except UserError as error:
            self._keep(call, {"success": False, "error": str(error)}, started)
            raise
        self._keep(call, tell(given), started)
        return given

    def newest(self, session: ThreadKey, limit: int = 100) -> tuple[Trace, ...]:
        return self._found(
            select(TRACE).where(in_thread(TRACE, session, "session")).order_by(TRACE.c.id.desc()).limit(limit)
        )

    def of_turn(self, session: ThreadKey, turn_id: str) -> tuple[Trace, ...]:
        return self._found(
            select(TRACE).where(in_thread(TRACE, session, "session"), TRACE.c.turn_id == turn_id).order_by(TRACE.c.id)
        )

    def _found(self, rows: Select[Any]) -> tuple[Trace, ...]:
        with reading(self.engine) as connection:
            return tuple(trace_of(row) for row in connection.execute(rows))

    def _keep(self, call: TracedCall, result: Json, started: float) -> None:
        text = json.dumps(result, ensure_ascii=False, default=str)
        params = json.dumps(dict(call.params), ensure_ascii=False)
        row = {
            "workspace_id": self.workspaces.one(call.place, call.place.workspace).id,
            "team": call.session.team,
            "channel": call.session.channel,
            "session": call.session.thread_ts,
            "turn_id": call.turn_id,
            "tool": call.tool,
            "params": dict(call.params),
            "result": text[:KEPT_CHARACTERS],
            "said": f"{call.tool}({params}) -> {text[:KEPT_CHARACTERS]}",
            "context": dict(call.context),
            "tokens": self.count(text),
            "ms": round((monotonic() - started) * 1000),
            "created_at": datetime.now(UTC),
        }
        with writing(self.engine) as connection:
            connection.execute(insert(TRACE).values(row))


def trace_of(row: Row[Any]) -> Trace:
    session, place = ThreadKey(row.team, row.channel, row.session), Place(row.team, row.channel, row.workspace_id)
    call = TracedCall(row.tool, row.params, session, place, row.turn_id, row.context)
    return Trace(call, row.result, row.tokens, row.ms, row.created_at)
