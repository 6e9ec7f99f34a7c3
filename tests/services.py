"""Fixtures that several folders of tests share: a bot on a local Slack, and the HTTP API. Their conftest.py imports them."""

from collections.abc import Iterator

import httpx
import pytest

from local_slack.in_process import slack_in_process
from local_slack.testing import SlackServer
from tests.e2e.bot_process import BotProcess
from tests.http_service import Api, http_api


@pytest.fixture(scope="module")
def slack(local_slack_server: SlackServer) -> SlackServer:
    return local_slack_server


@pytest.fixture(scope="module")
def slack_here() -> Iterator[SlackServer]:
    """A local Slack in this process, for what needs neither another process nor a socket."""
    with slack_in_process() as running:
        yield running


@pytest.fixture(scope="module")
def bot(slack: SlackServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BotProcess]:
    with BotProcess(slack, tmp_path_factory.mktemp("bot")) as process:
        yield process


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    with http_api(tmp_path_factory.mktemp("http")) as served:
        yield served


@pytest.fixture
def client(api: Api) -> Iterator[httpx.Client]:
    with api.client() as session:
        yield session
