"""Holds what is kept of a query to the rights of whoever asks for it now, not of whoever asked first.

SQL is shown to whom the guard would let run it. Rows are shown to whom the same SQL under their rights is the same query:
the mark of what is kept back of its tables must be the one that the stored result carries. Roles say who asks.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from ai.errors import NoResult, NotAllowed, SqlRefused
from ai.results.store import ResultStore
from ai.sql.database import Database
from ai.types import AnsweredQuery

Sight = Literal["all", "sql", "nothing"]
OTHER_RIGHTS = (
    "These rows were computed under rights that you do not have; ask the question again for those that you may see."
)
NOT_YOURS = "That query reads data that you may not read; ask a question of your own, or somebody who may."


@dataclass(frozen=True, slots=True)
class Audience:
    """Judges by the rights of the sources as they are now, and by what the stored results say of themselves."""

    sources: Mapping[str, Database]
    results: ResultStore

    def sight(self, query: AnsweredQuery, roles: Collection[str]) -> Sight:
        """What somebody with these roles may see of a query: all, its SQL without what it found, or nothing."""
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
        unknown = stored is None and not seen.is_restricted  # nothing is kept back from them, whatever it was
        return "all" if unknown or stored == mark else "sql"

    def narrows(self, query: AnsweredQuery, roles: Collection[str]) -> bool:
        """Whether rights are written into a query when it runs for these roles. `SqlRefused` when it may not."""
        database = self.sources.get(query.source)
        return database is not None and bool(_mark(database.seen_by(roles), query))

    def restricts(self, source: str, roles: Collection[str]) -> bool:
        """Whether anything of a source is kept back from somebody with these roles; all of one that is not configured."""
        database = self.sources.get(source)
        return database is None or database.seen_by(roles).is_restricted

    def shown(self, queries: Iterable[AnsweredQuery], roles: Collection[str]) -> tuple[AnsweredQuery, ...]:
        """Those queries of which somebody may see the SQL; without what they found where they may not see that."""
        judged = ((query, self.sight(query, roles)) for query in queries)
        return tuple(query if sight == "all" else _bare(query) for query, sight in judged if sight != "nothing")

    def check_sql(self, query: AnsweredQuery, roles: Collection[str]) -> None:
        """`NotAllowed` when somebody may not see the SQL of a query."""
        self._check(query, roles, ("all", "sql"))

    def check_rows(self, query: AnsweredQuery, roles: Collection[str]) -> None:
        """`NotAllowed` when somebody may not see the rows of a query; rows that are gone are nobody's."""
        self._check(query, roles, ("all", "sql") if query.result is None else ("all",))

    def _check(self, query: AnsweredQuery, roles: Collection[str], enough: tuple[Sight, ...]) -> None:
        sight = self.sight(query, roles)
        if sight not in enough:
            raise NotAllowed(NOT_YOURS if sight == "nothing" else OTHER_RIGHTS)

    def _stored(self, query: AnsweredQuery) -> str | None:
        """The mark that the rows of a query carry; None when they are no longer kept."""
        try:
            return None if query.result is None else self.results.describe(query.result).rights
        except NoResult:
            return None


def _mark(seen: Database, query: AnsweredQuery) -> str:
    """The mark of what is kept back of the tables of a query, "" where nothing is. `SqlRefused`."""
    return seen.check(query.sql).mark if seen.is_restricted else ""


def _bare(query: AnsweredQuery) -> AnsweredQuery:
    return replace(query, result=None, row_count=None, headline="")
