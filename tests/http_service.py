"""The HTTP API over a whole product on a small database, served on a free port of this machine."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from ssl import PROTOCOL_TLS_CLIENT, SSLContext

import httpx
from fastapi import FastAPI
from starlette.testclient import TestClient

from ai.agents.port import run_now
from ai.agents.querying.charting import Charting
from ai.analysts.port import Analyst
from ai.memory_store import MemoryStore
from ai.sql.rights import EVERYTHING, Rights
from ai.types import ThreadKey
from bot.access import Access
from bot.delivery import Surface
from bot.http_api.api import Service, create_app
from bot.http_api.callers import ApiCaller, ApiCallers, digest
from bot.http_api.chats import Chats, MemoryDelivery
from bot.http_api.server import serving
from bot.turn import TurnRunner
from tests.desk import open_desk

NO_TLS = SSLContext(PROTOCOL_TLS_CLIENT)  # our services speak plain HTTP; to load the authorities takes long
ANA_TOKEN, BEN_TOKEN = "token-of-ana-0123456789", "token-of-ben-0123456789"
TOKENS = {
    digest(ANA_TOKEN): ApiCaller("T1", "U_ANA", ("C_SALES", "C_GENERAL")),
    digest(BEN_TOKEN): ApiCaller("T1", "U_BEN", ("C_GENERAL",)),
}


@dataclass(frozen=True)
class Api:
    """A served API: its address, the memory behind it, and the folder of its files."""

    app: FastAPI
    url: str
    memory: MemoryStore
    exports: Path

    def client(self, token: str | None = ANA_TOKEN, **headers: str) -> httpx.Client:
        """A client that sends this token."""
        return httpx.Client(base_url=self.url, headers=_bearer(token) | headers, timeout=30, verify=NO_TLS)

    def here(self, token: str | None = ANA_TOKEN, **headers: str) -> TestClient:
        """The same without a socket: requests are handed to the application."""
        return TestClient(self.app, self.url, headers=_bearer(token) | headers, client=("127.0.0.1", 1))


def _bearer(token: str | None) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}


@contextmanager
def http_api(
    folder: Path,
    *,
    tokens: bool = True,
    wait_seconds: float = 30,
    analyst: Analyst | None = None,
    ready: Callable[[], dict[str, str]] = dict,
    rights: Rights = EVERYTHING,
) -> Iterator[Api]:
    """Serve; without `tokens` as the demo does. Turns run at once, on threads of their own."""
    callers = ApiCallers(TOKENS if tokens else {}, open_to_this_machine=not tokens)
    access = Access({"*": "shop"})
    with open_desk(folder, analyst, rights=rights) as desk, ThreadPoolExecutor(4) as turns:
        surface = Surface(MemoryDelivery(desk.memory), keeps_files=True)
        runner = TurnRunner(desk.memory, desk.orchestrator, access, lambda _: surface)

        def enqueue(turn_id: str, _: ThreadKey) -> None:
            turns.submit(runner.run, turn_id, run_now)

        chats = Chats(desk.memory, access, enqueue, desk.audience, desk.exports.folder)
        charting = Charting(desk.memory, desk.context)
        forget = desk.memory.lifecycle.forget_thread
        service = Service(desk.memory, chats, callers, wait_seconds, ready, forget, charting)
        app = create_app(service)
        with serving(app, 0) as url:
            yield Api(app, url, desk.memory, desk.exports.folder)
