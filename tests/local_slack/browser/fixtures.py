"""One server and one browser for all tests here; each test starts with an empty workspace and fresh windows."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, Page
from slack_sdk import WebClient

from local_slack.testing import SlackServer, slack_server
from tests.local_slack.browser.bolt_app import MANIFEST, Heard, bolt_app
from tests.local_slack.browser.chromium import Visitors, chromium, visiting


@pytest.fixture(scope="package")  # its event loop would stand in the way of what comes after
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="package")
def server() -> Iterator[SlackServer]:
    with slack_server() as running:
        yield running


@pytest.fixture
def slack(server: SlackServer) -> SlackServer:
    server.reset()
    return server


@pytest.fixture
def bot(server: SlackServer) -> WebClient:
    """The app's own client, as the bot would use it."""
    return WebClient(token=server.bot_token, base_url=server.api_url)


@pytest.fixture
def visitors(browser: Browser, slack: SlackServer) -> Iterator[Visitors]:
    with visiting(browser, slack) as opened:
        yield opened


@dataclass(frozen=True)
class AppSession:
    """A workspace in which the Bolt app is connected, and the pages that people open there."""

    slack: SlackServer
    heard: Heard
    bot: WebClient
    visitors: Visitors


@pytest.fixture(scope="package")
def app_server() -> Iterator[tuple[SlackServer, Heard]]:
    with slack_server("--manifest", str(MANIFEST)) as running, bolt_app(running) as heard:
        yield running, heard


@pytest.fixture(scope="module")
def window(browser: Browser, app_server: tuple[SlackServer, Heard]) -> Iterator[Page]:
    """One page for many tests: each that asks for `session` as well resets the workspace, and the page with it."""
    with visiting(browser, app_server[0]) as visitors:
        yield visitors.visit()


@pytest.fixture
def session(browser: Browser, app_server: tuple[SlackServer, Heard]) -> Iterator[AppSession]:
    slack, heard = app_server
    slack.reset()
    heard.payloads.clear()
    with visiting(browser, slack) as visitors:
        yield AppSession(slack, heard, WebClient(token=slack.bot_token, base_url=slack.api_url), visitors)
        slack.wait_until_quiet()  # else what follows would take the answer away from a page that still waits for it
