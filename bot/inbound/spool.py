"""Keep events in files while they cannot be stored: private, bounded, on another disk than the data where there is one.

A file is written whole or not at all. Its words are forgotten with their thread, their author, or everything.
"""

import json
import logging
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import gettempdir
from typing import Any

from ai.types import ThreadKey
from bot.inbound.messages import said_in

Body = Mapping[str, Any]
MOST_FILES, MOST_BYTES = 10_000, 100_000
DISKS = (Path("/var/tmp"), Path(gettempdir()))
MEMORY = Path("/dev/shm")
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Spool:
    """The files of a data folder, in the first of `folders` with room; all of its processes here share them."""

    folders: tuple[Path, ...]
    most_files: int = MOST_FILES

    def keep(self, key: str, body: Body) -> None:
        """Write an event, synced. Raises OSError when it cannot be kept."""
        content = json.dumps(body).encode()
        if len(content) > MOST_BYTES:
            raise OSError(f"an event of {len(content)} bytes is too long for the spool")
        for folder in self.folders:
            try:
                return _write(folder, key, content, self.most_files)
            except OSError as error:
                failure = error
        raise failure

    def has(self, key: str) -> bool:
        """Whether an event is still kept; forgetting removes it."""
        return any((folder / f"{key}.json").exists() for folder in self.folders)

    def remove(self, key: str) -> None:
        for folder in self.folders:
            with suppress(OSError):  # read-only for now: once read again, what it says is known
                (folder / f"{key}.json").unlink(missing_ok=True)

    def kept(self) -> Iterator[Body]:
        """Yield the events, skipping aloud what cannot be read."""
        for path in (path for folder in self.folders if _is_ours(folder) for path in sorted(folder.glob("*.json"))):
            try:
                body = json.loads(path.read_bytes())
            except FileNotFoundError:
                continue
            except (OSError, ValueError):
                log.exception("%s cannot be read; remove it by hand", path)
                continue
            yield body

    def forget_thread(self, thread: ThreadKey) -> None:
        self._forget(lambda event: event.get("channel") == thread.channel and thread.thread_ts in _places(event))

    def forget_person(self, user: str) -> None:
        self._forget(lambda event: said_in(event).get("user") == user)

    def forget_everything(self) -> None:
        self._forget(lambda _: True)

    def _forget(self, is_meant: Callable[[Body], bool]) -> None:
        for body in self.kept():
            if is_meant(body["event"]):
                self.remove(key_of(body))


def key_of(body: Body) -> str:
    """Name an event: the same for every delivery of it."""
    event = body["event"]
    names = ("type", "subtype", "channel", "ts", "event_ts", "deleted_ts")
    return sha256("\n".join(str(event.get(name, "")) for name in names).encode()).hexdigest()[:32]


def spool_for(data_dir: Path, disks: Sequence[Path] = DISKS, memory: Path = MEMORY) -> Spool:
    """Return the spool of a data folder: on another file system if possible, beside the data, in memory."""
    named = f"datathread-{os.getuid()}-{sha256(str(data_dir.resolve()).encode()).hexdigest()[:16]}"
    here = _device(data_dir)
    elsewhere = [place / named for place in disks if _device(place) not in (None, here)]
    return Spool((*elsewhere[:1], data_dir / "spool", *([memory / named] if memory.is_dir() else [])))


def _write(folder: Path, key: str, content: bytes, most_files: int) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not _is_ours(folder) or sum(1 for _ in folder.iterdir()) >= most_files:
        raise OSError(f"the spool {folder} has no room, or belongs to somebody else")
    unfinished = folder / f"{key}.{os.getpid()}.new"
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(folder / f"{key}.json")
    except OSError:
        unfinished.unlink(missing_ok=True)
        raise


def _places(event: Body) -> set[str]:
    said = said_in(event)
    return {str(said.get(name, "")) for name in ("ts", "thread_ts")}


def _device(folder: Path) -> int | None:
    try:
        return folder.stat().st_dev
    except OSError:
        return None


def _is_ours(folder: Path) -> bool:
    try:
        found = folder.lstat()
    except OSError:
        return False
    return not folder.is_symlink() and found.st_uid == os.getuid() and not found.st_mode & 0o077
