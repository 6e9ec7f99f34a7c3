"""One server and one browser for all tests here; each test starts with an empty workspace and fresh windows."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser
from slack_sdk import WebClient

from tests.browser.chromium import Visitors, chromium
from tests.slack_server import SlackServer, slack_server


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
    opened = Visitors(browser, slack)
    yield opened
    opened.leave()
    assert opened.complaints == []
