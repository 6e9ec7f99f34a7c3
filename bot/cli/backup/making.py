"""Make a backup while bots run: one moment of each store, in an order leaving nothing dangling.

The newest seal comes first and the queue before the memory: the things they name are saved after them. Rows dropped
by the memory meanwhile count as no longer kept.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from shutil import copyfile

from ai.errors import Corrupt, NoResult
from ai.memory.seals import FIRST
from ai.memory.stores import save
from bot import __version__
from bot.cli.backup import manifest
from bot.cli.backup.folder import whole
from bot.cli.backup.places import KEY, BackupPlaces
from bot.engine import save_queue

STATE, QUEUE, RESULTS, FILES = "state", "engine", "results", "files"
THREAD_FILES = ("files.duckdb", "facts.json", "expected-*.json")


@dataclass(frozen=True, slots=True)
class Made:
    """The content of a backup: rows of each table, results, bytes; `losses` tell of unreadable parts."""

    rows: Mapping[str, int]
    results: int
    size: int
    losses: tuple[str, ...]


def back_up(places: BackupPlaces, target: Path) -> Made:
    """Write a backup to a new or empty folder. ConfigError or SourceUnavailable."""
    with whole(target) as folder:
        for room in (STATE, QUEUE, RESULTS, FILES):
            (folder / room).mkdir()
        newest = places.chain.head.read()
        if places.own_key is not None:
            copyfile(places.own_key, folder / KEY)
        queue = save_queue(places.engine, folder / QUEUE)
        state = save(places.state, folder / STATE)
        results = [handle for handle in state.results if _copied(places, handle, folder / RESULTS)]
        _copy_files(places.files, folder / FILES)
        losses, made_at = (*queue.losses, *state.losses), datetime.now(UTC).isoformat(timespec="seconds")
        files, seal = manifest.listed(folder), "" if newest == FIRST else str(newest)
        manifest.write(manifest.Manifest(__version__, made_at, state.step, seal, losses, files), folder)
    size = sum(length for length, _ in files.values())
    return Made({**queue.rows, **state.rows}, len(results), size, losses)


def _copied(places: BackupPlaces, handle: str, folder: Path) -> bool:
    with suppress(NoResult, Corrupt):  # no longer kept, or in a damaged database
        places.results.copy_out(handle, folder / f"{handle}.arrow")
        return True
    return False


def _copy_files(source: Path, folder: Path) -> None:
    """Copy the tables made of files in threads; each is replaced as a whole when it grows."""
    for path in (path for pattern in THREAD_FILES for path in source.glob(f"files-*/{pattern}")):
        (folder / path.parent.name).mkdir(exist_ok=True)
        with suppress(FileNotFoundError):  # its thread was forgotten just now
            copyfile(path, folder / path.parent.name / path.name)
