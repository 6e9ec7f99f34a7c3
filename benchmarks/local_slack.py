"""Measure requests a second of the local Slack, beside an empty answer of the same HTTP server.

python benchmarks/local_slack.py [--seconds N] [--clients N]
"""

import argparse
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

sys.path[0] = str(Path(__file__).resolve().parents[1])  # else this file is found under the package's name

from local_slack.testing import ANA, GENERAL, SlackServer, slack_server  # noqa: E402

Call = tuple[str, str, dict[str, Any] | None]  # verb, path, JSON body

HEADERS = {"Authorization": "Bearer xoxb-local-bot", "Content-Type": "application/json"}
TABLE = [
    {
        "type": "table",
        "rows": [[{"type": "raw_text", "text": f"{row} {cell}"} for cell in range(8)] for row in range(30)],
    }
]
CASES: dict[str, Call] = {
    "an empty answer (the floor)": ("GET", "/favicon.ico", None),
    "auth.test": ("POST", "/api/auth.test", {}),
    "chat.postMessage": ("POST", "/api/chat.postMessage", {"channel": GENERAL, "text": "There are 49 apps."}),
    "chat.postMessage, a table": ("POST", "/api/chat.postMessage", {"channel": GENERAL, "text": "49", "blocks": TABLE}),
    "conversations.replies": ("POST", "/api/conversations.replies", {"channel": GENERAL, "limit": 10}),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--clients", type=int, default=4)
    given = parser.parse_args()
    floor = 0.0
    print(f"{'':30}{'a second':>10}{'of the floor':>14}")
    for name, (verb, path, body) in CASES.items():
        with slack_server() as slack:
            root = slack.say(ANA, GENERAL, "How many apps?")
            known = body and {**body, "ts": root}
            rate = requests_a_second(slack, (verb, path, known), given.clients, given.seconds)
        floor = floor or rate
        print(f"{name:30}{rate:>10,.0f}{rate / floor:>13.0%}")


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


if __name__ == "__main__":
    main()
