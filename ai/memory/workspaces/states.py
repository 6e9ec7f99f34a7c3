"""States: named save points of a workspace, never changed. A copy of its rows lets a state outlive its thread."""

from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import ColumnElement, Connection, Engine, Row, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from ai.errors import NameTaken, NoResult, NotFound
from ai.memory.log.database import Lock, alone, reading, writing
from ai.memory.workspaces.tables import STATE, past_the_triggers
from ai.memory.workspaces.workspaces import Workspaces, written
from ai.results.store import ResultStore, StoredResult
from ai.types import AnsweredQuery, Place, ThreadKey

SESSION = "_workspace"  # states belong to the workspace, not to a conversation
NEXT = select(func.coalesce(func.max(STATE.c.number), 0) + 1).scalar_subquery()
TAKEN = 'State "{0}" already exists. States are immutable - use a unique name like "{0}-v2" or "{0}-2024-01".'
UNKNOWN = 'State "{}" not found. Use listStates to see available states.'
NOT_QUERY = ("thread", "turn_id", "source", "result", "created_at")  # kept in columns of their own


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A state's content in its author's words."""

    name: str
    conversation_context: str
    active_task: str
    active_files: tuple[str, ...]
    next_steps: tuple[str, ...]
    description: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StateOrigin:
    """Where a state comes from. Saving again from the same turn changes nothing."""

    thread: ThreadKey
    turn_id: str = ""
    author: str = ""


@dataclass(frozen=True, slots=True)
class State:
    """A saved state. `query.result` names its own copy of the rows."""

    id: str
    snapshot: Snapshot
    origin: StateOrigin
    query: AnsweredQuery | None
    is_archived: bool
    created_at: datetime


@dataclass(frozen=True, slots=True)
class States:
    """The states of one store. A trigger keeps them unchanged; a constraint keeps names unique for good."""

    engine: Engine
    results: ResultStore
    workspaces: Workspaces

    def create(self, place: Place, snapshot: Snapshot, origin: StateOrigin, query: AnsweredQuery | None = None) -> None:
        """Save a state with its query. NameTaken when the workspace ever used the name."""
        workspace = self.workspaces.one(place, place.workspace)
        state_id = f"state-{uuid4()}"
        with writing(self.engine) as connection:
            known = connection.execute(select(STATE.c.turn_id).where(_named(workspace.id, snapshot.name))).one_or_none()
            if known is not None and known.turn_id == origin.turn_id != "":
                return
            if known is not None:
                raise NameTaken(TAKEN.format(snapshot.name))
            alone(connection, Lock.NUMBERING)
            result = self._copied(query, state_id)
            try:
                row = _row(snapshot, origin, query) | {"source": place.source if query is None else query.source}
                known_by = {"id": state_id, "number": NEXT, "workspace_id": workspace.id}
                with connection.begin_nested():
                    connection.execute(insert(STATE).values(**known_by, result=result, **row))
            except IntegrityError:  # where writers do not wait for each other, another one was first
                self.results.delete(state_id)
                raise NameTaken(TAKEN.format(snapshot.name)) from None

    def all(self, place: Place, *, include_archived: bool = False) -> tuple[State, ...]:
        workspace = self.workspaces.one(place, place.workspace)
        rows = select(STATE).where(STATE.c.workspace_id == workspace.id, _about(place))
        if not include_archived:
            rows = rows.where(~STATE.c.is_archived)
        with reading(self.engine) as connection:
            return tuple(_state(row) for row in connection.execute(rows.order_by(STATE.c.created_at, STATE.c.id)))

    def of_author(self, team: str, user: str, limit: int) -> tuple[State, ...]:
        """Return the newest states that somebody saved, wherever that was."""
        rows = select(STATE).where(STATE.c.team == team, STATE.c.author == user, ~STATE.c.is_archived)
        with reading(self.engine) as connection:
            found = connection.execute(rows.order_by(STATE.c.created_at.desc(), STATE.c.id.desc()).limit(limit))
            return tuple(map(_state, found))

    def one(self, place: Place, name: str) -> State:
        """Return a state by name, archived or not. NotFound for an unknown name."""
        workspace = self.workspaces.one(place, place.workspace)
        with reading(self.engine) as connection:
            row = connection.execute(select(STATE).where(_named(workspace.id, name), _about(place))).one_or_none()
        if row is None:
            raise NotFound(UNKNOWN.format(name))
        return _state(row)

    def archive(self, place: Place, name: str, *, archived: bool = True) -> None:
        """Hide a state from the list, or list it again. NotFound for an unknown name."""
        state = self.one(place, name)
        with writing(self.engine) as connection:
            connection.execute(update(STATE).where(STATE.c.id == state.id).values(is_archived=archived))

    def hand_out(self, state: State, handle: str) -> StoredResult | None:
        """Copy the rows of a state to another handle; None without rows."""
        return self.results.describe(handle) if self._copied(state.query, handle) else None

    def _copied(self, query: AnsweredQuery | None, handle: str) -> str:
        if query is None or query.result is None:
            return ""
        try:
            self.results.copy(query.result, handle)
        except NoResult:
            return ""
        return handle


def erase(connection: Connection, results: ResultStore, which: ColumnElement[bool]) -> int:
    """Delete states with their rows, past the trigger; return how many. Only `forget` does this."""
    kept = connection.execute(select(STATE.c.result).where(which, STATE.c.result != "")).scalars().all()
    for handle in kept:
        results.delete(handle)
    return past_the_triggers(connection, delete(STATE).where(which))


def _named(workspace_id: str, name: str) -> ColumnElement[bool]:
    return (STATE.c.workspace_id == workspace_id) & (STATE.c.name == name)


def _about(place: Place) -> ColumnElement[bool]:
    return STATE.c.source.in_(("", place.source))


def _row(snapshot: Snapshot, origin: StateOrigin, query: AnsweredQuery | None) -> dict[str, Any]:
    facts = {} if query is None else {name: fact for name, fact in asdict(query).items() if name not in NOT_QUERY}
    return {
        **written(asdict(snapshot)),
        "said": _told(snapshot),
        "session": SESSION,
        **asdict(origin.thread),
        "turn_id": origin.turn_id,
        "author": origin.author,
        "query": facts,
        "is_archived": False,
        "created_at": datetime.now(UTC),
    }


def _told(said: Snapshot) -> str:
    lines = {
        said.name: said.description,
        "Context": said.conversation_context,
        "Task": said.active_task,
        "Files": ", ".join(said.active_files),
        "Next": "; ".join(said.next_steps),
        "Tags": ", ".join(said.tags),
    }
    told = [f"{label}: {text}" for label, text in lines.items() if text]
    return "\n".join(told if said.description else [said.name, *told])


def _state(row: Row[Any]) -> State:
    thread = ThreadKey(row.team, row.channel, row.thread_ts)
    query = _query(row, thread) if row.query else None
    facts = ((name, getattr(row, name)) for name in Snapshot.__slots__)
    said: dict[str, Any] = {name: tuple(fact) if isinstance(fact, list) else fact for name, fact in facts}
    return State(
        row.id, Snapshot(**said), StateOrigin(thread, row.turn_id, row.author), query, row.is_archived, row.created_at
    )


def _query(row: Row[Any], thread: ThreadKey) -> AnsweredQuery:
    return AnsweredQuery(
        thread=thread,
        turn_id=row.turn_id,
        source=row.source,
        result=row.result or None,
        created_at=row.created_at,
        **row.query,
    )
