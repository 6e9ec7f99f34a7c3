"""Finds states and traces of a workspace by words: what seed 003's `searchMemory` gives.

A trace that a channel left is found from that channel alone; a state, where it can be loaded.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Literal

import snowballstemmer  # type: ignore[import-untyped]
from sqlalchemy import Engine, select

from ai.memory.database import reading
from ai.memory.states import State, States
from ai.memory.traces import Trace, trace_of
from ai.memory.words import Stem, words_of
from ai.memory.workspace_tables import TRACE
from ai.memory.workspaces import Place
from ai.types import Json

Kind = Literal["states", "traces"]
NEWEST = 2000  # traces that a search looks at
LITERAL = 1.0  # what the very words add to the share of words that are there


@dataclass(frozen=True, slots=True)
class Sought:
    """What is looked for, from the moment `since` on and before `until`."""

    query: str
    kinds: tuple[Kind, ...] = ("states", "traces")
    since: datetime | None = None
    until: datetime | None = None
    limit: int = 10

    def holds(self, moment: datetime) -> bool:
        """Whether a moment is within the dates."""
        return (self.since is None or self.since <= moment) and (self.until is None or moment < self.until)


@dataclass(frozen=True, slots=True)
class Recollection:
    """One thing that was found."""

    content: str
    type: Kind
    created_at: datetime
    tool: str = ""
    context: dict[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recollections:
    """Looks through the states and traces of one store."""

    engine: Engine
    states: States

    def search(self, place: Place, sought: Sought) -> tuple[Recollection, ...]:
        """What fits best of the place's workspace, best first; of what fits alike, states before traces, then the newest."""
        stem: Stem = cache(snowballstemmer.stemmer("english").stemWord)  # keeps state: never shared by two threads
        wanted = frozenset(words_of(sought.query, stem).terms)
        found = ((_score(each.content, sought.query, wanted, stem), each) for each in self._within(place, sought))
        ranked = sorted((pair for pair in found if pair[0] > 0), key=_first, reverse=True)
        return tuple(each for _, each in ranked[: sought.limit])

    def _within(self, place: Place, sought: Sought) -> Iterator[Recollection]:
        if "states" in sought.kinds:
            states = self.states.all(place, include_archived=True)
            yield from (_of_state(state) for state in states if sought.holds(state.created_at))
        if "traces" in sought.kinds:
            yield from (_of_trace(trace) for trace in self._traces(place) if sought.holds(trace.created_at))

    def _traces(self, place: Place) -> tuple[Trace, ...]:
        workspace = self.states.workspaces.one(place, place.workspace)
        rows = select(TRACE).where(
            TRACE.c.workspace_id == workspace.id, TRACE.c.team == place.team, TRACE.c.channel == place.channel
        )
        with reading(self.engine) as connection:
            return tuple(trace_of(row) for row in connection.execute(rows.order_by(TRACE.c.id.desc()).limit(NEWEST)))


def _first(found: tuple[float, Recollection]) -> tuple[float, bool, datetime]:
    score, each = found
    return score, each.type == "states", each.created_at


def _score(text: str, query: str, wanted: frozenset[str], stem: Stem) -> float:
    """The share of the wanted words that a text has, and more when it has them as they were written; 0 for none."""
    literal = LITERAL if query.casefold() in text.casefold() else 0.0
    return literal + (len(wanted & words_of(text, stem).terms.keys()) / len(wanted) if wanted else 0.0)


def _of_state(state: State) -> Recollection:
    said = state.snapshot
    lines = [
        f"{said.name}: {said.description}" if said.description else said.name,
        said.conversation_context,
        f"Task: {said.active_task}",
        f"Files: {', '.join(said.active_files)}",
        f"Next: {'; '.join(said.next_steps)}",
        f"Tags: {', '.join(said.tags)}",
    ]
    content = "\n".join(line for line in lines if line.partition(": ")[2] or ": " not in line)
    return Recollection(content, "states", state.created_at, context={"name": said.name})


def _of_trace(trace: Trace) -> Recollection:
    call = trace.call
    params = json.dumps(dict(call.params), ensure_ascii=False)
    context = {"sessionId": call.session.thread_ts, **call.context}
    content = f"{call.tool}({params}) -> {trace.result}"
    return Recollection(content, "traces", trace.created_at, call.tool, context)
