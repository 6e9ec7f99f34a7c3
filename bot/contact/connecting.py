"""Build the connection to Slack from the settings."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import time
from typing import Any

from slack_bolt import App
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.response import BoltResponse
from slack_sdk import WebClient
from slack_sdk.http_retry.builtin_handlers import RateLimitErrorRetryHandler

from bot.contact.connections import HttpConnection, SlackConnection, SocketConnection
from bot.contact.gaps import Gaps
from bot.contact.greeting import Greeting
from bot.contact.ledger import Arrivals, GapLedger
from bot.contact.missed import Missed
from bot.contact.reception import Reception
from bot.contact.waiting import waiting
from bot.contact.watch import Watch, own_gap
from bot.delivery import SLACK_LIMITS, Calls, RateLimiter, shared
from bot.engine import despite_outage
from bot.inbound import is_for, spool_for
from bot.listeners import Intake, Notes, Receive, register, take_events
from bot.monitoring import SILENT, Meter, WatchedClient
from config import Settings

RATE_LIMIT_RETRIES = 5
log = logging.getLogger(__name__)
QUICK_SECONDS = 2  # Slack wants its acknowledgement within three
LOOK_PAUSES = (0.5, 1.0, 2.0)  # a look that fails is made again
OLD_MARK = "reached-until"  # the file that kept the mark of all lines before there was a ledger


def slack_client(settings: Settings, meter: Meter = SILENT) -> WebClient:
    """Return a client that waits out rate limits and repeats nothing else."""
    client = posting_client(settings, meter)
    client.retry_handlers.append(RateLimitErrorRetryHandler(max_retry_count=RATE_LIMIT_RETRIES))
    return client


def posting_client(settings: Settings, meter: Meter = SILENT) -> WebClient:
    """Return a client that repeats nothing: a repeated post is a second one."""
    token = settings.slack_bot_token.get_secret_value() if settings.slack_bot_token else None
    if meter is SILENT:
        return WebClient(token=token, base_url=settings.slack_api_url, retry_handlers=[])
    client = WatchedClient(token=token, base_url=settings.slack_api_url, retry_handlers=[])
    client.meter = meter
    return client


def quick_client(settings: Settings, meter: Meter = SILENT) -> WebClient:
    """Return a client for calls before an acknowledgement: it gives up soon."""
    client = posting_client(settings, meter)
    client.timeout = QUICK_SECONDS
    return client


def limiter_of(settings: Settings, of_many: int = 1, meter: Meter = SILENT) -> RateLimiter:
    """Return Slack's rates for one `of_many` processes, or only its 429s when pacing is off."""
    rules = shared(SLACK_LIMITS, of_many) if settings.slack_pacing else {}
    return RateLimiter(rules, on_repeat=partial(meter.add, "retries", what="slack"))


def bolt_app(client: WebClient, intake: Intake, greeting: Greeting, receive: Receive | None = None) -> App:
    """Return the Bolt app with every surface, for requests already verified.

    Bolt is told our identity. It would ask Slack at the first event, and drop the event on failure.
    """
    ourselves = AuthorizeResult(
        enterprise_id=greeting.enterprise_id or None,
        team_id=greeting.team_id,
        bot_user_id=greeting.user_id,
        bot_id=greeting.bot_id,
        bot_token=client.token,
    )

    def ours_alone(body: Mapping[str, Any], next: Callable[[], BoltResponse]) -> BoltResponse:
        if is_for(body, intake.people.home.ids):
            return next()
        log.warning("an event is left out, as it is for another workspace")
        return BoltResponse(status=200)

    bolt = App(
        name="datathread",  # else Bolt reads the source of every caller to name itself
        client=client,
        authorize=lambda: ourselves,
        request_verification_enabled=False,
        process_before_response=True,
        before_authorize=ours_alone,
        logger=logging.getLogger("slack_bolt"),
    )
    register(bolt, intake, receive)
    return bolt


@dataclass(frozen=True, slots=True)
class Contact:
    """Parts of a line to Slack."""

    arrivals: Arrivals
    gaps: Gaps
    missed: Missed
    reception: Reception

    def open_gap(self, heard_at: float) -> None:
        """Open a gap from what was stored for certain when Slack was last heard."""
        self.gaps.open(own_gap(self.arrivals, self.arrivals.stored_until(heard_at)))


def line_of(
    settings: Settings, intake: Intake, limiter: RateLimiter, channels: Sequence[str], notes: Notes, client: WebClient
) -> Contact:
    missed = Missed(
        intake=intake,
        client=client,
        calls=Calls(limiter, LOOK_PAUSES),
        channels=tuple(channels),
        hours=settings.catch_up_hours,
    )
    arrivals, gaps = Arrivals(), Gaps(missed)
    take, read = partial(take_events, intake), partial(waiting, intake=intake)
    reception = Reception(take, read, spool_for(settings.data_dir), gaps, arrivals, notes.post)
    return Contact(arrivals, gaps, missed, reception)


@contextmanager
def listening(settings: Settings, bolt: App, line: Contact, ledger: GapLedger) -> Iterator[None]:
    """Listen to Slack inside the block: on a socket with an app-level token, else over HTTP."""
    with ExitStack() as opened:
        ledger.hold()
        _open_first_gap(line, ledger, settings.data_dir / OLD_MARK)
        ledger.beat(line.arrivals.stored_until(time()))
        opened.callback(_leave, line, ledger)
        line.reception.start()
        opened.callback(line.reception.stop)
        connection: SlackConnection = HttpConnection()
        if (token := settings.slack_app_token) is not None:
            silence = settings.slack_silence_seconds
            arrivals, accept = line.arrivals, line.reception.accept
            connection = SocketConnection(bolt, token.get_secret_value(), silence, arrivals, line.open_gap, accept)
        line.gaps.start()  # now, so that one look covers the time until the connection too
        opened.callback(line.gaps.stop)
        watch = Watch(connection, ledger, line.gaps, line.arrivals, settings.slack_silence_seconds)
        watch.start()
        opened.callback(watch.stop)
        opened.callback(connection.close)
        yield


def _open_first_gap(line: Contact, ledger: GapLedger, old_mark: Path) -> None:
    marks = ledger.marks() or ([old_mark.stat().st_mtime] if old_mark.exists() else [])
    if (since := line.missed.since(marks)) is not None:
        line.gaps.open(own_gap(line.arrivals, since, lambda _: old_mark.unlink(missing_ok=True)))
    for gap in ledger.left_behind():
        line.gaps.open(gap)


def _leave(line: Contact, ledger: GapLedger) -> None:
    """Close the line with its last mark; where that cannot be written the older one stays."""
    with despite_outage():
        ledger.close(line.arrivals.stored_until(time()))
