"""Watch the line to Slack: renew a silent one, enter its mark, open the gaps that it or others leave."""

import logging
from collections.abc import Callable
from itertools import count
from threading import Event, Thread
from time import time

from bot.contact.connections import SlackConnection
from bot.contact.gaps import Gap, Gaps
from bot.contact.ledger import Arrivals, GapLedger
from bot.engine import is_outage

CLOSING_SECONDS = 5.0
TOUCH_SECONDS = 0.5
TOUCHES = 4  # from one beat in the ledger to the next
log = logging.getLogger(__name__)


class Watch:
    """Watches the line in its own thread; `silence` is in seconds."""

    def __init__(
        self, line: SlackConnection, ledger: GapLedger, gaps: Gaps, arrivals: Arrivals, silence: float
    ) -> None:
        self._line = line
        self._ledger = ledger
        self._gaps = gaps
        self._arrivals = arrivals
        self._silence = silence
        self._renewed_at = 0.0
        self._is_told = False
        self._closing = Event()
        self._thread = Thread(target=self._run, name="watch", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._closing.set()
        self._thread.join(CLOSING_SECONDS)

    def glance(self) -> None:
        """Show that this process lives, and see whether the others on this machine do."""
        self._ledger.touch()
        self._gaps.suspect(self._ledger.suspected_since())

    def look(self) -> None:
        """See to the own line, then to those of others."""
        heard = self._line.heard_at()
        if (is_broken := self._line.is_broken()) or time() - max(heard, self._renewed_at) > self._silence:
            why = (
                "what Slack said cannot be read"
                if is_broken
                else f"nothing was heard from Slack for {time() - heard:.0f} s"
            )
            log.warning("%s: connecting anew", why)
            self._renewed_at = time()
            self._line.renew()
        self._ledger.beat(self._arrivals.stored_until(heard))
        for gap in self._ledger.left_behind():
            self._gaps.open(gap)
        self._is_told = False

    def _run(self) -> None:
        for number in count():
            self.glance()
            if self._closing.wait(TOUCH_SECONDS):
                return
            try:
                if number % TOUCHES == 0:
                    self.look()
            except Exception as error:  # the border of a job: whatever went wrong, it is looked again
                if not is_outage(error):
                    log.exception("the line to Slack could not be seen to; trying again")
                elif not self._is_told:
                    log.warning("the mark of the line cannot be entered (%s)", type(error).__name__)
                    self._is_told = True


def own_gap(arrivals: Arrivals, since: float, closed: Callable[[float], None] = lambda _: None) -> Gap:
    """Return a gap of this line: its mark stays before it until it is closed."""
    owed = object()
    arrivals.came(owed, since)

    def over(moment: float) -> None:
        closed(moment)
        arrivals.over(owed)

    return Gap(since, over)
