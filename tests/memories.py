"""Opens real memories for tests."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from alembic.config import Config
from sqlalchemy import Connection

from ai.memory import migrations
from ai.memory.embeddings import Encoder
from ai.memory.limits import MemoryLimits
from ai.memory.opening import open_engine, results_at
from ai.memory_store import MemoryStore, open_memory
from ai.types import ThreadKey

THREAD = ThreadKey("T1", "C1", "1764000000.000100")
DEFAULTS = MemoryLimits()
NOON = datetime(2026, 1, 7, 12, tzinfo=UTC)


@contextmanager
def opened(
    folder: Path,
    limits: MemoryLimits = DEFAULTS,
    url: str | None = None,
    encoder: Encoder | None = None,
    rows: str = "folder",
) -> Iterator[MemoryStore]:
    """A memory in a folder; `url` puts its tables elsewhere, such as into RAM, and `rows` those of results."""
    url = url or store_in(folder)
    results = results_at(rows, folder / "results", 10**9, 90)
    memory = open_memory(url, results, limits, encoder=encoder)
    try:
        yield memory
    finally:
        memory.close()


def store_in(folder: Path, name: str = "state.sqlite") -> str:
    """Return the address of the memory in a folder; a new one begins as its migrations left one of this process."""
    path = folder / name
    if not path.exists():
        (own := folder / f"{name}-{os.getpid()}").write_bytes(_migrated())
        with suppress(FileExistsError):  # another process was quicker, and may have written since
            path.hardlink_to(own)
        own.unlink()
    return f"sqlite:///{path}"


@cache
def _migrated() -> bytes:
    with TemporaryDirectory() as name:
        path = Path(name) / "state.sqlite"
        open_engine(f"sqlite:///{path}").dispose()
        return path.read_bytes()


def turn(number: int, thread: ThreadKey = THREAD) -> str:
    """The id of the turn that the message of this number begins."""
    return f"{thread.team}:{thread.channel}:{number}"


def ask(memory: MemoryStore, number: int, text: str, thread: ThreadKey = THREAD) -> bool:
    """Log a question, one second after the one before."""
    return memory.receive(thread, turn(number, thread), text, "U1", NOON + timedelta(seconds=number))


def said(memory: MemoryStore, thread: ThreadKey = THREAD, before: int | None = None) -> list[str]:
    """The texts of the view."""
    history = memory.history(thread, None if before is None else turn(before, thread))
    return [message.content for message in history]


def migrate(connection: Connection, step: Callable[[Config, str], None], revision: str) -> None:
    """Bring a store to a step of its tables, by a command of Alembic."""
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    config.set_main_option("path_separator", "os")
    step(config, revision)
