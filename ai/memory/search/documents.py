"""The documents of the search. Only here does a number become a text, and only within the scope."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    Connection,
    Row,
    Select,
    Table,
    and_,
    cast,
    func,
    literal_column,
    or_,
    select,
    true,
    tuple_,
)

from ai.memory.log import queries, threads
from ai.memory.log.tables import MESSAGE, QUERY, THREAD
from ai.memory.search import saved
from ai.memory.search.scope import QUERY_BIT, THREAD_SHIFT, Kind, Saved, Scope
from ai.types import AnsweredQuery, LoggedMessage, ThreadKey

IN_THREAD = (1 << THREAD_SHIFT) - 1


@dataclass(frozen=True, slots=True)
class TimeLimit:
    """The time for looking through texts, checked after every `chunk` messages."""

    in_time: Callable[[], bool]
    chunk: int = 50_000


@dataclass(frozen=True, slots=True)
class Area:
    """A scope in one store. `thread_id` is None for several threads; `size` is rough."""

    scope: Scope
    thread_id: int | None
    size: int

    @property
    def messages(self) -> ColumnElement[bool]:
        of_kind = MESSAGE.c.remark == self.scope.remark if self.scope.remark else true()
        return self._inside(MESSAGE, "message") & MESSAGE.c.deleted_at.is_(None) & of_kind

    @property
    def queries(self) -> ColumnElement[bool]:
        return self._inside(QUERY, "query") & (QUERY.c.status == "ok")

    def _inside(self, table: Table, kind: Kind) -> ColumnElement[bool]:
        scope, column = self.scope, table.c
        inside: list[ColumnElement[bool]] = [true() if kind in scope.kinds else ~true()]
        inside += [column.thread_id == self.thread_id] if self.thread_id is not None else []
        inside += [column.turn_id != scope.except_turn] if scope.except_turn is not None else []
        inside += [column.created_at >= scope.since] if scope.since is not None else []
        inside += [column.created_at < scope.until] if scope.until is not None else []
        if scope.channels is not None:
            inside.append(tuple_(THREAD.c.team, THREAD.c.channel).in_(sorted(scope.channels)))
        return and_(*inside)


@dataclass(frozen=True, slots=True)
class Document:
    """A text under its number."""

    number: int
    text: str
    author: str
    at: datetime
    found: LoggedMessage | AnsweredQuery | Saved


def area_of(connection: Connection, scope: Scope) -> Area | None:
    """Locate a scope; None when nothing was ever kept there."""
    if scope.within is not None:
        return Area(scope, None, saved.size(connection))
    if scope.thread is None:
        return Area(scope, None, connection.execute(select(func.max(MESSAGE.c.id))).scalar() or 0)
    thread = threads.find(connection, scope.thread)
    return None if thread is None else Area(scope, thread.id, thread.last_seq)


def read(connection: Connection, area: Area, numbers: Sequence[int]) -> list[Document]:
    if area.scope.within is not None:
        return _saved(connection, area, saved.numbered(numbers), len(numbers))
    asked = [number & (QUERY_BIT - 1) for number in numbers if number & QUERY_BIT]
    messages = (number for number in numbers if not number & QUERY_BIT)
    said = [number for number in messages if area.thread_id in (None, number >> THREAD_SHIFT)]
    listed, number = _listed(connection, said)
    own = (MESSAGE.c.thread_id == number.op(">>")(literal_column(str(THREAD_SHIFT)))) & (
        MESSAGE.c.seq == number.op("&")(literal_column(str(IN_THREAD)))
    )
    rows = _messages().select_from(listed).join(MESSAGE, own).join(THREAD)
    rest = replace(area, thread_id=None).messages  # told the thread, SQLite would read all of it and pick from that
    return _said(connection, rows.where(rest)) + _asked(connection, area, QUERY.c.id.in_(asked))


def newest(connection: Connection, area: Area, most: int) -> list[Document]:
    if area.scope.within is not None:
        return _saved(connection, area, lambda _: true(), most)
    rows = _messages().select_from(MESSAGE).join(THREAD).where(area.messages)
    return _said(connection, rows.order_by(_age(area).desc()).limit(most)) + _asked(connection, area, true(), most)


def newest_messages(area: Area, most: int) -> Select[Any]:
    """Select the numbers of the newest messages with words."""
    number = MESSAGE.c.thread_id * literal_column(str(1 << THREAD_SHIFT)) + MESSAGE.c.seq
    rows = (
        select(number.label("number")).select_from(MESSAGE).join(THREAD).where(area.messages, MESSAGE.c.content != "")
    )
    return rows.order_by(_age(area).desc()).limit(most)


def dated(connection: Connection, area: Area, limit: int, *, last: bool) -> tuple[list[Document], int]:
    """Return the first or last messages by date, and the count of all."""
    total = connection.execute(select(func.count()).select_from(MESSAGE).join(THREAD).where(area.messages)).scalar_one()
    order = [MESSAGE.c.created_at, MESSAGE.c.id]
    rows = _messages().select_from(MESSAGE).join(THREAD).where(area.messages).limit(limit)
    found = _said(connection, rows.order_by(*(column.desc() for column in order) if last else order))
    return found[::-1] if last else found, total


def look_through(
    connection: Connection, area: Area, needles: Sequence[str], most: int, time_limit: TimeLimit
) -> Iterator[Document | None]:
    """Iterate over the newest documents with a needle, any letter case; None when time runs out."""
    if area.scope.within is not None:
        yield from _saved(connection, area, saved.having(needles), most)
        return
    yield from _asked(connection, area, _has(connection, needles, QUERY.c.question, QUERY.c.sql), most)
    age, has = _age(area), _has(connection, needles, MESSAGE.c.content)
    rows = _messages().select_from(MESSAGE).join(THREAD).where(area.messages, has).order_by(age.desc())
    top, left = area.size, most
    while top > 0 and left > 0:
        found = _said(connection, rows.where(age > top - time_limit.chunk, age <= top).limit(left))
        yield from found
        top, left = top - time_limit.chunk, left - len(found)
        if top > 0 and not time_limit.in_time():
            yield None
            return


def _age(area: Area) -> ColumnElement[int]:
    return MESSAGE.c.id if area.thread_id is None else MESSAGE.c.seq


def _has(connection: Connection, needles: Sequence[str], *columns: ColumnElement[str]) -> ColumnElement[bool]:
    if connection.dialect.name == "sqlite":  # its LIKE looks past letter case by itself
        return or_(*(column.contains(needle, autoescape=True) for needle in needles for column in columns))
    return or_(*(column.icontains(needle, autoescape=True) for needle in needles for column in columns))


def _listed(connection: Connection, numbers: Sequence[int]) -> tuple[Any, ColumnElement[int]]:
    if connection.dialect.name == "sqlite":
        listed = func.json_each(json.dumps(numbers)).table_valued("value")
        return listed, listed.c.value
    listed = func.unnest(cast(numbers, ARRAY(BigInteger))).table_valued("value").render_derived()
    return listed, cast(listed.c.value, BigInteger)


def _messages() -> Select[Any]:
    return select(MESSAGE, THREAD.c.team, THREAD.c.channel, THREAD.c.thread_ts)


def _said(connection: Connection, rows: Select[Any]) -> list[Document]:
    return [_message(row) for row in connection.execute(rows)]


def _message(row: Row[Any]) -> Document:
    key = ThreadKey(row.team, row.channel, row.thread_ts)
    found = LoggedMessage(key, row.seq, row.turn_id, row.role, row.content, row.author, row.tokens, row.created_at)
    return Document(row.thread_id << THREAD_SHIFT | row.seq, row.content, row.author, row.created_at, found)


def _saved(connection: Connection, area: Area, which: saved.Which, most: int) -> list[Document]:
    found = saved.newest(connection, area.scope, which, most)
    return [Document(number, each.text, "", each.created_at, each) for number, each in found]


def _asked(connection: Connection, area: Area, condition: ColumnElement[bool], most: int = 1000) -> list[Document]:
    if "query" not in area.scope.kinds:
        return []
    return [
        Document(QUERY_BIT | query.id, f"{query.question}\n{query.sql}", "", query.created_at, query)
        for query in queries.ran(connection, condition & area.queries, most)
    ]
