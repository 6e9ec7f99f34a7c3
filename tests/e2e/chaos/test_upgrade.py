"""This code takes over from every release that was packed: what was asked of it then is answered now, once."""

from pathlib import Path

import pytest

from local_slack.testing import slack_server
from tests.e2e.chaos.crowd import Crowd, Verdict
from tests.e2e.chaos.fleet import fleet
from tests.e2e.chaos.released import RELEASES, unpack

pytestmark = pytest.mark.timeout(300)  # for machines that have much else to do


@pytest.mark.slow
@pytest.mark.parametrize("packed", sorted(RELEASES.glob("*.tar.gz")), ids=lambda packed: packed.name)
def test_the_turns_of_an_older_release_are_answered(packed: Path, tmp_path: Path) -> None:
    asked = unpack(packed, tmp_path)
    with slack_server("--data", str(tmp_path / "slack.json")) as slack:
        crowd = Crowd(slack, asked=asked)
        assert len(crowd.verdict().unanswered) == len(asked) * 2 // 3
        with fleet(slack, tmp_path):
            crowd.wait()
            assert crowd.verdict() == Verdict()
