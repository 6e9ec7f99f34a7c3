"""The places that a backup is made of and restored to, all in one folder or with the tables elsewhere."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ai.memory.opening import results_at
from ai.memory.seals import chain_at
from ai.memory_store import MemoryStore, open_memory
from ai.results.store import ResultStore
from bot.cli.backup import BackupPlaces
from tests.memories import DEFAULTS


def places(folder: Path, url: str | None = None) -> BackupPlaces:
    """Return the places of a bot in a folder; `url` puts its tables elsewhere."""
    folder.mkdir(exist_ok=True)
    url = url or f"sqlite:///{folder / 'state.sqlite'}"
    queue = url if url.startswith("postgresql") else f"sqlite:///{folder / 'engine.sqlite'}"
    chain = chain_at(None, folder, url)
    return BackupPlaces(url, queue, ResultStore(folder / "results"), folder / "files", chain, folder / "receipt.key")


@contextmanager
def opened(at: BackupPlaces) -> Iterator[MemoryStore]:
    results = results_at("database", at.results.root, 10**9, 1) if at.in_memory else at.results
    with closing(open_memory(at.state, results, DEFAULTS, chain=at.chain)) as memory:
        yield memory
