"""One local Slack for each module of contract tests, reset before each test: over HTTP, and in this process."""

from collections.abc import Iterator, Sequence

import pytest
from slack_sdk import WebClient

from local_slack.in_process import slack_in_process
from local_slack.testing import SlackServer, slack_server

REDELIVER_AFTER = "30"  # seconds of the clock that tests advance: on a busy machine an app is late for Slack's three
STARTED = {"HTTP": slack_server, "in process": slack_in_process}
# What these try is the server itself, the pages of a browser, or a client that opens a socket.
OVER_HTTP = (
    "test_clients.py::",
    "test_page_actions.py::",
    "test_page_api.py::",
    "test_rights.py::test_a_code_is_good_once",
    "test_rights.py::test_another_site",
    "test_rights.py::test_the_app_is_installed",
    "test_rights.py::test_what_cannot_be_installed",
    "test_rights.py::test_what_does_not_fit",
    "test_socket_mode.py::test_a_link",
    "test_socket_mode.py::test_pings",
    "test_streams.py::test_the_asynchronous_stream",
    "test_trouble.py::test_a_connection_is_kept_open",
)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "local_slack_server" in metafunc.fixturenames:
        alone = any(name in metafunc.definition.nodeid for name in OVER_HTTP)
        metafunc.parametrize("local_slack_server", ["HTTP"] if alone else list(STARTED), indirect=True, scope="module")


@pytest.fixture(scope="module")
def local_slack_options() -> Sequence[str]:
    return "--redeliver-after", REDELIVER_AFTER


@pytest.fixture(scope="module")
def local_slack_server(request: pytest.FixtureRequest, local_slack_options: Sequence[str]) -> Iterator[SlackServer]:
    with STARTED[request.param](*local_slack_options) as running:
        yield running


@pytest.fixture
def slack(local_slack_server: SlackServer) -> SlackServer:
    local_slack_server.wait_for_connections(0)
    local_slack_server.reset()
    return local_slack_server


@pytest.fixture
def client(slack: SlackServer) -> WebClient:
    return WebClient(token=slack.bot_token, base_url=slack.api_url, retry_handlers=[])
