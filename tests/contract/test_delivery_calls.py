"""What Slack is asked for, call by call, while answers, files and their removal go out."""

import json
import re
from pathlib import Path

import pytest

from ai.agents.port import TextEvent
from ai.types import ThreadKey
from bot.contact import posting_client
from bot.delivery import Addressee, RateLimiter, SharedFile, SlackDelivery
from bot.render.message import pages
from config import load
from local_slack.testing import ANA, GENERAL, SlackServer
from local_slack.wire import Json
from tests.cases import cases
from tests.wait import until

TURN = "T0LOCAL:C0GENERAL:1.1"
ONE, TWO = (pages([TextEvent(text)]) for text in ("There are 49.", "They are these."))
NAMED = re.compile(r"\d{10}\.\d{6}|F[0-9A-F]{10}")


def act(delivery: SlackDelivery, to: Addressee, path: Path, deed: str) -> None:
    """Do one of the deeds of the cases."""
    match deed:
        case "answer":
            delivery.answer(to, ONE, look_first=False)
        case "answer in two":
            delivery.answer(to, (*ONE, *TWO), look_first=False)
        case "answer again":
            delivery.answer(to, ONE, look_first=True)
        case "answer alone":
            delivery.answer(to, ONE, note=TWO[0], look_first=False)
        case "share":
            delivery.share(to, delivery.upload(path, to.turn_id, "Names of apps"), path, "All apps", look_first=False)
        case "share the answer":
            file = SharedFile(delivery.upload(path, to.turn_id), path, "All apps")
            delivery.share_answer(to, file, ONE[0], None, look_first=False)
        case "retract":
            delivery.retract(to.thread, to.turn_id, ANA)
        case "work":
            with delivery.working(to.thread, to.turn_id) as working:
                working.wait("Waiting for the database")
                working.begin()
                until(lambda: working.placeholder, what="a placeholder")


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("delivery_calls.jsonl")))
def test_slack_is_asked_for_this(local_slack_server: SlackServer, case: Json, tmp_path: Path) -> None:
    slack = local_slack_server
    slack.reset()
    path = tmp_path / "apps.csv"
    path.write_bytes(b"name\r\nGabbro\r\n")
    thread = ThreadKey("T0LOCAL", GENERAL, slack.say(ANA, GENERAL, "how many?"))
    settings = load(slack_api_url=slack.api_url, slack_bot_token=slack.bot_token, slack_app_token=slack.app_token)
    delivery = SlackDelivery(posting_client(settings), limiter=RateLimiter({}), placeholder_seconds=0.01)
    for deed in case["deeds"]:
        act(delivery, Addressee(thread, TURN, ANA), path, deed)
    names: dict[str, str] = {thread.thread_ts: "the thread"}
    told = []
    for call in slack.calls():
        args = {name: value for name, value in call["args"].items() if name != "blocks"}
        text = NAMED.sub(lambda found: names.setdefault(found[0], f"#{len(names)}"), json.dumps(args))
        told.append([call["method"], json.loads(text)])
    assert told == case["calls"]
