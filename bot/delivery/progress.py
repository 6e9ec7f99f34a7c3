"""Show people the work on a turn: Slack's status at once, soon a plan of its steps with Stop."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Timer
from time import monotonic

from slack_sdk.errors import SlackApiError

from ai.errors import SourceUnavailable

PLACEHOLDER_SECONDS = 2.5
FIRST = "Reading the question…"
STATUS_LENGTH = 100
STEP_SECONDS = 10.0  # between two changes of a plan: each is a call
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Screen:
    """Shows a status line (False when refused), opens a plan of the steps so far (its ts), changes it."""

    status: Callable[[str], bool]
    open: Callable[[Sequence[str]], str]
    change: Callable[[str, Sequence[str]], object]


class Progress:
    """The progress of one turn, from `begin` on. A resumed turn does not begin again."""

    def __init__(self, screen: Screen, seconds: float, step_seconds: float = STEP_SECONDS) -> None:
        self._screen = screen
        self._seconds = seconds
        self._timer: Timer | None = None
        self._step_seconds = step_seconds
        self._changed = 0.0
        self._steps = [FIRST]
        self.placeholder: str | None = None

    def __enter__(self) -> "Progress":
        return self

    def begin(self) -> str:
        """Show the first status; return "" as the step's value."""
        self._screen.status(as_status(FIRST))
        self._timer = Timer(self._seconds, self._open)
        self._timer.daemon = True
        self._timer.start()
        return ""

    def wait(self, text: str) -> None:
        """Show words before the work begins."""
        self._screen.status(as_status(text))

    def say(self, text: str) -> None:
        """Add a step. Before there is a plan that costs no call, and none soon after the last change."""
        if text != self._steps[-1]:
            self._steps.append(text)
        if self.placeholder is not None and monotonic() - self._changed >= self._step_seconds:
            self._screen.change(self.placeholder, tuple(self._steps))
            self._changed = monotonic()

    def __exit__(self, *error: object) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer.join()

    def _open(self) -> None:
        try:
            self._changed = monotonic()
            self.placeholder = self._screen.open(tuple(self._steps))
        except (SlackApiError, SourceUnavailable) as error:  # the answer says why it cannot be shown
            log.info("no placeholder is shown (%s)", type(error).__name__)


def as_status(text: str) -> str:
    """Return a status for display behind the app's name: "is reading the question…"."""
    word = text.partition(" ")[0]
    return (f"is {text[0].lower()}{text[1:]}" if word.endswith("ing") else text)[:STATUS_LENGTH]
