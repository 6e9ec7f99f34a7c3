"""Finds states and traces of a workspace: `searchMemory`.

A trace is found from its own channel alone.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from ai.memory.search import scope as search_scope
from ai.memory.search.scope import Hit, Saved, Scope, WorkspaceScope
from ai.memory.search.search import Search
from ai.memory.workspaces.workspaces import Workspaces
from ai.types import Json, Place

Kind = Literal["states", "traces"]
KINDS: dict[Kind, search_scope.Kind] = {"states": "state", "traces": "trace"}
TYPES = {kind: name for name, kind in KINDS.items()}
ALIKE = 20  # hits beyond those that are wanted, among which the order of what fits alike is decided


@dataclass(frozen=True, slots=True)
class Sought:
    """What to look for, from `since` on and before `until`."""

    query: str
    kinds: tuple[Kind, ...] = ("states", "traces")
    since: datetime | None = None
    until: datetime | None = None
    limit: int = 10


@dataclass(frozen=True, slots=True)
class Recollection:
    content: str
    type: Kind
    created_at: datetime
    tool: str = ""
    context: dict[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recollections:
    finder: Search
    workspaces: Workspaces

    def search(self, place: Place, sought: Sought) -> tuple[Recollection, ...]:
        """Return the best of a workspace; among equals states before traces, then the newest."""
        workspace = self.workspaces.one(place, place.workspace)
        scope = Scope(
            within=WorkspaceScope(workspace.id, place.team, place.channel, place.source),
            kinds=frozenset(KINDS[kind] for kind in sought.kinds),
            since=sought.since,
            until=sought.until,
        )
        hits = self.finder.find(sought.query, scope, sought.limit + ALIKE).hits
        ranked = [hit.found for hit in sorted(hits, key=_first, reverse=True) if isinstance(hit.found, Saved)]
        return tuple(
            Recollection(each.text, TYPES[each.kind], each.created_at, each.tool, dict(each.context))
            for each in ranked[: sought.limit]
        )


def _first(hit: Hit) -> tuple[float, bool, datetime]:
    return hit.score, isinstance(hit.found, Saved) and hit.found.kind == "state", hit.found.created_at
