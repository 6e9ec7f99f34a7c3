"""Each folder here is one small Bolt app, written as Slack's samples are; its tests use the `local_slack` fixtures alone."""

import subprocess
import sys
from collections.abc import Iterator, Sequence

import pytest

from local_slack.testing import SlackServer


@pytest.fixture(scope="module")
def local_slack_options(request: pytest.FixtureRequest) -> Sequence[str]:
    return "--manifest", str(request.path.with_name("manifest.json"))


@pytest.fixture(scope="module", autouse=True)
def running_app(request: pytest.FixtureRequest, local_slack_server: SlackServer) -> Iterator[None]:
    """Run `python app.py` beside the test module, pointed at the local Slack by its environment alone."""
    folder = request.path.parent
    with subprocess.Popen([sys.executable, "app.py"], cwd=folder, env=local_slack_server.environment) as process:
        local_slack_server.wait_for_connections()
        yield
        process.terminate()
