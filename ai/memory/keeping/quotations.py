"""Finds words of a forgotten person in answers to others, saved states and archives, and takes them out.

Words are compared without Markdown, letter case and line breaks, by their beginning. What somebody else has said, too,
is theirs and stays.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from json import dumps, loads
from typing import Any

from sqlalchemy import Connection, Table, delete, select, update

from ai.memory.log.messages import QUESTION
from ai.memory.log.tables import MESSAGE, PHRASING, QUERY, RECEIPT, SEGMENT, THREAD
from ai.memory.seals import Chain
from ai.memory.workspaces import states
from ai.memory.workspaces.tables import STATE, TRACE
from ai.results.store import ResultStore
from ai.tokens import TokenCounter
from ai.types import ThreadKey

START = 8  # characters by which a quotation is looked up
SHORTEST, LONGEST = 12, 60  # characters of the beginning of a message that make a quotation
MARKS = re.compile(r"[\\*_`>\s]+")
TAKEN_OUT = "(What was quoted here is forgotten.)"
OF_A_QUERY = ("question", "reading", "reply", "headline", "detail")


@dataclass(frozen=True, slots=True)
class Quotations:
    """The beginnings of forgotten messages, by their first characters."""

    starts: dict[str, tuple[str, ...]]

    @classmethod
    def of(cls, connection: Connection, texts: Iterable[str]) -> "Quotations":
        """Build them from the texts of a person whose messages are deleted."""
        own = cls._by_start({text[:LONGEST] for text in map(_plain, texts) if len(text) >= SHORTEST})
        said = connection.execute(select(MESSAGE.c.content).where(MESSAGE.c.part == QUESTION)).scalars()
        shared = {words for text in said for words in own.found(text)}
        return cls._by_start({words for each in own.starts.values() for words in each} - shared)

    @classmethod
    def _by_start(cls, beginnings: Iterable[str]) -> "Quotations":
        starts: dict[str, tuple[str, ...]] = {}
        for words in beginnings:
            starts[words[:START]] = (*starts.get(words[:START], ()), words)
        return cls(starts)

    def found(self, text: str) -> Iterator[str]:
        """Yield the forgotten beginnings that a text holds."""
        plain = _plain(text)
        for place in range(len(plain) - START + 1) if self.starts else ():
            known = self.starts.get(plain[place : place + START], ())
            yield from (words for words in known if plain.startswith(words, place))

    def are_in(self, *parts: Any) -> bool:
        texts = (part if isinstance(part, str) else dumps(part, ensure_ascii=False) for part in parts if part)
        return any(next(self.found(text), None) is not None for text in texts)


@dataclass(frozen=True, slots=True)
class QuotationEraser:
    """Takes quotations out within one transaction."""

    connection: Connection
    results: ResultStore
    count: TokenCounter
    chain: Chain
    quotations: Quotations

    def erase(self) -> set[ThreadKey]:
        """Take out every quotation; return the threads whose views and archives are to be made anew."""
        if not self.quotations.starts:
            return set()
        self._queries()
        self._drop(PHRASING, "turn_id", ("text",))
        if proofs := self._holding(RECEIPT, "turn_id", ("fields",)):
            self.chain.erase(self.connection, RECEIPT.c.turn_id.in_(proofs))
        self._drop(TRACE, "id", ("said", "params", "result", "context"))
        if saved := self._holding(STATE, "id", ("said", "query")):
            states.erase(self.connection, self.results, STATE.c.id.in_(saved))
        return self._threads([*self._replies(), *self._segments()])

    def _replies(self) -> list[int]:
        m = MESSAGE.c
        told = select(m.id, m.thread_id, m.turn_id, m.content, m.original).where(m.role == "assistant")
        rows = [
            row for row in self.connection.execute(told) if self.quotations.are_in(row.content, _read(row.original))
        ]
        size = self.count.count(TAKEN_OUT)
        changed = {"content": TAKEN_OUT, "tokens": size.tokens, "exact": size.exact, "original": None}
        if rows:
            self.chain.erase(self.connection, RECEIPT.c.turn_id.in_([row.turn_id for row in rows]))
            where = MESSAGE.c.id.in_([row.id for row in rows])
            self.connection.execute(update(MESSAGE).where(where).values(changed))
        return [row.thread_id for row in rows]

    def _segments(self) -> list[int]:
        rows = self.connection.execute(select(SEGMENT.c.thread_id, SEGMENT.c.lines))
        return [row.thread_id for row in rows if self.quotations.are_in(row.lines)]

    def _queries(self) -> None:
        columns = [QUERY.c[name] for name in OF_A_QUERY]
        for row in self.connection.execute(select(QUERY.c.id, *columns)).all():
            gone = {name: "" for name in OF_A_QUERY if self.quotations.are_in(getattr(row, name))}
            if gone:
                self.connection.execute(update(QUERY).where(QUERY.c.id == row.id).values(gone))

    def _drop(self, table: Table, key: str, texts: Collection[str]) -> None:
        if gone := self._holding(table, key, texts):
            self.connection.execute(delete(table).where(table.c[key].in_(gone)))

    def _holding(self, table: Table, key: str, texts: Collection[str]) -> list[Any]:
        rows = self.connection.execute(select(table.c[key], *(table.c[name] for name in texts)))
        return [row[0] for row in rows if self.quotations.are_in(*row[1:])]

    def _threads(self, numbers: Iterable[int]) -> set[ThreadKey]:
        rows = select(THREAD.c.team, THREAD.c.channel, THREAD.c.thread_ts).where(THREAD.c.id.in_(set(numbers)))
        return {ThreadKey(*row) for row in self.connection.execute(rows)}


def _read(original: str | None) -> Any:
    return original and loads(original)


def _plain(text: str) -> str:
    return MARKS.sub(" ", text).strip().casefold()
