"""pytest fixtures: a local Slack on a free port, empty at the start of each test."""

from collections.abc import Iterator, Sequence

import pytest

from local_slack.testing import SlackServer, slack_server


@pytest.fixture(scope="module")
def local_slack_options() -> Sequence[str]:
    """Options of `python -m local_slack`. Override this fixture in a module or folder."""
    return ()


@pytest.fixture(scope="module")
def local_slack_server(local_slack_options: Sequence[str]) -> Iterator[SlackServer]:
    """One local Slack for the module. Connect the app under test to it."""
    with slack_server(*local_slack_options) as running:
        yield running


@pytest.fixture
def local_slack(local_slack_server: SlackServer) -> SlackServer:
    """The module's local Slack, emptied; connections stay."""
    local_slack_server.reset()
    return local_slack_server
