"""Holds kept queries to the rights of the reader, not of the first asker.

SQL is shown if the guard passes it for the reader, rows if they were stored under the same restrictions. The request
notes each one looked up, so the reply is held to the rights of its other readers.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from typing import Literal

from ai.errors import NoResult, NotAllowed, SqlRefused
from ai.memory.prompt import AUTHOR
from ai.memory_store import AccessEntry, MemoryStore, Outcome
from ai.results.store import ResultStore
from ai.sql.database import Database
from ai.types import AnsweredQuery, Disclosed, LoggedMessage, Request

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
        try:
            mark = _mark(database.seen_by(roles), query.sql)
        except SqlRefused:
            return "nothing"
        stored = self._stored(query)
        unknown = stored is None and not mark  # nothing is kept back from them, whatever it was
        return "all" if unknown or stored == mark else "sql"

    def tells(self, query: AnsweredQuery, roles: Collection[str]) -> bool:
        """Whether an answer shows these roles nothing hidden from them; it may show less."""
        return not self.hides(self._disclosed(query), roles)

    def hides(self, told: Disclosed, roles: Collection[str]) -> bool:
        """Whether something told is kept back from these roles."""
        if not told.source:
            return False
        database = self.sources.get(told.source)
        if database is None:
            return True
        seen = database.seen_by(roles)
        try:
            mark = _mark(seen, told.sql)
        except SqlRefused:
            return True
        return told.mark is not None and told.mark != mark and not seen.opens(told.sql)

    def narrows(self, query: AnsweredQuery, roles: Collection[str]) -> bool:
        """Whether rights rewrite the query. Raises SqlRefused."""
        database = self.sources.get(query.source)
        return database is not None and bool(_mark(database.seen_by(roles), query.sql))

    def restricts(self, source: str, roles: Collection[str]) -> bool:
        """Whether any part of a source is hidden; true for an unknown source."""
        database = self.sources.get(source)
        return database is None or database.seen_by(roles).is_restricted

    def access(self, request: Request, outcome: Outcome, surface: str) -> AccessEntry | None:
        """Return the entry for something looked at, None for a source without rights."""
        if not self.divides(request.source):
            return None
        right = self.sources[request.source].right_of(request.roles)
        at, thread = datetime.now(UTC), request.thread
        return AccessEntry(at, thread, "", request.user, outcome, surface, request.source, right)

    def divides(self, source: str) -> bool:
        """Whether anything of a source is kept back from anybody."""
        database = self.sources.get(source)
        return database is not None and database.has_rights

    def shown(self, queries: Iterable[AnsweredQuery], roles: Collection[str]) -> tuple[AnsweredQuery, ...]:
        """Return the queries with visible SQL, stripped of hidden results."""
        judged = ((query, self.sight(query, roles)) for query in queries)
        return tuple(query if sight == "all" else _bare(query) for query, sight in judged if sight != "nothing")

    def note(self, query: AnsweredQuery, request: Request, *, rows: bool = True) -> None:
        """Note a query told of in a reply."""
        if not self.divides(query.source):
            return
        told = self._disclosed(query)
        request.disclosed.queries.append(told if rows else replace(told, mark=None))

    def check_sql(self, query: AnsweredQuery, roles: Collection[str]) -> None:
        """Raise NotAllowed unless the SQL is visible."""
        self._check(query, roles, ("all", "sql"))

    def check_rows(self, query: AnsweredQuery, roles: Collection[str]) -> None:
        """Raise NotAllowed unless the rows are visible, or gone and those that the SQL gives are."""
        self._check(query, roles, ("all", "sql") if self._stored(query) is None else ("all",))

    def _check(self, query: AnsweredQuery, roles: Collection[str], enough: tuple[Sight, ...]) -> None:
        sight = self.sight(query, roles)
        if sight not in enough:
            raise NotAllowed(NOT_YOURS if sight == "nothing" else OTHER_RIGHTS)

    def _disclosed(self, query: AnsweredQuery) -> Disclosed:
        stored = self._stored(query)
        return Disclosed(query.source, query.sql, UNKNOWN if stored is None else stored)

    def _stored(self, query: AnsweredQuery) -> str | None:
        """Return the mark of the stored rows, None if they are gone."""
        try:
            return None if query.result is None else self.results.describe(query.result).rights
        except NoResult:
            return None


UNKNOWN = "?"  # the mark of rows that are gone; it equals no other


def _mark(seen: Database, sql: str) -> str:
    """Return the mark of the restrictions on a query, "" for none. Raises SqlRefused."""
    return seen.check(sql).mark if seen.is_restricted else ""


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

    def told(self, messages: Iterable[LoggedMessage], request: Request) -> tuple[LoggedMessage, ...]:
        """Return the messages of `allowed`, and note them as told of in a reply."""
        heard = self.allowed(messages, request)
        if self.audience.divides(request.source):
            for turn_id, author in {
                (message.turn_id, message.author) for message in heard if not _is_of_people(message)
            }:
                self._note(turn_id, author, request)
        return heard

    def _note(self, turn_id: str, author: str, request: Request) -> None:
        """Note the queries of a turn; without any, its words may be read where they were said to all."""
        ran = self._ran(turn_id)
        is_open = bool(ran) or (author != AUTHOR and not self.memory.access.is_private(turn_id))
        request.disclosed.summaries |= not is_open
        for query in ran:
            self.audience.note(query, request)

    def _answer(self, turn_id: str, request: Request) -> bool:
        ran = self._ran(turn_id)
        return bool(ran) and all(self.audience.sight(query, request.roles) == "all" for query in ran)

    def _ran(self, turn_id: str) -> list[AnsweredQuery]:
        return [query for query in self.memory.turn_queries(turn_id) if isinstance(query, AnsweredQuery)]


def _is_of_people(message: LoggedMessage) -> bool:
    return message.role == "user" and message.author != AUTHOR
