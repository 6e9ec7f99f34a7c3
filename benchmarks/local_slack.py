"""Measure requests a second of the local Slack, beside an empty answer of the same HTTP server."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from itertools import count
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

from benchmarks.report.rows import Row
from local_slack.testing import ANA, GENERAL, SlackServer, slack_server

Call = tuple[str, str, dict[str, Any] | None]  # verb, path, JSON body

HEADERS = {"Authorization": "Bearer xoxb-local-bot", "Content-Type": "application/json"}
TABLE = [
    {
        "type": "table",
        "rows": [[{"type": "raw_text", "text": f"{row} {cell}"} for cell in range(8)] for row in range(30)],
    }
]
FLOOR: Call = ("GET", "/favicon.ico", None)
CLIENTS = 4
CASES: dict[str, Call] = {
    "auth.test": ("POST", "/api/auth.test", {}),
    "chat.postMessage": ("POST", "/api/chat.postMessage", {"channel": GENERAL, "text": "There are 49 apps."}),
    "chat.postMessage, a table": ("POST", "/api/chat.postMessage", {"channel": GENERAL, "text": "49", "blocks": TABLE}),
    "conversations.replies": ("POST", "/api/conversations.replies", {"channel": GENERAL, "limit": 10}),
}


def rows(seconds: int) -> Iterator[Row]:
    for name, (verb, path, body) in CASES.items():
        with slack_server() as slack:
            root = slack.say(ANA, GENERAL, "How many apps?")
            floor = requests_a_second(slack, FLOOR, CLIENTS, seconds)
            rate = requests_a_second(slack, (verb, path, body and {**body, "ts": root}), CLIENTS, seconds)
        yield Row(f"{name} a second, of {CLIENTS} clients", rate, "", {"an empty answer": floor}, more=True)


def requests_a_second(slack: SlackServer, request: Call, clients: int, seconds: float) -> float:
    with ThreadPoolExecutor(clients) as pool:
        began = perf_counter()
        done = sum(pool.map(lambda _: answered(slack, request, began + seconds), range(clients)))
        return done / (perf_counter() - began)


def answered(slack: SlackServer, request: Call, until: float) -> int:
    verb, path, body = request
    connection = HTTPConnection(urlsplit(slack.url).netloc, timeout=10)
    content = None if body is None else json.dumps(body).encode()
    for number in count():
        if perf_counter() >= until:
            connection.close()
            return number
        connection.request(verb, path, content, HEADERS)
        response = connection.getresponse()
        answer = response.read()
        assert response.status == 200, answer
        assert body is None or json.loads(answer)["ok"], answer
    raise AssertionError("counting does not end")
