"""Keeps the states of LangGraph's graphs, one row for each checkpoint and each pending write.

Needs the extra `langgraph`. A `thread_id` names a thread of the memory: `team/channel/ts`, or any text.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import wraps
from itertools import chain, islice
from typing import Any, Concatenate, ParamSpec, TypeVar

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_checkpoint_id,
    get_checkpoint_metadata,
    writes_sort_key,
)
from langgraph.checkpoint.serde.base import SerializerProtocol
from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Row,
    Select,
    Table,
    and_,
    bindparam,
    delete,
    insert,
    or_,
    select,
)

from ai.memory.log import checkpoints, threads
from ai.memory.log.checkpoints import CHECKPOINT, CHECKPOINT_WRITE, TABLES
from ai.memory.log.database import reading, writing
from ai.memory.log.tables import THREAD, in_thread
from ai.types import ThreadKey

P = ParamSpec("P")
T = TypeVar("T")
C, W = CHECKPOINT.c, CHECKPOINT_WRITE.c
PLACE = ("thread_id", "namespace", "checkpoint_id")
OF_PLACE = tuple(f"of_{name}" for name in PLACE)
STORED = select(CHECKPOINT, THREAD.c.team, THREAD.c.channel, THREAD.c.thread_ts).join(THREAD)
PAGE = 50  # checkpoints of a list read at once
DELTAS = "counters_since_delta_snapshot"  # in the metadata: channels that are made from earlier checkpoints


def _in_thread(method: Callable[Concatenate[Any, P], T]) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]:
    @wraps(method)
    async def run(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.to_thread(method, self, *args, **kwargs)

    return run


class ThreadCheckpointer(BaseCheckpointSaver[int]):
    """Checkpoints over the memory's database; async methods run in a thread."""

    def __init__(self, engine: Engine, *, serde: SerializerProtocol | None = None) -> None:
        super().__init__(serde=serde)
        self._engine = engine

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        newest = STORED.where(in_thread(THREAD, _key(config)), C.namespace == _namespace(config))
        if wanted := get_checkpoint_id(config):
            newest = newest.where(C.checkpoint_id == wanted)
        return next(iter(self._read(newest.limit(1))), None)

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Yield checkpoints, newest first; of all threads without a `config`."""
        wanted = (filter or {}).items()
        places = self._places(config, before)[: None if wanted else limit]
        pages = (places[start : start + PAGE] for start in range(0, len(places), PAGE))
        found = chain.from_iterable(self._read(STORED.where(_within(CHECKPOINT, page))) for page in pages)
        return islice((each for each in found if wanted <= dict(each.metadata).items()), limit)

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,  # noqa: ARG002 - all values are in the checkpoint
    ) -> RunnableConfig:
        told = get_checkpoint_metadata(config, metadata)
        kind, body = self.serde.dumps_typed({"checkpoint": checkpoint, "metadata": told})
        with writing(self._engine) as connection:
            thread = threads.claim(connection, _key(config), versions=0)
            row = {"thread_id": thread.id, "namespace": _namespace(config), "checkpoint_id": checkpoint["id"]}
            connection.execute(delete(CHECKPOINT).where(*(C[name] == value for name, value in row.items())))
            parent, run = get_checkpoint_id(config), told.get("run_id")
            row |= {"parent_id": parent, "run_id": run, "kind": kind, "body": body, "created_at": datetime.now(UTC)}
            connection.execute(insert(CHECKPOINT).values(row))
        return _config(thread.key, _namespace(config), checkpoint["id"])

    def put_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Keep writes. Known ones stay, special ones are replaced."""
        replaces = all(channel in WRITES_IDX_MAP for channel, _ in writes)
        with writing(self._engine) as connection:
            thread = threads.claim(connection, _key(config), versions=0)
            of_task = {
                "thread_id": thread.id,
                "namespace": _namespace(config),
                "checkpoint_id": get_checkpoint_id(config),
                "task_id": task_id,
            }
            own = and_(*(W[name] == value for name, value in of_task.items()))
            kept = set(connection.execute(select(W.place).where(own)).scalars())
            rows = {}
            for number, (channel, value) in enumerate(writes):
                place = WRITES_IDX_MAP.get(channel, number)
                if place in kept and not replaces:
                    continue
                kind, body = self.serde.dumps_typed(value)
                row = of_task | {"place": place, "task_path": task_path, "channel": channel, "kind": kind, "body": body}
                rows[place] = row
            if rows:
                connection.execute(delete(CHECKPOINT_WRITE).where(own, W.place.in_(rows)))
                connection.execute(insert(CHECKPOINT_WRITE), list(rows.values()))

    def delete_thread(self, thread_id: str) -> None:
        self.prune([thread_id], strategy="delete")

    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        with writing(self._engine) as connection:
            own = select(C.thread_id, C.namespace, C.checkpoint_id).where(C.run_id.in_(run_ids))
            _drop(connection, [tuple(row) for row in connection.execute(own)])

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy checkpoints and writes, in place of those with the same id."""
        source, target = ThreadKey.of(source_thread_id), ThreadKey.of(target_thread_id)
        with writing(self._engine) as connection:
            thread = threads.find(connection, source)
            if thread is None or source == target:
                return
            to = threads.claim(connection, target, versions=0).id
            own = select(C.namespace, C.checkpoint_id).where(C.thread_id == thread.id)
            _drop(connection, [(to, *row) for row in connection.execute(own)])
            for table in TABLES:
                rows = connection.execute(select(table).where(table.c.thread_id == thread.id)).mappings()
                if copies := [{**row, "thread_id": to} for row in rows]:
                    connection.execute(insert(table), copies)

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Keep the newest checkpoint of each namespace, or delete all. ValueError for other strategies."""
        if strategy not in ("keep_latest", "delete"):
            raise ValueError(f"There is no strategy {strategy}; use keep_latest or delete.")
        for thread_id in thread_ids:
            with writing(self._engine) as connection:
                thread = threads.find(connection, ThreadKey.of(str(thread_id)))
                if thread is None:
                    continue
                if strategy == "delete":
                    checkpoints.erase(connection, thread.id)
                    continue
                rows = connection.execute(select(CHECKPOINT).where(C.thread_id == thread.id)).all()
                kept = self._needed(rows)
                _drop(connection, [place for place in map(_place, rows) if place not in kept])

    def _needed(self, rows: Sequence[Row[Any]]) -> set[tuple[Any, ...]]:
        """Return the newest of each namespace and its parents up to the values of its delta channels."""
        found = {_place(row): row for row in rows}
        heads = {row.namespace: row for row in sorted(rows, key=_place)}
        needed: set[tuple[Any, ...]] = set()
        for head in heads.values():
            row: Row[Any] | None = head
            missing = set(self._load(head)["metadata"].get(DELTAS, ()))
            while row is not None:
                needed.add(_place(row))
                missing -= self._load(row)["checkpoint"]["channel_values"].keys()
                row = found.get((row.thread_id, row.namespace, row.parent_id)) if missing else None
        return needed

    def _places(self, config: RunnableConfig | None, before: RunnableConfig | None) -> Sequence[tuple[Any, ...]]:
        rows = select(C.thread_id, C.namespace, C.checkpoint_id)
        if before is not None:
            rows = rows.where(C.checkpoint_id < get_checkpoint_id(before))
        if config is not None:
            rows = rows.join(THREAD).where(in_thread(THREAD, _key(config)))
            if "checkpoint_ns" in config["configurable"]:
                rows = rows.where(C.namespace == _namespace(config))
            if wanted := get_checkpoint_id(config):
                rows = rows.where(C.checkpoint_id == wanted)
        with reading(self._engine) as connection:
            return [tuple(row) for row in connection.execute(rows.order_by(C.checkpoint_id.desc()))]

    def _read(self, stored: Select[Any]) -> Sequence[CheckpointTuple]:
        """Read checkpoints with their writes, newest first."""
        writes: dict[tuple[Any, ...], list[Row[Any]]] = defaultdict(list)
        with reading(self._engine) as connection:
            rows = connection.execute(stored.order_by(C.checkpoint_id.desc())).all()
            if rows:
                own = _within(CHECKPOINT_WRITE, [_place(row) for row in rows])
                for write in connection.execute(select(CHECKPOINT_WRITE).where(own)):
                    writes[_place(write)].append(write)
        return [self._tuple(row, writes[_place(row)]) for row in rows]

    def _load(self, row: Row[Any]) -> dict[str, Any]:
        held: dict[str, Any] = self.serde.loads_typed((row.kind, row.body))
        return held

    def _tuple(self, row: Row[Any], writes: Iterable[Row[Any]]) -> CheckpointTuple:
        held, key = self._load(row), ThreadKey(row.team, row.channel, row.thread_ts)
        ordered = sorted(writes, key=lambda each: writes_sort_key(each.task_path, each.task_id, each.place))
        return CheckpointTuple(
            _config(key, row.namespace, row.checkpoint_id),
            held["checkpoint"],
            held["metadata"],
            _config(key, row.namespace, row.parent_id) if row.parent_id else None,
            [(each.task_id, each.channel, self.serde.loads_typed((each.kind, each.body))) for each in ordered],
        )

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        for each in await asyncio.to_thread(tuple, self.list(config, filter=filter, before=before, limit=limit)):
            yield each

    aget_tuple = _in_thread(get_tuple)
    aput = _in_thread(put)
    aput_writes = _in_thread(put_writes)
    adelete_thread = _in_thread(delete_thread)
    adelete_for_runs = _in_thread(delete_for_runs)
    acopy_thread = _in_thread(copy_thread)
    aprune = _in_thread(prune)


def _key(config: RunnableConfig) -> ThreadKey:
    return ThreadKey.of(str(config["configurable"]["thread_id"]))


def _namespace(config: RunnableConfig) -> str:
    return str(config["configurable"].get("checkpoint_ns", ""))


def _config(key: ThreadKey, namespace: str, checkpoint_id: str) -> RunnableConfig:
    named = str(key) if key.team or key.channel else key.thread_ts
    return {"configurable": {"thread_id": named, "checkpoint_ns": namespace, "checkpoint_id": checkpoint_id}}


def _place(row: Row[Any]) -> tuple[Any, ...]:
    return row.thread_id, row.namespace, row.checkpoint_id


def _within(table: Table, places: Sequence[tuple[Any, ...]]) -> ColumnElement[bool]:
    """Select places by OR: SQLite looks through the whole table for an IN of tuples."""
    return or_(*(and_(*(table.c[name] == part for name, part in zip(PLACE, place, strict=True))) for place in places))


def _drop(connection: Connection, places: Sequence[tuple[Any, ...]]) -> None:
    for table in TABLES if places else ():
        own = and_(*(table.c[name] == bindparam(f"of_{name}") for name in PLACE))
        connection.execute(delete(table).where(own), [dict(zip(OF_PLACE, place, strict=True)) for place in places])
