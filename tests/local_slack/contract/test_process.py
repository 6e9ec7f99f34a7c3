"""The process: it says when it is ready, stops cleanly with everything still open, and names what stands in its way."""

import http.client
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest

from local_slack.testing import ANA, SlackServer
from tests.local_slack.contract.wire import wire_to
from tests.paths import ROOT


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_without_a_trace(number: signal.Signals) -> None:
    with started("--port", "0") as process:
        slack = SlackServer(address_of(process))
        page = http.client.HTTPConnection(urlsplit(slack.url).netloc, timeout=10)
        page.request("GET", f"/_page/events?as={ANA}")
        response = page.getresponse()
        with wire_to(slack):
            process.send_signal(number)
            assert response.read().endswith(b"\n\n")
            assert process.wait(timeout=10) == 0
        page.close()
        assert (process.stdout and process.stdout.read(), process.stderr and process.stderr.read()) == ("", "")


def test_tokens_are_given_at_the_start() -> None:
    with started("--port", "0", "--bot-token", "xoxb-local-one", "--app-token", "xapp-local-one") as process:
        slack = SlackServer(address_of(process), "xoxb-local-one", "xapp-local-one")
        with wire_to(slack) as wire:
            assert wire.seen[0]["type"] == "hello"


def test_a_taken_port_is_a_sentence() -> None:
    with started("--port", "0") as first:
        port = str(urlsplit(address_of(first)).port)
        with started("--port", port) as second:
            assert second.wait(timeout=10) == 1
            assert second.stderr is not None
            assert second.stderr.read() == (
                f"The local Slack cannot listen on port {port}: Address already in use. Give another --port.\n"
            )


@contextmanager
def started(*options: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "local_slack", *options]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.terminate()


def address_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    ready = process.stdout.readline()
    assert ready.startswith("local slack ready at http://127.0.0.1:")
    return ready.split()[-1]
