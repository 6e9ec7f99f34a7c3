"""One local Slack for all contract tests of it, reset before each."""

from collections.abc import Iterator

import pytest
from slack_sdk import WebClient

from tests.slack_server import SlackServer, slack_server

REDELIVER_AFTER = "0.3"  # seconds; Slack's three would only make the tests slower


@pytest.fixture(scope="session")
def running_slack() -> Iterator[SlackServer]:
    with slack_server("--redeliver-after", REDELIVER_AFTER) as server:
        yield server


@pytest.fixture
def slack(running_slack: SlackServer) -> SlackServer:
    running_slack.wait_for_connections(0)
    running_slack.reset()
    return running_slack


@pytest.fixture
def client(slack: SlackServer) -> WebClient:
    return WebClient(token=slack.bot_token, base_url=slack.api_url, retry_handlers=[])
