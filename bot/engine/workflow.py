"""One turn as one workflow: its steps are recorded, it ends in one outcome word, and it stops cleanly at shutdown.

The idea: when the engine closes, a turn stops at its next step, unrecorded and unanswered, and is resumed at the next
start. That is raised as `Abandoned`, which is no Exception, so the turn's own error border does not answer for it.
"""

import logging
from collections.abc import Callable
from functools import partial
from threading import Condition
from typing import TypeVar, cast

from dbos import DBOS

from ai.stopping import Stop
from ai.types import Step
from bot.engine.records import small_json

T = TypeVar("T")
Turn = Callable[[str, Step, Stop], str]
log = logging.getLogger(__name__)


class Abandoned(BaseException):
    """The engine is closing: leave the turn as it is, it will be resumed."""


class Turns:
    """The turns that this process is running. `is_unwanted(turn_id)` says of one that begins whether it is to end."""

    def __init__(self, turn: Turn, is_unwanted: Callable[[str], bool]) -> None:
        self._turn = turn
        self._is_unwanted = is_unwanted
        self.abandoned: list[str] = []
        self._running: dict[str, Stop] = {}
        self._closing = False
        self._changed = Condition()

    def run(self, turn_id: str) -> str:
        """The workflow body; gives the outcome word."""
        stop = Stop()
        with self._changed:
            self._running[turn_id] = stop
        try:
            if self._is_unwanted(turn_id):
                stop.call()
            return self._turn(turn_id, self._step, stop)
        except Exception:  # the last border: an error that the turn let through must not hold up its thread
            log.exception("turn %s let an error through", turn_id)
            return "crashed"
        except Abandoned:
            self.abandoned.append(turn_id)
            raise
        finally:
            with self._changed:
                del self._running[turn_id]
                self._changed.notify_all()

    @property
    def running(self) -> dict[str, Stop]:
        """The signal of each turn that runs here now."""
        with self._changed:
            return dict(self._running)

    @property
    def idle(self) -> bool:
        return not self._running

    def runs(self, turn_id: str) -> bool:
        return turn_id in self._running

    def stop(self, grace: float) -> None:
        """Let running turns go no further than their current step, and wait up to `grace` seconds for that."""
        with self._changed:
            self._closing = True
            self._changed.wait_for(lambda: self.idle, grace)

    def _step(self, name: str, fn: Callable[[], T]) -> T:
        if self._closing:
            raise Abandoned
        try:
            return DBOS.run_step({"name": name}, partial(_recorded, name, fn))
        except Exception as error:  # of `fn`, or of DBOS when it was destroyed before `fn` came back
            if self._closing:
                raise Abandoned from error
            raise


def register(turns: Turns) -> Callable[[str], str]:
    """Make the turns known to DBOS, which wants a function; call it before launching. The sweep counts attempts."""

    @DBOS.workflow(name="turn", max_recovery_attempts=None)
    def turn(turn_id: str) -> str:
        return turns.run(turn_id)

    return turn


def _recorded(name: str, fn: Callable[[], T]) -> T:
    return cast(T, small_json(name, fn()))
