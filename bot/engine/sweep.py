"""Resume the turns of dead processes, and give up turns that keep killing theirs.

A running turn whose engine holds no lease has no process. One engine at a time puts such turns back at the head of
their thread and does the hourly work. Each engine also finds turns it lost itself.
"""

import logging
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from threading import Event, Thread
from time import time

from dbos import DBOS, WorkflowStatus

from bot.engine.crashes import Crashes, Record
from bot.engine.lease import Leases
from bot.engine.workflow import Turns

QUEUE = "turns"
SWEEP_SECONDS = 2.0
STUCK_SECONDS = 30.0
HOUR = timedelta(hours=1)
KEPT = timedelta(days=7)  # Slack redelivers within minutes; the rest is for looking into what happened
BATCH = 1000
ENDED = ["SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"]
log = logging.getLogger(__name__)


class Sweeper:
    """Looks after lost turns in its own thread."""

    def __init__(
        self,
        engine: str,
        turns: Turns,
        leases: Leases,
        crashes: Crashes,
        hourly: Callable[[], None],
        on_poison: Callable[[str], None] | None,
    ) -> None:
        self._engine = engine
        self._turns = turns
        self._leases = leases
        self._crashes = crashes
        self._hourly = hourly
        self._on_poison = on_poison
        self._stopping = Event()
        self._tidied = datetime.min.replace(tzinfo=UTC)
        self._thread = Thread(target=self._loop, name="engine-sweep", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join()

    def sweep(self) -> None:
        """Resume lost turns and do the hourly work, unless another engine is sweeping."""
        with self._leases.alone() as alone:
            if alone:
                self._resume(self._lost())
                self._tidy()

    def _lost(self) -> list[WorkflowStatus]:
        running = DBOS.list_workflows(status="PENDING", queue_name=QUEUE, load_input=False, load_output=False)
        others = {turn.executor_id or "" for turn in running} - {self._engine}
        dead = {engine for engine in others if self._leases.is_free(engine)}
        return [turn for turn in running if turn.executor_id in dead or self._is_forsaken(turn)]

    def _is_forsaken(self, turn: WorkflowStatus) -> bool:
        """Return whether a turn of this engine was put off, failed before it began, or could not record its end."""
        ours = turn.executor_id == self._engine and not self._turns.runs(turn.workflow_id)
        stuck = time() - (turn.dequeued_at or 0) / 1000 > STUCK_SECONDS
        return ours and (stuck or turn.workflow_id in self._turns.postponed)

    def _resume(self, lost: list[WorkflowStatus]) -> None:
        together = Counter(turn.executor_id for turn in lost)
        records = {turn.workflow_id: self._note(turn, alone=together[turn.executor_id] == 1) for turn in lost}
        resumed = [turn_id for turn_id, record in records.items() if not (record.suspect or record.guilty)]
        suspects = [turn_id for turn_id, record in records.items() if record.suspect]
        if suspects and not self._on_trial(suspects):
            resumed.append(suspects[0])
        if resumed:
            log.warning("resuming turns that nobody is at: %s", ", ".join(resumed))
            self._turns.postponed.difference_update(resumed)  # before it runs again: it would look put off until then
            DBOS.resume_workflows(resumed, queue_name=QUEUE)
        for turn_id in (turn_id for turn_id, record in records.items() if record.guilty):
            self._give_up(turn_id)

    def _note(self, turn: WorkflowStatus, *, alone: bool) -> Record:
        steps = DBOS.list_workflow_steps(turn.workflow_id, load_output=False)
        return self._crashes.note(turn.workflow_id, turn.executor_id or "", len(steps), alone=alone)

    def _on_trial(self, waiting: list[str]) -> bool:
        others = list(set(self._crashes.suspects()).difference(waiting))
        unfinished = ["ENQUEUED", "PENDING"]
        return bool(
            others and DBOS.list_workflows(workflow_ids=others, status=unfinished, load_input=False, load_output=False)
        )

    def _give_up(self, turn_id: str) -> None:
        log.error("turn %s ends its process again and again; giving it up", turn_id)
        if self._on_poison:
            self._on_poison(turn_id)
        DBOS.cancel_workflow(turn_id)  # after the note: dying in between repeats a note, the other way it would be lost

    def _tidy(self) -> None:
        now = datetime.now(UTC)
        if now - self._tidied > HOUR:
            self._tidied = now  # before the work: what fails is tried again in an hour, not with every sweep
            self._hourly()

    def _loop(self) -> None:
        while not self._stopping.is_set():
            try:
                self.sweep()
            except Exception:  # the job border: the next round tries again
                log.exception("the sweep failed and will be tried again")
            self._stopping.wait(SWEEP_SECONDS)


def prune(before: datetime, crashes: Crashes) -> list[str]:
    """Delete turns that ended before `before`; return their ids."""
    deleted: list[str] = []
    while ids := _ended(before):
        DBOS.delete_workflows(ids)
        crashes.forget(ids)
        deleted += ids
    return deleted


def _ended(before: datetime) -> list[str]:
    ended = DBOS.list_workflows(
        status=ENDED,
        completed_before=before.isoformat(),
        limit=BATCH,
        load_input=False,
        load_output=False,
    )
    return [turn.workflow_id for turn in ended]
