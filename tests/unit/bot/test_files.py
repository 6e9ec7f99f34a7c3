"""Files of people are fetched from Slack alone, whole and as they are; a file that Slack refuses is shown in words."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from slack_sdk import WebClient

from ai.errors import SourceUnavailable
from bot.delivery.files import fetched, in_words

CONTENTS = {
    "/ok": b"a,b\n1,2\n",
    "/full": b"x" * 20,
    "/long": b"x" * 21,
    "/page": b" <!DOCTYPE html>",
    "/html": b"<html>",
}


class Disk(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        content = CONTENTS.get(self.path, b"") if self.headers["Authorization"] == "Bearer xoxb-x" else b""
        self.send_response(200 if content else 404)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *values: object) -> None:
        return


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Disk) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def fetch(port: int, url: str) -> bytes:
    client = WebClient(token="xoxb-x", base_url=f"http://127.0.0.1:{port}/api/")
    return fetched(client, {"name": "a.csv", "url_private": url.format(port=port)}, 20)


def test_a_file_is_fetched_whole(port: int) -> None:
    for path in ("/ok", "/full"):
        assert fetch(port, f"http://127.0.0.1:{port}{path}") == CONTENTS[path]


def test_the_address_for_downloads_goes_first(port: int) -> None:
    client = WebClient(token="xoxb-x", base_url=f"http://127.0.0.1:{port}/api/")
    here = {"url_private_download": f"http://127.0.0.1:{port}/ok", "url_private": f"http://127.0.0.1:{port}/gone"}
    assert fetched(client, here, 20) == CONTENTS["/ok"]


@pytest.mark.parametrize(
    "url",
    [
        "",
        "/ok",
        "http://localhost:{port}/ok",
        "http://127.0.0.1:{port}/long",
        "http://127.0.0.1:{port}/page",
        "http://127.0.0.1:{port}/html",
        "http://127.0.0.1:{port}/gone",
    ],
)
def test_what_is_elsewhere_too_long_or_a_page_is_not_taken(port: int, url: str) -> None:
    with pytest.raises(SourceUnavailable, match=r"does not hand out “a\.csv”"):
        fetch(port, url)


@pytest.mark.parametrize(
    ("name", "text", "says", "lacks"),
    [
        ("a.png", "", "the picture of the chart", "begins with"),
        ("a.xlsx", "", "Ask for it as CSV", "begins with"),
        ("a.csv", "id\n1\n", "It begins with:\n```\nid\n1\n```", "…"),
        ("a.csv", "x" * 2501, f"{'x' * 2500}\n…\n```", "picture"),
    ],
)
def test_a_refused_file_is_told_in_words(tmp_path: Path, name: str, text: str, says: str, lacks: str) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    told = in_words(tmp_path / name)
    assert says in told
    assert lacks not in told
