"""One local Slack for each module of contract tests, reset before each test."""

from collections.abc import Sequence

import pytest
from slack_sdk import WebClient

from local_slack.testing import SlackServer

REDELIVER_AFTER = "0.3"  # seconds; Slack's three would only make the tests slower


@pytest.fixture(scope="module")
def local_slack_options() -> Sequence[str]:
    return "--redeliver-after", REDELIVER_AFTER


@pytest.fixture
def slack(local_slack_server: SlackServer) -> SlackServer:
    local_slack_server.wait_for_connections(0)
    local_slack_server.reset()
    return local_slack_server


@pytest.fixture
def client(slack: SlackServer) -> WebClient:
    return WebClient(token=slack.bot_token, base_url=slack.api_url, retry_handlers=[])
