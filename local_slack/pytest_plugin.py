"""pytest fixtures: a local Slack on a free port, empty at the start of each test."""

from collections.abc import Iterator, Sequence

import pytest

from local_slack.testing import SlackServer, slack_server


@pytest.fixture(scope="module")
def local_slack_options() -> Sequence[str]:
    """Options of `python -m local_slack`; a module or folder gives its own by overriding this fixture."""
    return ()


@pytest.fixture(scope="module")
def local_slack_server(local_slack_options: Sequence[str]) -> Iterator[SlackServer]:
    """One local Slack for the module. Connect the app under test to this one."""
    with slack_server(*local_slack_options) as running:
        yield running


@pytest.fixture
def local_slack(local_slack_server: SlackServer) -> SlackServer:
    """The module's local Slack with nothing said yet; connections stay."""
    local_slack_server.reset()
    return local_slack_server
