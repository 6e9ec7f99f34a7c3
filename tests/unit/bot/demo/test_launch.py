"""The two processes of a local run: how they are started, what is told when one ends, and that both end with it.

Their programs are of a few lines, in place of a Slack and a bot; the processes, the port and the signals are real.
"""

import json
import os
import signal
import socket
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from ai.errors import ConfigError, SourceUnavailable
from bot.cli.main import commands
from bot.demo.launch import LocalRun, manifest
from config import child_environment
from tests.paths import ROOT
from tests.processes import free_port

SAY = """
import json, os, sys
told = {name: value for name, value in os.environ.items() if name.startswith("SLACK_") or name == "MARK"}
print(json.dumps({"pid": os.getpid(), "given": sys.argv[1:], **told}), flush=True)
print("a warning", file=sys.stderr, flush=True)
"""
STAY = "import signal; signal.pause()\n"
SERVE = """
from http.server import BaseHTTPRequestHandler, HTTPServer
class Page(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
    def log_message(self, *_): pass
server = HTTPServer(("127.0.0.1", int(sys.argv[2])), Page)
"""
SERVES, STOPS = f"{SERVE}server.serve_forever()\n", f"{SERVE}server.handle_request()\n"


@pytest.fixture(autouse=True)
def _signals() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def run_in(folder: Path, slack: str, bot: str, say: Any, port: int = 0) -> LocalRun:
    """Run until it ends or fails; the programs of both are beside the data."""
    (folder / "local_slack.py").write_text(SAY + slack, "utf-8")
    (folder / "bot.py").write_text(SAY + bot, "utf-8")
    run = LocalRun(port or free_port(), folder / "new" / "data", child_environment(MARK="ours"))
    with chdir(folder):
        run.until_stopped(say)
    return run


def lines(run_folder: Path, name: str) -> list[dict[str, Any]]:
    text = (run_folder / "new" / "data" / f"{name}.log").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_both_run_until_a_signal_and_end_with_it(tmp_path: Path, number: signal.Signals) -> None:
    said = list[str]()

    def say(line: str) -> None:
        said.append(line)
        os.kill(os.getpid(), number)

    run = run_in(tmp_path, SERVES, STAY, say)
    assert said == [f"Datathread is at {run.url} (Ctrl-C stops it; logs are in {run.data_dir})"]
    assert run.url == f"http://127.0.0.1:{run.port}"
    (slack,) = lines(tmp_path, "slack")
    kept = ["--data", str(run.data_dir / "slack.json"), "--manifest", str(ROOT / "manifest.yml")]
    assert slack["given"] == ["--port", str(run.port), *kept]
    for one in (slack, *lines(tmp_path, "bot")):
        with pytest.raises(ProcessLookupError):
            os.kill(one["pid"], 0)


def test_a_bot_that_keeps_stopping_is_begun_anew_five_times(tmp_path: Path) -> None:
    with pytest.raises(SourceUnavailable) as error:
        run_in(tmp_path, SERVES, "sys.exit(3)\n", lambda _: None)
    log = tmp_path / "new" / "data" / "bot.log"
    assert str(error.value) == f"The bot keeps stopping; {log} says why."
    begun = lines(tmp_path, "bot")
    assert [one["given"] for one in begun] == [["run"]] * 6
    (slack,) = lines(tmp_path, "slack")
    tokens = {"SLACK_BOT_TOKEN": "xoxb-local-bot", "SLACK_APP_TOKEN": "xapp-local-app", "MARK": "ours"}
    wanted = {"SLACK_API_URL": f"http://127.0.0.1:{slack['given'][1]}/api/", **tokens}
    assert all(wanted.items() <= one.items() for one in (*begun, slack))
    assert log.read_text("utf-8").count("a warning") == 6


@pytest.mark.parametrize(("slack", "told"), [(STOPS, "has stopped"), ("sys.exit(1)\n", "did not start")])
def test_a_slack_that_stops_is_told_with_its_log(tmp_path: Path, slack: str, told: str) -> None:
    with pytest.raises(SourceUnavailable) as error:
        run_in(tmp_path, slack, STAY, lambda _: None)
    assert str(error.value) == f"The local Slack {told}; {tmp_path / 'new' / 'data' / 'slack.log'} says why."


def test_a_port_that_is_taken_is_told_before_anything_starts(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(ConfigError, match=f"^LOCAL_SLACK_PORT is {port}, which another program uses; stop it"):
            run_in(tmp_path, SERVES, STAY, lambda _: None, port)
        settings = {"LOCAL_SLACK_PORT": str(port), "DATA_DIR": str(tmp_path / "data")}
        told = CliRunner().invoke(commands, ["run"], env=settings)
    assert str(told.exception).startswith(f"LOCAL_SLACK_PORT is {port}, which another program uses")
    assert not (tmp_path / "new").exists()


def test_the_manifest_is_that_of_the_app() -> None:
    assert yaml.safe_load(manifest().read_text("utf-8"))["display_information"]["name"] == "Datathread"
