"""“stop” ends a query that would take minutes, on every database that can be under the bot, within two seconds."""

from pathlib import Path
from time import monotonic

import pytest

from local_slack.testing import slack_server
from tests.e2e.chaos.fleet import fleet, slow_database
from tests.e2e.conversation import Conversation
from tests.postgres import Postgres
from tests.wait import until

pytestmark = pytest.mark.timeout(300)  # for machines that have much else to do

STOP_SECONDS = 2.0
SAFETY = 4  # machines that tests run on may be that much slower than they are when they have nothing else to do


@pytest.mark.slow
@pytest.mark.parametrize("asked_about", ["sqlite", "postgresql"])
def test_a_query_of_minutes_is_stopped_within_seconds(asked_about: str, tmp_path: Path, server: Postgres) -> None:
    """Two bots share a PostgreSQL; whichever of them hears the word, the one that runs the query ends it."""
    settings = {"QUERY_SECONDS": "600"}
    if asked_about == "postgresql":
        settings["DATABASE_URL"] = slow_database(server)
    with slack_server() as slack, fleet(slack, tmp_path, 2, server.new_database(), **settings):
        for _ in range(2):
            thread = Conversation(slack)
            thread.say("how many crawls are there?")
            until(thread.replies, what="the turn to have begun")
            said = monotonic()
            slack.say(thread.user, thread.channel, "stop", thread_ts=thread.root)
            stopped = until(thread.answers, 60, "the turn to say that it was stopped")[0]
            assert stopped["text"] == "Stopped."
            assert monotonic() - said < STOP_SECONDS * SAFETY
            assert "3" in thread.ask("how many apps are there?")["text"]
