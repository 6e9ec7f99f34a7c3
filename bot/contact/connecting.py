"""Build the connection to Slack from the settings."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from slack_bolt import App
from slack_bolt.authorization import AuthorizeResult
from slack_sdk import WebClient
from slack_sdk.http_retry.builtin_handlers import RateLimitErrorRetryHandler

from bot.contact.connections import HttpConnection, SlackConnection, SocketConnection
from bot.contact.greeting import Greeting
from bot.contact.missed import Missed
from bot.contact.watch import Mark, Watch
from bot.delivery import Calls, RateLimiter
from bot.listeners import Intake, register
from config import Settings

RATE_LIMIT_RETRIES = 5
QUICK_SECONDS = 2  # Slack wants its acknowledgement within three


def slack_client(settings: Settings) -> WebClient:
    """Return a client that waits out rate limits and repeats nothing else."""
    client = posting_client(settings)
    client.retry_handlers.append(RateLimitErrorRetryHandler(max_retry_count=RATE_LIMIT_RETRIES))
    return client


def posting_client(settings: Settings) -> WebClient:
    """Return a client that repeats nothing: a repeated post is a second one."""
    token = settings.slack_bot_token.get_secret_value() if settings.slack_bot_token else None
    return WebClient(token=token, base_url=settings.slack_api_url, retry_handlers=[])


def quick_client(settings: Settings) -> WebClient:
    """Return a client for calls before an acknowledgement: it gives up soon."""
    client = posting_client(settings)
    client.timeout = QUICK_SECONDS
    return client


def limiter_of(settings: Settings) -> RateLimiter:
    """Return Slack's rates, or only its 429s when pacing is off."""
    return RateLimiter() if settings.slack_pacing else RateLimiter({})


def bolt_app(client: WebClient, intake: Intake, greeting: Greeting) -> App:
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
    bolt = App(
        client=client,
        authorize=lambda: ourselves,
        request_verification_enabled=False,
        process_before_response=True,
        logger=logging.getLogger("slack_bolt"),
    )
    register(bolt, intake)
    return bolt


@contextmanager
def listening(
    settings: Settings, bolt: App, intake: Intake, limiter: RateLimiter, channels: Sequence[str]
) -> Iterator[None]:
    """Listen to Slack inside the block: on a socket with an app-level token, else over HTTP."""
    line: SlackConnection = HttpConnection()
    with ExitStack() as opened:
        if settings.slack_app_token is not None:
            line = SocketConnection(bolt, settings.slack_app_token.get_secret_value(), settings.slack_silence_seconds)
        opened.callback(line.close)
        missed = Missed(
            intake=intake,
            client=posting_client(settings),
            calls=Calls(limiter),
            channels=tuple(channels),
            hours=settings.catch_up_hours,
        )
        mark = Mark(settings.data_dir / "reached-until")
        watch = Watch(line, mark, settings.slack_silence_seconds, missed.catch_up)
        watch.start()
        opened.callback(watch.stop)
        yield
