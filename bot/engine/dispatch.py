"""Hand turns to threads, and write down what becomes of them: one thread does both, many turns in one transaction.

It sleeps until something rings: a question, the end of a turn, a wish to stop one.
"""

import logging
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from threading import Condition, Event, Thread
from time import monotonic, time

from bot.engine.hands import Hands
from bot.engine.notebook import Notebook
from bot.engine.outage import is_outage
from bot.engine.shares import Load, Party, Places, Rules, WaitingTurn, chosen
from bot.engine.store import TurnRun, TurnStore
from bot.engine.workflow import Running, Turn, stored, work

LONG_SECONDS = 1.0  # in a query for so long, a turn leaves its place to another
COMPUTING = 4  # turns at once: they share one interpreter, and more of them would all end later
QUICK_PLACES = 2  # more, for turns that ask no database: slow ones never hold them up
AGAIN_SECONDS = 0.05  # between two looks while somebody waits and there is no room
LOOKING = 5  # a look among many who wait is not repeated before so many times its own length
AWAY_SECONDS = 1.0
REPEAT_STOP_SECONDS = 0.25
GIVING_SECONDS = 0.2
log = logging.getLogger(__name__)


def never(channel: str) -> bool:  # noqa: ARG001
    return False


@dataclass(frozen=True, slots=True)
class Room:
    """How many turns run at once, the channels full of answers now, and the weights of parties."""

    workers: int = 16
    is_held: Callable[[str], bool] = never
    weights: Mapping[str, float] = field(default_factory=dict)
    giving_seconds: float = GIVING_SECONDS  # for which a turn gives way, in all

    def free(self, running: Collection[Running]) -> Places:
        """Return how many turns may begin. Long queries leave their places, up to as many again."""
        now = monotonic()
        slow = [turn for turn in running if not turn.is_quick]
        computing = sum(turn.computes for turn in slow)
        long = sum(not turn.computes and now - turn.since > LONG_SECONDS for turn in slow)
        places = self.workers - len(slow) + min(long, self.workers)
        return Places(max(0, min(places, COMPUTING - computing)), max(0, QUICK_PLACES - len(running) + len(slow)))

    @property
    def rules(self) -> Rules:
        return Rules(self.is_held, self.weights)


class Dispatcher:
    """The turns of this process. `turn` runs one; what it does is reported to the store."""

    def __init__(self, store: TurnStore, turn: Turn, room: Room) -> None:
        self._store = store
        self._turn = turn
        self._room = room
        self._running: dict[TurnRun, Running] = {}
        self._notebook = Notebook()
        self._hands = Hands("turn")
        self._changed = Condition()
        self._wake = Event()
        self._is_rung = True
        self._is_away = False
        self._again: float | None = None  # seconds until the next look, where one is due anyway
        self._look = AGAIN_SECONDS  # that pause among many who wait
        self._is_closing = False
        self.is_full = False  # somebody waits for a place
        self._thread = Thread(target=self._loop, name="engine", daemon=True)

    def start(self) -> None:
        self._thread.start()

    @property
    def running(self) -> list[Running]:
        with self._changed:
            return list(self._running.values())

    def ring(self) -> None:
        """Look for turns to begin."""
        self._is_rung = True
        self._wake.set()

    def knows(self, turn_id: str) -> bool:
        """Whether a turn runs here, or what became of it is not yet written down."""
        return any(each.run.turn_id == turn_id for each in self.running) or self._notebook.holds(turn_id)

    def stop(self, turn_ids: Collection[str]) -> None:
        """Call the signals of these turns; one that runs on is called again."""
        for running in self.running:
            if running.run.turn_id in turn_ids:
                call(running)
        self._wake.set()

    def hand_on(self, running: Running) -> None:
        """Leave a hanging run to its thread; the turn begins anew."""
        self._leave(running, lambda: self._notebook.put_off(running.run, 0.0, stored(running.steps)))

    def close(self, grace: float) -> bool:
        """Let turns finish their step, interrupt those that exceed `grace` seconds; return whether all have ended."""
        self._is_closing = True
        for running in self.running:
            running.is_over = True
        if not self._idle_within(grace):
            for running in self.running:
                call(running)
            self._idle_within(grace)
        self._wake.set()
        self._thread.join(grace)
        self._hands.close()
        return not self._running

    # What runs report

    def record(self, running: Running, *, now: bool) -> None:
        is_first = self._notebook.waits() is None
        self._notebook.record(running.run, stored(running.steps), now=now)
        if now or is_first:
            self._wake.set()

    def end(self, running: Running, outcome: str) -> None:
        self._leave(running, lambda: self._notebook.end(running.run, outcome))

    def put_off(self, running: Running, seconds: float) -> None:
        due = time() + seconds if seconds else 0.0
        self._leave(running, lambda: self._notebook.put_off(running.run, due, stored(running.steps)))

    def give_way(self, running: Running) -> None:
        """Wait while a turn of somebody with fewer turns computes here, never long: they share one interpreter."""
        began = monotonic()
        with self._changed:
            self._changed.wait_for(lambda: not self._is_behind(running), self._room.giving_seconds - running.gave_way)
        running.gave_way += monotonic() - began

    def _is_behind(self, running: Running) -> bool:
        turns = Counter(each.party for each in self._running.values())
        own = turns[running.party]
        others = (each for each in self._running.values() if turns[each.party] < own and each.computes)
        return not running.is_over and any(others)

    def _leave(self, running: Running, note: Callable[[], None]) -> None:
        with self._changed:
            running.is_over = True
            if self._running.pop(running.run, None) is not None:  # else it was handed on, and is somebody else's
                note()
            self._changed.notify_all()
        self.ring()

    def _idle_within(self, seconds: float) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: not self._running, seconds)

    # The loop

    def _loop(self) -> None:
        while not self._is_closing:
            self._wake.wait(self._pause())
            self._wake.clear()
            self._repeat_stops()
            self._advance()
        self._advance()

    def _pause(self) -> float | None:
        if self._is_away:
            return AWAY_SECONDS
        waits = [self._notebook.waits(), self._again]
        if any(running.stop.is_called for running in self.running):
            waits.append(REPEAT_STOP_SECONDS)
        return min((wait for wait in waits if wait is not None), default=None)

    def _repeat_stops(self) -> None:
        for running in self.running:
            if running.stop.is_called:
                call(running)

    def _advance(self) -> None:
        is_rung, self._is_rung = self._is_rung, False  # before the look: what rings later is looked for again
        looks = (is_rung or self._again is not None) and not self._is_closing
        free = self._room.free(self.running) if looks else Places(0)
        self._again = self._look if looks and not free else None  # until the look says otherwise
        self.is_full = self.is_full or (looks and not free)
        news = self._notebook.take()
        if not (news or free):
            return
        began = monotonic()
        try:
            begun = self._store.advance(news, free, self._choose)
        except Exception as error:
            self._notebook.give_back(news)
            self._is_rung = self._is_away = True
            log.warning("the queue cannot be written (%s)", type(error).__name__, exc_info=not is_outage(error))
            return
        self._is_away, self._look = False, max(AGAIN_SECONDS, LOOKING * (monotonic() - began))
        for turn in begun:
            self._begin(Running.of(turn))

    def _choose(self, waiting: Sequence[WaitingTurn], elsewhere: Sequence[Party]) -> Sequence[WaitingTurn]:
        running = self.running
        computing = [each.party for each in running if each.computes]
        load = Load([*elsewhere, *(each.party for each in running)], computing)
        picked = chosen(waiting, load, self._room.free(running), self._room.rules)
        self.is_full = len(picked) < len(waiting)
        self._again = self._look if self.is_full else None
        return picked

    def _begin(self, running: Running) -> None:
        with self._changed:
            self._running[running.run] = running
        self._hands.do(partial(work, running, self._turn, self))


def call(running: Running) -> None:
    """Call a turn's signal in a thread of its own: an interrupt may take its time."""
    Thread(target=running.stop.call, name=f"stop {running.run.turn_id}", daemon=True).start()
