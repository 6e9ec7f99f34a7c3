"""Questions that want what is kept are answered while long queries hold every other place."""

from pathlib import Path

import pytest

from local_slack.testing import BEN, GENERAL, MENTION, slack_server
from tests.e2e.chaos.fleet import fleet
from tests.e2e.conversation import Conversation
from tests.wait import until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

PLACES = 2  # and as many again, which long queries leave


def test_talk_a_file_and_steps_pass_long_queries(tmp_path: Path) -> None:
    with (
        slack_server() as slack,
        fleet(slack, tmp_path, WORKERS=str(PLACES), PROCESSES="1", QUERY_SECONDS="600") as bots,
    ):
        thread = Conversation(slack)
        thread.ask("list all apps with their names")
        heavy = [slack.say(BEN, GENERAL, f"{MENTION} how many crawls are there?") for _ in range(3 * PLACES)]

        def begun() -> int:
            return sum(bool(slack.replies(GENERAL, one)) for one in heavy)

        until(lambda: begun() == 2 * PLACES, 60, "the queries to hold every place")
        assert "list all apps" in thread.ask("what was my first question?")["text"]
        assert thread.ask("sort it by name descending")
        assert thread.ask("export this as csv")
        assert begun() == 2 * PLACES
        bots.kill()
