"""Workspaces: created, updated and archived, never deleted. A channel's workspace is made at its first use."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import ColumnElement, Connection, Engine, Row, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from ai.errors import NameTaken, NotFound
from ai.memory.log.database import reading, writing
from ai.memory.workspaces.tables import WORKSPACE
from ai.types import Json, Place

DEFAULT = "default"
TAKEN = 'Workspace "{}" already exists. Use listWorkspaces to see existing workspaces.'
UNKNOWN = 'Workspace "{}" not found. Use listWorkspaces to see available workspaces.'
IMPLICIT = "What is asked in the channels that belong here."


@dataclass(frozen=True, slots=True)
class Workspace:
    """A workspace. Files are tables, queries or exports."""

    name: str
    description: str
    root_folder: str
    purpose: str
    workflows: tuple[str, ...] = ()
    key_files: tuple[str, ...] = ()
    preferences: Mapping[str, Json] = field(default_factory=dict)
    is_archived: bool = False
    id: str = field(default_factory=lambda: f"ws-{uuid4()}")


@dataclass(frozen=True, slots=True)
class Workspaces:
    """Names are unique in a team; an id works as a name."""

    engine: Engine

    def create(self, place: Place, workspace: Workspace) -> None:
        """Keep a workspace for the whole team. NameTaken when the name is in use."""
        try:
            with writing(self.engine) as connection:
                _insert(connection, place.team, "", workspace)
        except IntegrityError:
            raise NameTaken(TAKEN.format(workspace.name)) from None

    def all(self, place: Place, *, include_archived: bool = False) -> tuple[Workspace, ...]:
        """Return the workspaces seen from a place, the default first, then by age."""
        self.one(place, place.workspace)
        rows = select(WORKSPACE).where(_seen(place)).order_by(WORKSPACE.c.name != DEFAULT, WORKSPACE.c.created_at)
        if not include_archived:
            rows = rows.where(~WORKSPACE.c.is_archived)
        with reading(self.engine) as connection:
            return tuple(_workspace(row) for row in connection.execute(rows))

    def one(self, place: Place, name: str) -> Workspace:
        """Return a workspace by name or id. NotFound when the place sees none."""
        with reading(self.engine) as connection:
            found = _find(connection, place, name)
        if found is None and name in (place.workspace, DEFAULT):
            found = self._begun(place, name)
        if found is None:
            raise NotFound(UNKNOWN.format(name))
        return found

    def update(self, place: Place, name: str, changes: Mapping[str, Any]) -> None:
        """Change fields of `Workspace` by name. NotFound for an unknown workspace."""
        workspace = self.one(place, name)
        if changes:
            with writing(self.engine) as connection:
                changed = update(WORKSPACE).where(WORKSPACE.c.id == workspace.id).values(written(changes))
                connection.execute(changed)

    def archive(self, place: Place, name: str) -> None:
        """Hide a workspace from the list; `update` with `is_archived=False` shows it again."""
        self.update(place, name, {"is_archived": True})

    def _begun(self, place: Place, name: str) -> Workspace | None:
        owner = place.owner if name == place.workspace else ""
        with writing(self.engine) as connection:
            if (found := _find(connection, place, name)) is not None:
                return found
            try:
                with connection.begin_nested():
                    _insert(connection, place.team, owner, Workspace(name, IMPLICIT, "", IMPLICIT))
            except IntegrityError:
                pass  # where writers do not wait for each other, another one was first
            return _find(connection, place, name)


def _find(connection: Connection, place: Place, name: str) -> Workspace | None:
    owner = place.owner if name == place.workspace else ""
    named = (WORKSPACE.c.name == name) & (WORKSPACE.c.channel == owner) | (WORKSPACE.c.id == name)
    row = connection.execute(select(WORKSPACE).where(_seen(place) & named).limit(1)).one_or_none()
    return None if row is None else _workspace(row)


def _seen(place: Place) -> ColumnElement[bool]:
    return (WORKSPACE.c.team == place.team) & or_(WORKSPACE.c.channel == "", WORKSPACE.c.channel == place.channel)


def _insert(connection: Connection, team: str, owner: str, workspace: Workspace) -> None:
    facts = {name: getattr(workspace, name) for name in Workspace.__slots__}
    connection.execute(
        insert(WORKSPACE).values(team=team, channel=owner, created_at=datetime.now(UTC), **written(facts))
    )


def written(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return facts as rows keep them."""
    return {name: list(fact) if isinstance(fact, tuple) else fact for name, fact in facts.items()}


def _workspace(row: Row[Any]) -> Workspace:
    facts = {name: getattr(row, name) for name in Workspace.__slots__}
    return Workspace(**{**facts, "workflows": tuple(row.workflows), "key_files": tuple(row.key_files)})
