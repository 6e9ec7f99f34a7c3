"""Find turns of dead processes and hanging turns, and do the work of every hour.

A running turn without a lease of its engine has no process; it waits again, first in its thread. A turn killing its
processes again and again is given up. One engine at a time does this.
"""

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Event, Thread
from time import monotonic, time

from bot.engine.crashes import Crashes, Record
from bot.engine.dispatch import Dispatcher
from bot.engine.leases import Leases
from bot.engine.outage import is_outage
from bot.engine.store import Lost, TurnStore
from bot.engine.workflow import Running

SWEEP_SECONDS = 1.0
RENEW_SECONDS = 2.0
MISSING_SECONDS = 5.0  # for a turn to be written down here as running, or as ended
GRACE_SECONDS = 5.0  # for a turn that hangs to heed its signal
HOUR = 3600.0
KEPT_SECONDS = 7 * 86_400.0  # Slack redelivers within minutes; the rest is for looking into what happened
BATCH = 1000
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Duties:
    """What the sweep does for others: `hourly` work, a note `on_poison`, words for those who `wait`."""

    hourly: Callable[[], None]
    on_poison: Callable[[str], None]
    wait: Callable[[], None]
    hang_seconds: float


class Sweeper:
    """Looks after the queue in its own thread, in the name of `engine`."""

    def __init__(
        self, engine: str, store: TurnStore, dispatcher: Dispatcher, leases: Leases, crashes: Crashes, duties: Duties
    ) -> None:
        self._engine = engine
        self._store = store
        self._dispatcher = dispatcher
        self._leases = leases
        self._crashes = crashes
        self._duties = duties
        self._stopping = Event()
        self._missing: dict[Lost, float] = {}
        self._renewed = self._tidied = -HOUR
        self._thread = Thread(target=self._loop, name="engine-sweep", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join(GRACE_SECONDS)

    def sweep(self) -> None:
        if monotonic() - self._renewed >= RENEW_SECONDS:
            self._leases.renew()
            self._renewed = monotonic()
        is_due, running, stopped = self._store.look()
        self._dispatcher.stop(stopped)
        self._end_hanging()
        self._duties.wait()
        lost = [*self._of_the_dead(running), *self._forsaken(running)]
        is_hour = monotonic() - self._tidied >= HOUR
        if lost or is_hour:
            with self._leases.alone() as alone:
                if alone:
                    self._resume(lost)
                    self._tidy(is_hour)
        if is_due or lost:
            self._dispatcher.ring()

    def _of_the_dead(self, running: Sequence[Lost]) -> list[Lost]:
        others = {turn.engine for turn in running} - {self._engine}
        dead = {engine for engine in others if self._leases.is_free(engine)}
        return [turn for turn in running if turn.engine in dead]

    def _forsaken(self, running: Sequence[Lost]) -> list[Lost]:
        """Return turns that run here by their rows alone: handing them out, or writing their end, failed."""
        ours = {turn._replace(steps=0) for turn in running if turn.engine == self._engine}
        unknown = {turn for turn in ours if not self._dispatcher.knows(turn.turn_id)}
        now = monotonic()
        self._missing = {turn: self._missing.get(turn, now) for turn in unknown}
        return [turn for turn, since in self._missing.items() if now - since > MISSING_SECONDS]

    def _end_hanging(self) -> None:
        """Call the signal of a turn that gets nowhere, and hand it on where it does not heed it."""
        for running in self._dispatcher.running:
            idle = monotonic() - running.since
            if idle > self._duties.hang_seconds + GRACE_SECONDS:
                self._hand_on(running)
            elif idle > self._duties.hang_seconds:
                self._dispatcher.stop([running.run.turn_id])

    def _hand_on(self, running: Running) -> None:
        turn_id = running.run.turn_id
        log.error("turn %s hangs; it is begun anew", turn_id)
        number = f"{self._engine}/{running.run.number}"  # each run that hangs counts as a loss of its own
        if self._crashes.note(turn_id, number, len(running.steps), alone=True).guilty:
            self._give_up(turn_id)
        self._dispatcher.hand_on(running)

    def _resume(self, lost: Sequence[Lost]) -> None:
        together = Counter(turn.engine for turn in lost)
        records = {turn: self._note(turn, alone=together[turn.engine] == 1) for turn in lost}
        resumed = [turn for turn, record in records.items() if not (record.suspect or record.guilty)]
        suspects = [turn for turn, record in records.items() if record.suspect]
        if suspects and not self._on_trial(suspects):
            resumed.append(suspects[0])
        if resumed:
            log.warning("resuming turns that nobody is at: %s", ", ".join(turn.turn_id for turn in resumed))
            self._store.give_back(resumed)
        for turn in (turn for turn, record in records.items() if record.guilty):
            self._give_up(turn.turn_id)

    def _note(self, turn: Lost, *, alone: bool) -> Record:
        return self._crashes.note(turn.turn_id, turn.engine, turn.steps, alone=alone)

    def _on_trial(self, waiting: Sequence[Lost]) -> bool:
        others = set(self._crashes.suspects()).difference(turn.turn_id for turn in waiting)
        return self._store.is_unfinished(list(others))

    def _give_up(self, turn_id: str) -> None:
        log.error("turn %s ends its process again and again; giving it up", turn_id)
        self._duties.on_poison(turn_id)
        self._store.give_up(turn_id)  # after the note: dying in between repeats a note, the other way it would be lost

    def _tidy(self, is_hour: bool) -> None:
        if is_hour:
            self._tidied = monotonic()  # before the work: what fails is tried again in an hour, not with every sweep
            prune(self._store, self._crashes, time() - KEPT_SECONDS)
            self._duties.hourly()

    def _loop(self) -> None:
        while not self._stopping.is_set():
            try:
                self.sweep()
            except Exception as error:  # the job border: the next round tries again
                trace = None if is_outage(error) else error
                log.warning("the sweep failed and will be tried again (%s)", type(error).__name__, exc_info=trace)
            self._stopping.wait(SWEEP_SECONDS)


def prune(store: TurnStore, crashes: Crashes, before: float) -> list[str]:
    """Delete turns that ended before `before`, in seconds of the epoch; return their ids."""
    deleted: list[str] = []
    while ids := store.prune(before, BATCH):
        crashes.forget(ids)
        deleted += ids
    return deleted
