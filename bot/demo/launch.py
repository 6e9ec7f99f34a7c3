"""Run the local Slack and the bot on this machine, each in its own process.

A dead bot is started again and answers its accepted questions. Both log to files beside the data.
"""

import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from time import monotonic
from urllib.error import URLError
from urllib.request import urlopen

from ai.errors import ConfigError, SourceUnavailable

BOT_TOKEN, APP_TOKEN = "xoxb-local-bot", "xapp-local-app"
START_SECONDS = 20.0
STOP_SECONDS = 10.0
LOOK_SECONDS = 0.05
WATCH_SECONDS = 0.2
RESTARTS = 5


def manifest() -> Path:
    """Return the manifest of the Slack app: beside this package in a clone, inside it where a wheel is installed."""
    package = Path(__file__).parents[1]
    installed = package / "manifest.yml"
    return installed if installed.exists() else package.parent / "manifest.yml"


@dataclass(frozen=True, slots=True)
class LocalRun:
    """The port and data folder of a local run, and the environment of both processes."""

    port: int
    data_dir: Path
    environment: Mapping[str, str]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def until_stopped(self, say: Callable[[str], object]) -> None:
        """Run until Ctrl-C, announcing the address with `say`. Raises ConfigError when the port is taken."""
        self._require_port()
        self.data_dir.mkdir(parents=True, exist_ok=True)
        stopped = Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stopped.set())
        with self._slack() as slack, ExitStack() as bots:
            bot = bots.enter_context(self._bot())
            self._wait_for_page(slack)
            say(f"Datathread is at {self.url} (Ctrl-C stops it; logs are in {self.data_dir})")
            restarts = 0
            while not stopped.wait(WATCH_SECONDS):
                if slack.poll() is not None:
                    raise SourceUnavailable(f"The local Slack has stopped; {self._log('slack')} says why.")
                if bot.poll() is not None:
                    restarts += 1
                    if restarts > RESTARTS:
                        raise SourceUnavailable(f"The bot keeps stopping; {self._log('bot')} says why.")
                    bot = bots.enter_context(self._bot())

    def _slack(self) -> AbstractContextManager[subprocess.Popen[bytes]]:
        kept = ("--data", str(self.data_dir / "slack.json"))
        return self._process("slack", "local_slack", "--port", str(self.port), *kept, "--manifest", str(manifest()))

    def _bot(self) -> AbstractContextManager[subprocess.Popen[bytes]]:
        return self._process("bot", "bot", "run")

    def _log(self, name: str) -> Path:
        return self.data_dir / f"{name}.log"

    def _require_port(self) -> None:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", self.port))
            except OSError:
                raise ConfigError(
                    f"LOCAL_SLACK_PORT is {self.port}, which another program uses; stop it or choose another port."
                ) from None

    def _wait_for_page(self, slack: subprocess.Popen[bytes]) -> None:
        deadline, pause = monotonic() + START_SECONDS, Event()
        while monotonic() < deadline and slack.poll() is None:
            try:
                with urlopen(self.url, timeout=1):
                    return
            except (URLError, ConnectionError, TimeoutError):
                pause.wait(LOOK_SECONDS)
        raise SourceUnavailable(f"The local Slack did not start; {self._log('slack')} says why.")

    @contextmanager
    def _process(self, name: str, *module: str) -> Iterator[subprocess.Popen[bytes]]:
        """Run a Python module inside the block, terminated at its end and killed if it stays."""
        local = {"SLACK_API_URL": f"{self.url}/api/", "SLACK_BOT_TOKEN": BOT_TOKEN, "SLACK_APP_TOKEN": APP_TOKEN}
        with self._log(name).open("ab") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", *module],
                env={**self.environment, **local},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,  # Ctrl-C reaches us alone, so that the bot is stopped before its Slack
            )
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
