"""Run one turn as one workflow with recorded steps.

When the engine closes, or a database is away, the turn stops unrecorded at a step and resumes later. `Postponed` is no
Exception, so the turn's own error border lets it pass.
"""

import logging
from collections.abc import Callable
from functools import partial
from threading import Condition
from typing import TypeVar, cast

from dbos import DBOS

from ai.errors import Stopped
from ai.stopping import Stop
from ai.types import Step
from bot.engine.outage import is_outage
from bot.engine.records import small_json

T = TypeVar("T")
Turn = Callable[[str, Step, Stop], str]
log = logging.getLogger(__name__)


class Postponed(BaseException):
    """Leave the turn unfinished; it runs again within a minute, with its recorded steps."""


class Abandoned(Postponed):
    """The engine is closing; the turn resumes at the next start."""


class Turns:
    """The turns running in this process. `is_unwanted(turn_id)` tells of an early stop request."""

    def __init__(self, turn: Turn, is_unwanted: Callable[[str], bool]) -> None:
        self._turn = turn
        self._is_unwanted = is_unwanted
        self.abandoned: list[str] = []
        self.postponed: set[str] = set()  # those that nobody has resumed yet
        self._running: dict[str, Stop] = {}
        self._closing = False
        self._changed = Condition()

    def run(self, turn_id: str) -> str:
        stop = Stop()
        with self._changed:
            self._running[turn_id] = stop
        try:
            if self._is_unwanted(turn_id):
                stop.call()
            outcome = self._turn(turn_id, self._step, stop)
        except Exception as error:  # the last border: an error that the turn let through must not hold up its thread
            if is_outage(error):
                self.postponed.add(turn_id)
                raise Postponed from error
            log.exception("turn %s let an error through", turn_id)
            outcome = "crashed"
        except Abandoned:
            self.abandoned.append(turn_id)
            raise
        except Postponed:
            self.postponed.add(turn_id)
            raise
        finally:
            with self._changed:
                del self._running[turn_id]
                self._changed.notify_all()
        return outcome

    @property
    def running(self) -> dict[str, Stop]:
        with self._changed:
            return dict(self._running)

    @property
    def idle(self) -> bool:
        return not self._running

    def runs(self, turn_id: str) -> bool:
        return turn_id in self._running

    def stop(self, grace: float) -> None:
        """Let turns finish their current step; interrupt those that exceed `grace` seconds."""
        self._closing = True
        if not self._idle_within(grace):
            for stop in self.running.values():
                stop.call()
            self._idle_within(grace)

    def _idle_within(self, seconds: float) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: self.idle, seconds)

    def _step(self, name: str, fn: Callable[[], T]) -> T:
        if self._closing:
            raise Abandoned
        try:
            return DBOS.run_step({"name": name}, partial(self._recorded, name, fn))
        except Exception as error:  # of `fn`, or of DBOS when it was destroyed before `fn` came back
            if self._closing:
                raise Abandoned from error
            raise

    def _recorded(self, name: str, fn: Callable[[], T]) -> T:
        try:
            value = fn()
        except Stopped as error:
            if self._closing:
                raise Abandoned from error
            raise
        except Exception as error:
            if is_outage(error):
                raise Postponed from error
            raise
        return cast(T, small_json(name, value))


def register(turns: Turns) -> Callable[[str], str]:
    @DBOS.workflow(name="turn", max_recovery_attempts=None)
    def turn(turn_id: str) -> str:
        return turns.run(turn_id)

    return turn
