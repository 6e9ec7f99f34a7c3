"""Launch the engine, run turns, close."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from bot.engine.adoption import adopt
from bot.engine.crashes import Crashes
from bot.engine.dispatch import Dispatcher, Room
from bot.engine.leases import FileLeases, Leases
from bot.engine.leases.postgres import AdvisoryLeases
from bot.engine.lines import Tell, WaitingLines
from bot.engine.outage import driver_errors, is_outage, reaching
from bot.engine.queue import TurnQueue
from bot.engine.sweep import Duties, Sweeper
from bot.engine.workflow import Turn

CLOSING_SECONDS = 0.8
HANG_SECONDS = 900.0


def nothing(*_: object) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Hooks:
    on_poison: Callable[[str], None] = nothing  # hears of a turn killing its process, perhaps twice
    hourly: Callable[[], None] = nothing  # also at launch, in one engine at a time
    on_wait: Tell = nothing  # hears how many are before a question
    hang_seconds: float = HANG_SECONDS  # a turn with a longer step is stopped, and then begun anew


ROOM, NO_HOOKS = Room(), Hooks()


class Engine(TurnQueue):
    """The queue, and the threads that answer it.

    `turn(turn_id, step, stop)` returns the outcome of a question.
    """

    def __init__(
        self,
        database_url: str,
        data_dir: Path,
        turn: Turn,
        room: Room = ROOM,
        hooks: Hooks = NO_HOOKS,
    ) -> None:
        self._name = f"bot-{uuid4()}"
        super().__init__(database_url, data_dir, self._name)
        is_sqlite = self._database.is_sqlite
        self._leases: Leases = FileLeases(data_dir / "leases") if is_sqlite else AdvisoryLeases(self._database.url)
        self._dispatcher = Dispatcher(self.store, turn, room)
        self._lines = WaitingLines(self.store, hooks.on_wait)
        self._hooks = hooks
        self._undo = ExitStack()

    def launch(self) -> None:
        """Start working, first on turns of dead processes."""
        with ExitStack() as undo:
            undo.callback(self._database.close)
            undo.callback(self._bell.close)
            with reaching(self._database.url):
                self.store.create()
                self._leases.hold(self._name)  # before the first turn can be marked as ours
                crashes = Crashes(self._database)
                adopt(self._database, self._leases)
            undo.callback(self._end_lease)
            self._bell.listen(self._hear)
            self._dispatcher.start()
            undo.callback(self._dispatcher.close, CLOSING_SECONDS)
            sweeper = Sweeper(self._name, self.store, self._dispatcher, self._leases, crashes, self._duties())
            sweeper.start()
            undo.callback(sweeper.stop)
            self._undo = undo.pop_all()

    def close(self) -> None:
        """Stop. Running turns resume at the next launch. May be called twice."""
        self._undo.close()

    def _ring(self) -> None:
        self._dispatcher.ring()
        super()._ring()

    def _hear(self) -> None:
        self._dispatcher.ring()
        try:
            wanted = self.store.wanted([each.run.turn_id for each in self._dispatcher.running])
        except driver_errors() as error:
            if not is_outage(error):
                raise
            return  # the sweep looks for them; whoever listens to the bell must go on
        self._dispatcher.stop(wanted)

    def _duties(self) -> Duties:
        def wait() -> None:
            self._lines.tell(is_full=self._dispatcher.is_full)

        return Duties(self._hooks.hourly, self._hooks.on_poison, wait, self._hooks.hang_seconds)

    def _end_lease(self) -> None:
        if not self._dispatcher.running:  # else it ends with the process, so that nobody resumes a turn that still runs
            self._leases.close()
