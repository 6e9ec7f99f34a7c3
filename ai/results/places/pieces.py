"""A file whose bytes are fetched in pieces, the last one at hand: a chunk of a database, a range of an object."""

from collections.abc import Callable
from io import RawIOBase
from os import SEEK_CUR, SEEK_END, SEEK_SET

import pyarrow as pa

from ai.results.places.port import OpenFile

PIECE_BYTES = 2**20


def pieces_file(size: int, fetch: Callable[[int], bytes]) -> OpenFile:
    """Return a file of `size` bytes; `fetch` returns its piece of a number, from 0."""
    return pa.PythonFile(_PiecesReader(size, fetch), mode="r")


class _PiecesReader(RawIOBase):
    def __init__(self, size: int, fetch: Callable[[int], bytes]) -> None:
        super().__init__()
        self._size = size
        self._fetch = fetch
        self._place = 0
        self._held = -1, b""

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._place

    def seek(self, offset: int, whence: int = SEEK_SET) -> int:
        self._place = offset + {SEEK_SET: 0, SEEK_CUR: self._place, SEEK_END: self._size}[whence]
        return self._place

    def read(self, size: int = -1) -> bytes:
        end = self._size if size < 0 else min(self._size, self._place + size)
        parts = []
        while self._place < end:
            number, skipped = divmod(self._place, PIECE_BYTES)
            part = self._piece(number)[skipped : skipped + end - self._place]
            if not part:
                break  # the file is shorter than it should be: the reader of its format says so
            parts.append(part)
            self._place += len(part)
        return b"".join(parts)

    def _piece(self, number: int) -> bytes:
        if self._held[0] != number:
            self._held = number, self._fetch(number)
        return self._held[1]
