"""Slack over HTTP: what it signs is taken in and acknowledged when it is in the log; nothing else is believed."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass

import httpx
import pytest
from fastapi import FastAPI
from slack_sdk.signature import SignatureVerifier

from ai.memory_store import MemoryStore
from ai.types import ThreadKey
from bot.contact import Greeting, bolt_app, posting_client
from bot.http_api.server import serving
from bot.http_api.slack_events import slack_router
from config import load
from local_slack.testing import ANA, BEN, BOT, GENERAL, MENTION, SlackServer, slack_server
from tests.desk import open_desk
from tests.fakes import KeptQueue
from tests.http_service import NO_TLS
from tests.intakes import intake_of
from tests.wait import until

SECRET = "local-signing-secret"
MINUTES_AGO = 6 * 60
EVENT = {
    "type": "event_callback",
    "team_id": "T0LOCAL",
    "event": {"type": "app_mention", "user": ANA, "channel": GENERAL, "text": f"{MENTION} how many?", "ts": "1.000001"},
}


@dataclass(frozen=True)
class Service:
    """The served address, and what came in over it."""

    url: str
    queue: KeptQueue
    memory: MemoryStore
    slack: SlackServer


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with slack_server() as slack, open_desk(tmp_path_factory.mktemp("desk")) as product:
        settings = load(
            slack_api_url=slack.api_url, slack_bot_token=slack.bot_token, slack_signing_secret=SECRET, http_port=0
        )
        queue, app = KeptQueue(), FastAPI()
        desk = intake_of(product.memory, queue, context=product.context)
        greeting = Greeting("Local", "datathread", slack.url, "T0LOCAL", BOT, "B0BOT")
        app.include_router(slack_router(bolt_app(posting_client(settings), desk, greeting), SECRET))
        with serving(app, 0) as url:
            yield Service(f"{url}/slack/events", queue, product.memory, slack)


@pytest.fixture(autouse=True)
def empty(service: Service) -> None:
    service.slack.reset()
    service.queue.waiting.clear()
    service.queue.is_down = False


def post(service: Service, body: str, secret: str = SECRET, age: int = 0, retry: int = 0) -> httpx.Response:
    """Post as Slack does, signed with `secret` `age` seconds ago."""
    headers = {"x-slack-retry-num": str(retry), "x-slack-retry-reason": "http_timeout"} if retry else {}
    stamp = str(int(time.time()) - age)
    signature = SignatureVerifier(secret).generate_signature(timestamp=stamp, body=body)
    signed = {"x-slack-request-timestamp": stamp, "x-slack-signature": str(signature), **headers}
    return httpx.post(service.url, content=body, headers={"content-type": "application/json", **signed}, verify=NO_TLS)


def test_slack_finds_us_there_and_what_is_said_arrives(service: Service) -> None:
    service.slack.control("request_url", {"url": service.url})
    ts = service.slack.say(ANA, GENERAL, f"{MENTION} how many apps?")
    service.slack.wait_until_quiet()
    until(lambda: service.queue.waiting, what="the question")
    assert service.queue.waiting == [f"T0LOCAL:{GENERAL}:{ts}"]
    question = service.memory.question(service.queue.waiting[0])
    assert question is not None
    assert (question.content, question.author) == ("how many apps?", ANA)


def test_a_repeated_event_is_one_question(service: Service) -> None:
    for retry in range(3):
        assert post(service, json.dumps(EVENT), retry=retry).status_code == 200
    assert service.queue.waiting == [f"T0LOCAL:{GENERAL}:1.000001"]


@pytest.mark.parametrize(("secret", "age"), [("another", 0), (SECRET, MINUTES_AGO), (SECRET, -MINUTES_AGO)])
def test_what_slack_did_not_sign_just_now_is_refused(service: Service, secret: str, age: int) -> None:
    assert post(service, json.dumps(EVENT), secret, age).status_code == 401
    assert service.queue.waiting == []


@pytest.mark.parametrize("signature", [b"", b"v0=", "é".encode()])
@pytest.mark.parametrize(
    "stamp",
    [str(int(time.time())).encode(), b"", b"soon", "²".encode(), b"9" * 5000],
    ids=["now", "none", "a word", "no digit", "endless"],
)
def test_a_forged_signature_is_refused(service: Service, signature: bytes, stamp: bytes) -> None:
    headers = [(b"x-slack-request-timestamp", stamp), (b"x-slack-signature", signature)]
    assert httpx.post(service.url, content=json.dumps(EVENT), headers=headers, verify=NO_TLS).status_code == 401
    assert service.queue.waiting == []


def test_a_signature_of_another_body_is_refused(service: Service) -> None:
    stamp = str(int(time.time()))
    signature = SignatureVerifier(SECRET).generate_signature(timestamp=stamp, body="{}")
    headers = {"x-slack-request-timestamp": stamp, "x-slack-signature": str(signature)}
    assert httpx.post(service.url, content=json.dumps(EVENT), headers=headers, verify=NO_TLS).status_code == 401


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe", b"payload=%7B", b"[]", b'{"type": 1}', b"ssl_check=1"])
def test_anything_else_is_refused(service: Service, body: bytes) -> None:
    for kind in ("application/json", "application/x-www-form-urlencoded"):
        assert httpx.post(service.url, content=body, headers={"content-type": kind}, verify=NO_TLS).status_code == 401


@pytest.mark.parametrize("body", ["{", "payload=%7B"])
def test_a_signed_body_that_cannot_be_read_is_refused(service: Service, body: str) -> None:
    assert post(service, body).status_code == 400


def test_what_is_not_in_the_queue_is_not_acknowledged(service: Service) -> None:
    service.queue.is_down = True
    later = json.dumps(EVENT).replace("1.000001", "2.000001")
    assert post(service, later).status_code == 500
    service.queue.is_down = False
    assert post(service, later).status_code == 200
    assert service.queue.waiting == [f"T0LOCAL:{GENERAL}:2.000001"]


def test_talk_in_a_joined_thread_is_remembered_and_left_alone(service: Service) -> None:
    service.slack.control("request_url", {"url": service.url})
    root = service.slack.say(ANA, GENERAL, f"{MENTION} how many apps?")
    until(lambda: service.queue.waiting, what="the question")
    thread = ThreadKey("T0LOCAL", GENERAL, root)
    service.memory.add_reply(thread, f"T0LOCAL:{GENERAL}:{root}", "There are 49 apps.")
    said = {text: service.slack.say(BEN, GENERAL, text, root) for text in ("lol", "sure, will do", "and by platform?")}
    until(lambda: len(service.queue.waiting) == 2, what="the follow-up")
    assert service.queue.waiting[1] == f"T0LOCAL:{GENERAL}:{said['and by platform?']}"
    talk = service.memory.question(f"T0LOCAL:{GENERAL}:{said['sure, will do']}")
    assert talk is not None
    assert talk.content == "sure, will do"


def test_who_meant_the_bot_may_say_so(service: Service) -> None:
    service.slack.control("request_url", {"url": service.url})
    root = service.slack.say(ANA, GENERAL, f"{MENTION} how many apps?")
    until(lambda: service.queue.waiting, what="the question")
    left = service.slack.say(BEN, GENERAL, "I think the web ones should not count", root)
    left_turn = f"T0LOCAL:{GENERAL}:{left}"
    until(lambda: service.memory.question(left_turn) is not None, what="the line in the memory")
    assert len(service.queue.waiting) == 1
    service.slack.say(BEN, GENERAL, f"{MENTION} I meant you", root)
    until(lambda: len(service.queue.waiting) == 2, what="what was meant for the bot")
    assert service.queue.waiting[1] == left_turn
