"""What may come to the address for Slack: forged, replayed, malformed or stale, each with one outcome and no traceback."""

import json
import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
from fastapi import FastAPI
from slack_sdk.signature import SignatureVerifier

from bot.contact import Greeting, bolt_app, posting_client
from bot.http_api.server import serving
from bot.http_api.slack_events import slack_router
from config import load
from tests.cases import cases
from tests.desk import open_desk
from tests.fakes import KeptQueue
from tests.http_service import NO_TLS
from tests.intakes import TEAM, Told, intake_of

SECRET, NOWHERE = "local-signing-secret", "http://127.0.0.1:9/api/"
JSON, FORM = "application/json", "application/x-www-form-urlencoded"
EVENT = {
    "type": "event_callback",
    "team_id": TEAM,
    "event": {"type": "app_mention", "user": "U1", "channel": "C1", "text": "<@U0BOT> how many?", "ts": "1.000001"},
}
PRESS = {
    "type": "block_actions",
    "user": {"id": "U1", "team_id": TEAM},
    "container": {"type": "message", "channel_id": "C1", "message_ts": "1.000002", "thread_ts": "1.000001"},
    "message": {"ts": "1.000002", "text": "Which?", "blocks": []},
    "trigger_id": "1.1",
}
FIELDS = {"some": {"some": {"type": "plain_text_input", "value": "x"}}}


@dataclass(frozen=True)
class Address:
    url: str
    queue: KeptQueue
    told: Told


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    with open_desk(tmp_path_factory.mktemp("desk")) as desk:
        settings = load(slack_api_url=NOWHERE, slack_bot_token="xoxb-1", slack_signing_secret=SECRET, http_port=0)
        queue, told, app = KeptQueue(), Told(), FastAPI()
        intake = intake_of(desk.memory, queue, context=desk.context, told=told)
        greeting = Greeting("Local", "datathread", NOWHERE, TEAM, "U0BOT", "B0BOT")
        app.include_router(slack_router(bolt_app(posting_client(settings), intake, greeting), SECRET))
        with serving(app, 0) as url:
            yield Address(f"{url}/slack/events", queue, told)


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("hostile_slack.jsonl")))
def test_each_has_its_outcome(address: Address, case: dict[str, Any], caplog: pytest.LogCaptureFixture) -> None:
    address.queue.waiting.clear()
    address.told.words.clear()
    content, kind = sent(case)
    stamp = str(int(time.time()) - case.get("age", 0))
    signature = SignatureVerifier(case.get("secret", SECRET)).generate_signature(
        timestamp=stamp, body=content.decode("utf-8", "replace")
    )
    headers = {"content-type": kind, "x-slack-request-timestamp": stamp, "x-slack-signature": str(signature)}
    for _ in range(case.get("times", 1)):
        answer = httpx.post(address.url, content=content, headers=headers, verify=NO_TLS)
    assert answer.status_code == case["status"], answer.text
    assert len(address.queue.waiting) == case.get("queued", False)
    if not case.get("queued"):  # else the first asker of the channel is greeted
        assert address.told.words == [case.get("told")] * ("told" in case)
    assert case.get("says", "") in answer.text
    assert not [record for record in caplog.records if record.exc_info and record.levelno >= logging.ERROR]


def sent(case: dict[str, Any]) -> tuple[bytes, str]:
    """The bytes of a case, and their content type."""
    if "raw" in case:
        return bytes.fromhex(case["raw"]), JSON
    if "text" in case:
        return case["text"].encode(), JSON
    if "repeat" in case:
        sign, times = case["repeat"]
        return (sign * times).encode(), JSON
    body = json.loads(json.dumps(body_of(case)))
    for path, value in case.get("change", {}).items():
        put(body, path, value * case["grow"] if "grow" in case else value)
    if "drop" in case:
        *way, name = case["drop"].split(".")
        del reduce(lambda inner, step: inner[step], way, body)[name]
    told = json.dumps(body)
    return (told.encode(), JSON) if body["type"] == "event_callback" else (urlencode({"payload": told}).encode(), FORM)


def body_of(case: dict[str, Any]) -> dict[str, Any]:
    if "press" in case:
        action = {"type": "button", "value": "x", "action_ts": "1.000003", **case["press"]}
        return {**PRESS, "actions": [action] * (1 + case.get("twice", False))}
    if "form" in case:
        form = {"type": "modal", "id": "V1", **case["form"], "state": {"values": case["form"].get("values", FIELDS)}}
        return {"type": "view_submission", "user": PRESS["user"], "view": form}
    return EVENT


def put(body: dict[str, Any], path: str, value: Any) -> None:
    *way, name = path.split(".")
    reduce(lambda inner, step: inner[step], way, body)[name] = value
