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

from ai.types import Step
from bot.engine.records import small_json

T = TypeVar("T")
Turn = Callable[[str, Step], str]
log = logging.getLogger(__name__)


class Abandoned(BaseException):
    """The engine is closing: leave the turn as it is, it will be resumed."""


class Turns:
    """The turns that this process is running."""

    def __init__(self, turn: Turn) -> None:
        self._turn = turn
        self.abandoned: list[str] = []
        self._running: list[str] = []
        self._closing = False
        self._changed = Condition()

    def run(self, turn_id: str) -> str:
        """The workflow body; gives the outcome word."""
        self._note(self._running.append, turn_id)
        try:
            return self._turn(turn_id, self._step)
        except Exception:  # the last border: an error that the turn let through must not hold up its thread
            log.exception("turn %s let an error through", turn_id)
            return "crashed"
        except Abandoned:
            self.abandoned.append(turn_id)
            raise
        finally:
            self._note(self._running.remove, turn_id)

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

    def _note(self, change: Callable[[str], None], turn_id: str) -> None:
        with self._changed:
            change(turn_id)
            self._changed.notify_all()


def register(turns: Turns) -> Callable[[str], str]:
    """Make the turns known to DBOS, which wants a function; call it before launching. The sweep counts attempts."""

    @DBOS.workflow(name="turn", max_recovery_attempts=None)
    def turn(turn_id: str) -> str:
        return turns.run(turn_id)

    return turn


def _recorded(name: str, fn: Callable[[], T]) -> T:
    return cast(T, small_json(name, fn()))
