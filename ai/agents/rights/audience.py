"""Holds kept queries to the rights of the reader, not of the first asker.

SQL is shown if the guard passes it for the reader, rows if its restrictions are those the rows were stored under.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from ai.errors import NoResult, NotAllowed, SqlRefused
from ai.memory.prompt import AUTHOR
from ai.memory_store import MemoryStore
from ai.results.store import ResultStore
from ai.sql.database import Database
from ai.types import AnsweredQuery, LoggedMessage, Request

Sight = Literal["all", "sql", "nothing"]
OTHER_RIGHTS = (
    "These rows were computed under rights that you do not have; ask the question again for those that you may see."
)
NOT_YOURS = "That query reads data that you may not read; ask a question of your own, or somebody who may."


@dataclass(frozen=True, slots=True)
class Audience:
    """Judges by the present rights of the sources and the marks of stored results."""

    sources: Mapping[str, Database]
    results: ResultStore

    def sight(self, query: AnsweredQuery, roles: Collection[str]) -> Sight:
        """Return the visible part of a query."""
        if not query.source:  # kept by a program that names no source: there are no rights to hold it to
            return "all"
        database = self.sources.get(query.source)
        if database is None:
            return "nothing"
        seen = database.seen_by(roles)
        try:
            mark = _mark(seen, query)
        except SqlRefused:
            return "nothing"
        stored = self._stored(query)
        unknown = stored is None and not mark  # nothing is kept back from them, whatever it was
        return "all" if unknown or stored == mark else "sql"

    def tells(self, query: AnsweredQuery, roles: Collection[str]) -> bool:
        """Return whether an answer shows these roles nothing that they may not see; it may show less."""
        database = self.sources.get(query.source)
        if not query.source or self.sight(query, roles) == "all":
            return True
        return database is not None and database.seen_by(roles).opens(query.sql)

    def narrows(self, query: AnsweredQuery, roles: Collection[str]) -> bool:
        """Return whether rights rewrite the query. Raises SqlRefused."""
        database = self.sources.get(query.source)
        return database is not None and bool(_mark(database.seen_by(roles), query))

    def restricts(self, source: str, roles: Collection[str]) -> bool:
        """Return whether any part of a source is hidden; true for an unknown source."""
        database = self.sources.get(source)
        return database is None or database.seen_by(roles).is_restricted

    def shown(self, queries: Iterable[AnsweredQuery], roles: Collection[str]) -> tuple[AnsweredQuery, ...]:
        """Return the queries with visible SQL, stripped of hidden results."""
        judged = ((query, self.sight(query, roles)) for query in queries)
        return tuple(query if sight == "all" else _bare(query) for query, sight in judged if sight != "nothing")

    def check_sql(self, query: AnsweredQuery, roles: Collection[str]) -> None:
        """Raise NotAllowed unless the SQL is visible."""
        self._check(query, roles, ("all", "sql"))

    def check_rows(self, query: AnsweredQuery, roles: Collection[str]) -> None:
        """Raise NotAllowed unless the rows are visible."""
        self._check(query, roles, ("all", "sql") if query.result is None else ("all",))

    def _check(self, query: AnsweredQuery, roles: Collection[str], enough: tuple[Sight, ...]) -> None:
        sight = self.sight(query, roles)
        if sight not in enough:
            raise NotAllowed(NOT_YOURS if sight == "nothing" else OTHER_RIGHTS)

    def _stored(self, query: AnsweredQuery) -> str | None:
        """Return the mark of the stored rows, None if they are gone."""
        try:
            return None if query.result is None else self.results.describe(query.result).rights
        except NoResult:
            return None


def _mark(seen: Database, query: AnsweredQuery) -> str:
    """Return the mark of the restrictions on a query, "" for none. Raises SqlRefused."""
    return seen.check(query.sql).mark if seen.is_restricted else ""


def _bare(query: AnsweredQuery) -> AnsweredQuery:
    return replace(query, result=None, row_count=None, headline="")


@dataclass(frozen=True, slots=True)
class AudienceFilter:
    """Judges messages by the queries of their turns."""

    memory: MemoryStore
    audience: Audience

    def allowed(self, messages: Iterable[LoggedMessage], request: Request) -> tuple[LoggedMessage, ...]:
        """Return the messages the author of a request may read."""
        if not self.audience.restricts(request.source, request.roles):
            return tuple(messages)
        may_hear = cache(lambda turn_id: self._answer(turn_id, request))
        return tuple(each for each in messages if _is_of_people(each) or may_hear(each.turn_id))

    def _answer(self, turn_id: str, request: Request) -> bool:
        ran = [query for query in self.memory.turn_queries(turn_id) if isinstance(query, AnsweredQuery)]
        return bool(ran) and all(self.audience.sight(query, request.roles) == "all" for query in ran)


def _is_of_people(message: LoggedMessage) -> bool:
    """Return whether a person wrote the message; summaries may hold answers."""
    return message.role == "user" and message.author != AUTHOR
