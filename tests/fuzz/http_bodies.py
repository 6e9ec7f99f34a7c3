"""Bodies of events, presses and HTTP calls, odd in one or more places: no 5xx, no traceback, flat memory."""

import json
import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from copy import deepcopy
from functools import partial
from pathlib import Path
from random import Random
from resource import RUSAGE_SELF, getrusage
from typing import Any
from urllib.parse import quote, urlencode

import httpx
from fastapi import FastAPI
from slack_sdk import WebClient

from bot.contact import Greeting, bolt_app
from bot.contact.waiting import waiting
from bot.http_api.server import serving
from bot.http_api.slack_events import slack_router
from bot.listeners import Body, Intake, take_event
from local_slack.delivery.http import signature
from tests.desk import open_desk
from tests.fakes import KeptQueue
from tests.fuzz.outcome import Outcome, Try
from tests.http_service import http_api
from tests.intakes import TEAM, intake_of

SECRET, NOWHERE = "local-signing-secret", "http://127.0.0.1:9/api/"
BODIES = [json.loads(line) for line in Path(__file__).with_name("bodies.jsonl").read_text("utf-8").splitlines()]
DEEP: Any = {}
for _ in range(300):
    DEEP = {"a": DEEP}
ODD: Sequence[Any] = (
    None, True, 0, -1, 2**63, 1e308, float("nan"), float("inf"), "", " ", "\x00", "\ud800", "a\udfffb", "nan", "inf",
    "1e5", "1.0", "-1.0", "9" * 40, "99999999999.0", "x" * 5_000, "\u202e", "\U0001f600", "../../etc/passwd", "<!channel>",
    "'; DROP TABLE message; --", "T1", "T9/C9/1.0", [], {}, [[]], [None], [{}], {"": None}, DEEP, ["x"] * 500,
)  # fmt: skip
WARM, MOST_KB = 2_000, 96 * 1024


class Queue(KeptQueue):
    def stop(self, turn_id: str) -> None:
        """Stop nothing: no turn runs."""


class Faults(logging.Handler):
    """Keeps the last error that was logged with a traceback."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.last = ""

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info:
            self.last = f"{record.getMessage()[:120]} {record.exc_info[1]!r}"[:300]


class Promise:
    """No 5xx, no traceback, and no more memory than after the first requests."""

    def __init__(self) -> None:
        self._faults = Faults()
        self._first = 0
        self._ran = 0
        logging.getLogger().addHandler(self._faults)

    def broken(self, answer: httpx.Response, sent: object) -> str:
        self._ran += 1
        found, self._faults.last = self._faults.last, ""
        if answer.status_code >= 500 or found:
            return f"{answer.status_code} {found} for {sent!r}"[:700]
        used = getrusage(RUSAGE_SELF).ru_maxrss
        self._first = used if self._ran == WARM else self._first
        return f"{used - self._first} KB more than at first" if self._first and used - self._first > MOST_KB else ""

    def close(self) -> None:
        logging.getLogger().removeHandler(self._faults)


def mutated(body: Any, random: Random) -> Any:
    """Change one to three places of a body: leave out, replace, or exchange."""
    changed = deepcopy(body)
    for _ in range(random.randint(1, 3)):
        places = list(_places(changed))
        if not places:
            return random.choice(ODD)
        holder, key = random.choice(places)
        match random.randrange(4):
            case 0 if isinstance(holder, dict):
                del holder[key]
            case 1:
                other, name = random.choice(places)
                holder[key] = deepcopy(other[name])
            case _:
                holder[key] = deepcopy(random.choice(ODD))
    return changed


def _places(body: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(body, dict | list):
        for key in list(body) if isinstance(body, dict) else range(len(body)):
            yield body, key
            if body[key] is not DEEP:
                yield from _places(body[key])


def raw(content: bytes, random: Random) -> bytes:
    """Break the bytes themselves, now and then."""
    if random.random() > 0.15:
        return content
    place = random.randrange(len(content) + 1)
    return random.choice([
        content[:place], content[:place] + b"\xff" + content[place:], b"\xef\xbb\xbf" + content, b"[" * 20_000, b"[]", b"1",
        b"null", b'"x"', content * 2, b"", content.replace(b'"', b"'", 2), b'{"a":' * 5_000, b"payload=" + content,
    ])  # fmt: skip


@contextmanager
def slack_bodies(folder: Path) -> Iterator[Try]:
    with open_desk(folder) as desk, closing(Promise()) as promise:
        queue, app = Queue(), FastAPI()
        intake = intake_of(desk.memory, queue, context=desk.context, told=lambda *_: None)
        greeting = Greeting("Local", "datathread", NOWHERE, TEAM, "U0BOT", "B0BOT")
        client = WebClient("xoxb-1", base_url=NOWHERE, retry_handlers=[])
        app.include_router(slack_router(bolt_app(client, intake, greeting, partial(_received, intake)), SECRET))
        with serving(app, 0) as url, httpx.Client(base_url=url, timeout=30) as session:

            def tried(number: int) -> Outcome:
                random = Random(f"slack {number}")
                content, kind = _sent(random)
                stamp = str(int(time.time()))
                signed = {
                    "x-slack-request-timestamp": stamp,
                    "x-slack-signature": signature(SECRET, stamp, content),
                    "content-type": kind,
                }
                queue.waiting.clear()
                return Outcome(promise.broken(session.post("/slack/events", content=content, headers=signed), content))

            yield tried


def _received(intake: Intake, body: Body) -> None:
    waiting(body, intake)
    take_event(intake, body)


def _sent(random: Random) -> tuple[bytes, str]:
    chosen = random.choice(BODIES)
    body = mutated(chosen["body"], random)
    if chosen.get("form") == "plain" and isinstance(body, dict):
        text = urlencode(body, errors="replace")
        kind = "application/x-www-form-urlencoded"
    else:
        told = json.dumps(body)
        text, kind = (
            (f"payload={quote(told)}", "application/x-www-form-urlencoded")
            if chosen.get("form")
            else (told, "application/json")
        )
    kind = kind if random.random() > 0.05 else random.choice(["", "text/plain", "application/json"])
    return raw(text.encode("utf-8", "replace"), random), kind


CALLS: Sequence[tuple[str, str, Any]] = (
    ("POST", "/v1/chat", {"message": "how many apps?"}),
    ("POST", "/v1/chat", {"message": "and on iOS?", "chat_id": "T1/http:U_ANA@C_SALES/1.000000"}),
    ("POST", "/v1/tools/memory", {"chat_id": "T1/C_SALES/1.0", "arguments": {"action": "list", "handle": "mem://x"}}),
    ("POST", "/v1/tools/saveState", {"chat_id": "T1/C_SALES/1.0", "arguments": {"name": "x", "description": "y"}}),
    ("GET", "/v1/history", {"chat_id": "T1/C_SALES/1.0", "limit": "10", "before": "1.1"}),
    ("GET", "/v1/memory/search", {"chat_id": "T1/C_SALES/1.0", "q": "apps", "limit": "5"}),
    ("GET", "/v1/memory/stats", {"chat_id": "T1/C_SALES/1.0"}),
    ("GET", "/v1/export", {"chat_id": "T1/C_SALES/1.0", "format": "json"}),
    ("GET", "/v1/chart", {"turn_id": "T1:C:1", "format": "png"}),
    ("DELETE", "/v1/chat", {"chat_id": "T1/C_SALES/1.0"}),
)


@contextmanager
def http_calls(folder: Path) -> Iterator[Try]:
    with http_api(folder, wait_seconds=0) as api, closing(Promise()) as promise, api.client() as session:

        def tried(number: int) -> Outcome:
            random = Random(f"http {number}")
            method, path, asked = random.choice(CALLS)
            if random.random() < 0.1:
                path += "/" + quote(str(random.choice(ODD)).encode("utf-8", "replace")[:200])
            body = mutated(asked, random)
            if method == "POST":
                content = raw(json.dumps(body).encode(), random)
                answer = session.post(path, content=content, headers={"content-type": "application/json"})
                return Outcome(promise.broken(answer, content))
            query = urlencode(body if isinstance(body, dict) else {"chat_id": body}, errors="replace")
            return Outcome(promise.broken(session.request(method, f"{path}?{query[:8_000]}"), query))

        yield tried
