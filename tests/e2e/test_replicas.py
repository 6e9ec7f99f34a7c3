"""Replicas with a folder each, over one PostgreSQL: a question is answered by one, its follow-ups by the other."""

from contextlib import ExitStack
from json import dumps
from pathlib import Path

import pytest

from ai.agents.querying.rerunning import RAN_AGAIN
from local_slack.testing import slack_server
from tests.buckets import buckets
from tests.desk import shop
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import Conversation
from tests.postgres import Postgres

pytestmark = pytest.mark.slow
FOLLOW_UPS = {
    "sort by platform": "sorted by Platform",
    "export this as csv": "2 rows",
    "plot it": "data_visualization",
    "only the first 1": "the first of 2",
}


@pytest.mark.parametrize("place", ["database", "s3", "folder"])
def test_follow_ups_are_answered_by_another_replica(place: str, server: Postgres, tmp_path: Path) -> None:
    """With a folder of its own it does not find the rows: the first follow-up reads them again and says so."""
    with ExitStack() as opened:
        slack = opened.enter_context(slack_server())
        settings = {
            "STATE_URL": server.new_database(),
            "ENGINE_URL": server.new_database(),
            "RECEIPT_KEY_FILE": str(tmp_path / "receipt.key"),
            "RESULTS_STORE": opened.enter_context(buckets()).new_url() if place == "s3" else place,
        }
        for name in ("one", "other"):
            (tmp_path / name).mkdir()
        url, talk = f"sqlite:///{shop(tmp_path)}", Conversation(slack)
        with BotProcess(slack, tmp_path / "one", url, **settings):
            assert "iOS" in dumps(talk.ask("how many apps by platform?"))
        with BotProcess(slack, tmp_path / "other", url, **settings) as other:
            told = {said: dumps(talk.ask(said), ensure_ascii=False) for said in FOLLOW_UPS}
            kept = [path.name for path in (other.data_dir / "results").iterdir()]
    assert {said: part for said, part in FOLLOW_UPS.items() if part.lower() not in told[said].lower()} == {}
    again = [said for said in FOLLOW_UPS if RAN_AGAIN in told[said]]
    assert again == (["sort by platform"] if place == "folder" else [])
    assert bool(kept) == (place == "folder")
