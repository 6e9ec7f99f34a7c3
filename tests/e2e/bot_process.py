"""The bot as people run it: a process of its own, connected to a local Slack over the wire.

    with slack_server() as slack, BotProcess(slack, tmp_path, database_url) as bot:
        bot.kill()      # kill -9
        bot.start()     # the same data folder again

The process sees nothing of this machine's settings: it runs in an empty folder with the variables given here.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self

from local_slack.testing import SlackServer
from tests.processes import bare_environment, family
from tests.wait import until
from tests.warm import Command, Streams, plainly, start


class PlainBot:
    """One bot; `log` is the file with all that its processes wrote. What else talks to Slack has another COMMAND."""

    COMMAND: ClassVar[tuple[str, ...]] = ("-m", "bot", "run")

    def __init__(self, slack: SlackServer, folder: Path, database_url: str | None = None, **settings: str) -> None:
        self.log = folder / "bot.log"
        self.python = sys.executable
        self.data_dir = folder / "data"
        self.slack = slack
        self._folder = folder
        self.environment = {
            **bare_environment(),
            "SLACK_API_URL": slack.api_url,
            "SLACK_BOT_TOKEN": slack.bot_token,
            "SLACK_APP_TOKEN": slack.app_token,
            "SLACK_PACING": "false",  # the local Slack bears more than Slack does
            "DATA_DIR": str(self.data_dir),
            "TMPDIR": str(folder / "tmp"),  # a killed bot leaves things there
            **({"DATABASE_URL": database_url} if database_url else {}),
            **settings,
        }
        self._process: Command | subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.kill()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        process = self._process
        if process is not None:
            process.send_signal(signal.SIGTERM)
            try:
                assert process.wait(30) == 0, self.log.read_text("utf-8")
            finally:
                process.kill()
                process.wait()

    def start(self) -> None:
        """Start the bot and wait until Slack sees it connected."""
        before = self._connections()
        self.launch()
        until(lambda: self._connections() > before or self.fail_if_dead(), 60, "the bot to connect")

    def launch(self) -> None:
        """Start the bot and wait for nothing."""
        (self._folder / "tmp").mkdir(exist_ok=True)
        with self.log.open("ab") as output, Path(os.devnull).open("rb") as nothing:
            self._process = self._begin((nothing.fileno(), output.fileno(), output.fileno()))

    def _begin(self, streams: Streams) -> "Command | subprocess.Popen[bytes]":
        return plainly([self.python, *self.COMMAND], self._folder, self.environment, streams)

    def kill(self) -> None:
        """Kill it as a power cut would, and wait until Slack has noticed."""
        before = self._connections()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._process = None
        until(lambda: self._connections() < max(before, 1), what="Slack to notice that the bot is gone")

    def stop(self) -> None:
        """End it as its service manager would, and wait for that."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(30)

    def signal(self, number: signal.Signals, name: str = "") -> list[int]:
        """Signal all of its processes, or those of a name; return their ids."""
        sent = [pid for pid, known in family(self.pid).items() if known.startswith(name)]
        for pid in sent:
            os.kill(pid, number)
        return sent

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def _connections(self) -> int:
        return int(self.slack.state()["connections"])

    def fail_if_dead(self) -> bool:
        """Whether it is dead: never, for then this fails and says what it wrote."""
        assert self._process is not None
        assert self._process.poll() is None, f"the bot stopped: {self.log.read_text('utf-8')}"
        return False


class BotProcess(PlainBot):
    """A bot of this release, begun in a process that has it loaded."""

    def _begin(self, streams: Streams) -> "Command | subprocess.Popen[bytes]":
        return start(["run"], self._folder, self.environment, streams)
