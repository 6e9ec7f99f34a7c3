"""Results as objects of a bucket, or of another place `pyarrow.fs` reaches by a URL.

Objects appear whole once all is sent. Elsewhere a file is written under another name and moved. An object does not know
when it was read: an empty one beside it does, ending in `.read`.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import BinaryIO
from uuid import uuid4

import pyarrow as pa
from pyarrow import fs

from ai.errors import ConfigError, RowsAway
from ai.results.places.pieces import PIECE_BYTES, pieces_file
from ai.results.places.port import KeptFile, OpenFile, named

WHOLE_AT_ONCE = ("s3", "gcs", "abfs")  # file systems whose objects are not there until they are closed
READ = ".read"
AT_ONCE = "allow_delayed_open"  # pyarrow's name for it
FRESH = 5.0  # seconds for which what is known of an object is not asked anew
AWAY = "The store of results {} does not answer ({}); check RESULTS_STORE, its server and its keys."
BAD = "RESULTS_STORE is {!r}: give folder, database, or a URL such as s3://bucket/prefix?region=eu-central-1 ({})."


def hidden(url: str) -> str:
    """Return a URL without its account and its options: they may hold keys."""
    return re.sub(r"://[^/]*@", "://", url.partition("?")[0])


def _sending_at_once(url: str) -> str:
    """Let a few megabytes go to S3 in one call instead of three."""
    if not url.startswith("s3://") or AT_ONCE in url:
        return url
    return f"{url}{'&' if '?' in url else '?'}{AT_ONCE}=true"


class BucketFiles:
    """Safe for many threads. Raises ConfigError for any other URL."""

    def __init__(self, url: str) -> None:
        self.place = hidden(url)
        try:
            self._fs, self._base = fs.FileSystem.from_uri(_sending_at_once(url))
        except (pa.ArrowException, ValueError) as error:
            reason = str(error).partition(":")[0].replace(url, self.place)
            raise ConfigError(BAD.format(self.place, reason)) from None
        except OSError as error:
            raise self._away(error) from None
        self._lock = Lock()
        self._known: dict[str, tuple[float, KeptFile]] = {}

    def put(self, name: str, file: Path) -> None:
        with self._reaching(), file.open("rb") as source:
            if self._fs.type_name in WHOLE_AT_ONCE:
                self._send(source, name, file.stat().st_size)
            else:
                self._fs.create_dir(self._base, recursive=True)
                part = f".{name}.{uuid4().hex}.part"
                self._send(source, part, file.stat().st_size)
                self._fs.move(self._path(part), self._path(name))
        self._forget(name)

    @contextmanager
    def open(self, name: str) -> Iterator[OpenFile]:
        found = named(self, name)
        if not found.was_used_lately:
            self._note_read(name)
        with self._reaching():
            opened = self._fs.open_input_file(self._path(name))
        with opened, pieces_file(found.size, lambda number: self._piece(opened, number)) as file:
            yield file

    def copy(self, name: str, to: str) -> None:
        named(self, name)
        with self._reaching():
            self._fs.copy_file(self._path(name), self._path(to))
        self._forget(to)

    def delete(self, name: str) -> None:
        self._forget(name)
        for each in (name, name + READ):
            with self._reaching(), suppress(FileNotFoundError):
                self._fs.delete_file(self._path(each))

    def listed(self, name: str | None = None) -> Iterator[KeptFile]:
        return self._all() if name is None else self._one(name)

    def _all(self) -> Iterator[KeptFile]:
        with self._reaching():
            found = self._fs.get_file_info(fs.FileSelector(self._base, allow_not_found=True))
        files = {info.base_name: info for info in found if info.type == fs.FileType.File}
        for name, info in files.items():
            if not name.startswith(".") and not name.endswith(READ):
                yield _kept(info, files.get(name + READ))

    def _one(self, name: str) -> Iterator[KeptFile]:
        with self._lock:
            at, known = self._known.get(name, (0.0, None))
        if known is None or monotonic() - at > FRESH:
            with self._reaching():
                info, mark = self._fs.get_file_info([self._path(name), self._path(name + READ)])
                if info.type != fs.FileType.File:
                    return
                known = _kept(info, mark, self._tag(name))
            with self._lock:
                self._known = {key: held for key, held in self._known.items() if monotonic() - held[0] <= FRESH}
                self._known[name] = monotonic(), known
        yield known

    def _tag(self, name: str) -> str:
        """Return the server's mark of the content, "" where it has none: times of S3 are whole seconds."""
        with self._fs.open_input_stream(self._path(name)) as opened:
            return str(opened.metadata() or "")

    def _send(self, source: BinaryIO, name: str, size: int) -> None:
        """Send a file. One cut short is deleted, as closing it makes it appear."""
        path = self._path(name)
        try:
            with self._fs.open_output_stream(path) as target:
                while piece := source.read(PIECE_BYTES):
                    target.write(piece)
        finally:
            info = self._fs.get_file_info(path)
            if info.type == fs.FileType.File and info.size != size:
                self._fs.delete_file(path)

    def _piece(self, opened: "pa.NativeFile", number: int) -> bytes:
        with self._reaching():
            piece: bytes = opened.read_at(PIECE_BYTES, number * PIECE_BYTES)  # type: ignore[call-arg]
            return piece

    def _note_read(self, name: str) -> None:
        with self._reaching():
            self._fs.open_output_stream(self._path(name + READ)).close()
        self._forget(name)

    def _path(self, name: str) -> str:
        return f"{self._base}/{name}"

    def _forget(self, name: str) -> None:
        with self._lock:
            self._known.pop(name, None)

    @contextmanager
    def _reaching(self) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError:
            raise
        except OSError as error:
            raise self._away(error) from error

    def _away(self, error: OSError) -> RowsAway:
        return RowsAway(AWAY.format(self.place, type(error).__name__))


def _kept(info: "fs.FileInfo", mark: "fs.FileInfo | None", tag: str = "") -> KeptFile:
    written = info.mtime_ns or 0
    read = (mark.mtime_ns or 0) if mark and mark.type == fs.FileType.File else 0
    return KeptFile(info.base_name, info.size, max(written, read) / 1e9, f"{written} {info.size} {tag}")
