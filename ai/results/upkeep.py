"""Upkeep of kept results: leftovers go, then idle results, then the least recently read.

Only results of queries go; copies under other names stay. Moments are seconds since 1970.
"""

import logging
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from time import time

from ai.errors import RowsAway
from ai.results.places import FolderFiles, KeptFiles, remove_leftovers
from ai.results.places.folder import entries

OF_A_QUERY = re.compile(r"q\d+\.arrow")
LOOK_SECONDS = 60.0
EXPORT_LEFT_AFTER = 86_400  # seconds, after which no turn is going to send it any more
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DiskBudget:
    """Bytes of all kept results, and seconds for which an unread one is kept."""

    total_bytes: int = 10 * 2**30
    idle_seconds: float = 90 * 86400


class Upkeep:
    """Looks through a place when the bytes written since the last look may pass the budget, else once a minute.

    A look costs a call of the system for each file. Writes of other processes count from the next look
    on. In the folder `root` results are made, and were kept before the place was another.
    """

    def __init__(
        self, files: KeptFiles, root: Path, budget: DiskBudget | None = None, clock: Callable[[], float] = time
    ) -> None:
        self._files = files
        self._root = root
        self._budget = budget or DiskBudget()
        self._clock = clock
        self._lock = Lock()
        self._left = 0  # bytes until the budget is used up, as far as this process knows
        self._looked = float("-inf")

    def wrote(self, name: str, size: int) -> None:
        """Note a file just written; a look spares it."""
        with self._lock:
            self._left -= size
            if self._left >= 0 and 0 <= self._clock() - self._looked < LOOK_SECONDS:
                return
        self.look(spare=name)

    def look(self, spare: str = "") -> None:
        """Delete results past their time; a place out of reach is looked through later."""
        try:
            self._look(spare)
        except RowsAway as error:
            log.warning("%s", error)

    def _look(self, spare: str) -> None:
        now = self._clock()
        taken = remove_leftovers(self._root, now)
        if not isinstance(self._files, FolderFiles):
            taken = tidy(FolderFiles(self._root), self._budget, now, taken=taken)
        taken = tidy(self._files, self._budget, now, spare, taken)
        with self._lock:
            self._left, self._looked = self._budget.total_bytes - taken, self._clock()


def tidy(files: KeptFiles, budget: DiskBudget, now: float, spare: str = "", taken: int = 0) -> int:
    """Delete idle results and those beyond the budget (`taken` bytes of it are used up), but never `spare`.

    Return the bytes that stay.
    """
    listed = sorted(files.listed(), key=lambda file: file.used, reverse=True)
    taken += sum(file.size for file in listed if file.name == spare)
    for file in listed:
        if file.name == spare:
            continue
        taken += file.size
        is_kept = taken <= budget.total_bytes and now - file.used <= budget.idle_seconds
        if not is_kept and OF_A_QUERY.fullmatch(file.name):
            files.delete(file.name)
            taken -= file.size
    return taken


def sweep_exports(root: Path, now: float) -> None:
    """Remove files of exports sent by no turn, and their folders."""
    folders = [Path(entry.path) for entry in entries(root)]
    for folder, file in [(each, file) for each in folders for file in FolderFiles(each).listed()]:
        if now - file.used > EXPORT_LEFT_AFTER:
            (folder / file.name).unlink(missing_ok=True)
            with suppress(OSError):  # there is more in the folder
                folder.rmdir()
