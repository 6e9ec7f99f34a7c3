"""Launch the engine, accept questions, run turns, close."""

import logging
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from threading import Lock
from typing import ClassVar
from uuid import uuid4

import sqlalchemy as sa
from dbos import DBOS, DBOSConfig, SetEnqueueOptions, SetWorkflowID, WorkflowStatus

from ai.errors import ConfigError
from ai.types import ThreadKey
from bot.engine.crashes import Crashes
from bot.engine.lease import FileLeases, Leases
from bot.engine.lease_postgres import AdvisoryLeases
from bot.engine.outage import reaching
from bot.engine.records import JsonRecords
from bot.engine.stops import Stops
from bot.engine.sweep import KEPT, QUEUE, Sweeper, prune
from bot.engine.workflow import Turn, Turns, register
from bot.inbound import question_of, revised, said_at

VERSION = "1"  # the same for every release: DBOS would otherwise strand what an older release had accepted
CONNECTIONS = 8
CLOSING_SECONDS = 2.0
LATEST_PLACE = 2**31 - 1


class Engine:
    """The durable queue of turns in one database.

    `turn(turn_id, step, stop)` returns the outcome of a question; at most `workers` run at once. `on_poison(turn_id)`
    hears of a turn killing its process, perhaps twice. `hourly` runs at launch and every hour, in one engine at a time.
    Never call these methods inside a turn: DBOS would record them as its steps.
    """

    _owner: ClassVar[Lock] = Lock()

    def __init__(
        self,
        database_url: str,
        data_dir: Path,
        turn: Turn,
        *,
        workers: int = 16,
        poll_seconds: float = 0.1,
        on_poison: Callable[[str], None] | None = None,
        hourly: Callable[[], None] | None = None,
    ) -> None:
        self.boot_id = f"bot-{uuid4()}"
        self._url = understood(database_url)
        self._data_dir = data_dir
        self._workers = workers
        self._poll_seconds = poll_seconds
        self._on_poison = on_poison
        self._hourly = hourly
        self._turns = Turns(turn, lambda turn_id: bool(self._stops.wanted([turn_id])))
        self._leases = _leases(self._url, data_dir)
        self._undo = ExitStack()

    def launch(self) -> None:
        """Start working, first on turns of dead processes. One engine per process."""
        if not self._owner.acquire(blocking=False):
            raise RuntimeError("An engine is already running in this process; close it first.")
        with ExitStack() as undo:
            undo.callback(self._owner.release)
            self._data_dir.mkdir(parents=True, exist_ok=True)
            undo.callback(self._end_lease)
            with reaching(self._url):
                self._leases.hold(self.boot_id)  # before the first turn can be marked as ours
                crashes = Crashes(self._url)
                self._stops = Stops(self._url, lambda: self._turns.running)
            undo.callback(
                lambda: crashes.forget([*self._turns.abandoned, *self._turns.postponed])
            )  # a clean end is no crash
            undo.callback(DBOS.destroy, destroy_registry=True)
            self._workflow = self._start_dbos()
            self._stops.start()
            undo.callback(self._stops.stop)
            tidy = partial(self._tidy, crashes)
            sweeper = Sweeper(self.boot_id, self._turns, self._leases, crashes, tidy, self._on_poison)
            sweeper.start()
            undo.callback(sweeper.stop)
            undo.callback(self._turns.stop, CLOSING_SECONDS)
            self._undo = undo.pop_all()

    def enqueue(self, turn_id: str, thread: ThreadKey) -> None:
        """Accept a question for good; repeating an id changes nothing. Thread-safe."""
        place = SetEnqueueOptions(queue_partition_key=str(thread), priority=_place(turn_id, thread))
        with SetWorkflowID(turn_id), place:
            DBOS.enqueue_workflow(QUEUE, self._workflow, turn_id)

    def stop(self, turn_id: str) -> None:
        """End an unfinished question now, or when its turn comes, in any process."""
        self._stops.want([turn.workflow_id for turn in self._unfinished(question_of(turn_id))])

    def stop_thread(self, thread: ThreadKey, before: float) -> int:
        """End the unfinished turns of a thread asked before the Slack time `before`; return their number."""
        near = self._unfinished(f"{thread.team}:{thread.channel}:")
        ids = [turn.workflow_id for turn in near if turn.queue_partition_key == str(thread)]
        earlier = [turn_id for turn_id in ids if said_at(turn_id) < before]
        self._stops.want(earlier)
        return len(earlier)

    def revise(self, turn_id: str, edited_ts: str, thread: ThreadKey) -> None:
        """Accept an edited question and end the turns of its older wordings. Repeating it changes nothing."""
        turn = revised(turn_id, edited_ts)
        unfinished = [older.workflow_id for older in self._unfinished(turn_id)]
        self._stops.want([older for older in unfinished if said_at(older) < said_at(turn)])
        self.enqueue(turn, thread)

    def unfinished(self) -> int:
        """Count accepted questions still waiting or running, in any process."""
        return len(self._unfinished())

    def close(self) -> None:
        """Stop. Running turns resume at the next launch. May be called twice."""
        self._undo.close()

    def _unfinished(self, prefix: str | None = None) -> list[WorkflowStatus]:
        return DBOS.list_workflows(
            status=["ENQUEUED", "PENDING"],
            queue_name=QUEUE,
            workflow_id_prefix=prefix,
            load_input=False,
            load_output=False,
        )

    def _tidy(self, crashes: Crashes) -> None:
        self._stops.forget(prune(datetime.now(UTC) - KEPT, crashes))
        if self._hourly:
            self._hourly()

    def _end_lease(self) -> None:
        if self._turns.idle:  # else it ends with the process, so that nobody resumes a turn that still runs
            self._leases.close()

    def _start_dbos(self) -> Callable[[str], str]:
        logging.getLogger("dbos").addHandler(logging.NullHandler())  # else it adds its own and prints
        DBOS(config=self._config())
        workflow = register(self._turns)
        DBOS.launch()
        DBOS.register_queue(
            QUEUE,
            partition_concurrency=1,
            worker_concurrency=self._workers,
            polling_interval_sec=self._poll_seconds,
            on_conflict="always_update",
        )
        return workflow

    def _config(self) -> DBOSConfig:
        return DBOSConfig(
            name="datathread",
            system_database_url=self._url.render_as_string(hide_password=False),
            sys_db_pool_size=CONNECTIONS,
            application_version=VERSION,
            executor_id=self.boot_id,
            serializer=JsonRecords(),
            log_level="WARNING",
            enable_otlp=False,
            notification_listener_polling_interval_sec=0.1,  # nothing is listened for; `close` waits for one round
        )


def understood(database_url: str) -> sa.URL:
    """Return the database URL with its driver. Raises ConfigError for other databases."""
    url = sa.make_url(database_url)
    drivers = {"sqlite": "sqlite", "postgresql": "postgresql+psycopg"}
    if url.get_backend_name() not in drivers:
        raise ConfigError(f"The engine cannot keep its queue in {url.drivername!r}; use sqlite:/// or postgresql://.")
    return url.set(drivername=drivers[url.get_backend_name()])


def _leases(url: sa.URL, data_dir: Path) -> Leases:
    return FileLeases(data_dir / "leases") if url.get_backend_name() == "sqlite" else AdvisoryLeases(url)


def _place(turn_id: str, thread: ThreadKey) -> int:
    begun, at = said_at(thread.thread_ts), said_at(turn_id)
    return min(max(int((at - begun) * 10), 0) + 1, LATEST_PLACE) if at and begun else 1
