"""One result as one Arrow file (IPC, zstd), written as a stream and read back in pieces.

Columns are named by position, so equal titles do not clash. Titles, database types, ways of writing and the mark of the
rights stand in the metadata. The last batch is empty and carries the row count.
"""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

import pyarrow as pa

from ai.errors import NoResult
from ai.files.durable import sync
from ai.results.cells import BY_NAME, NOTHING, Block, Way, wider
from ai.results.places import OLD, OpenFile
from ai.results.table import ResultColumn

META = b"datathread"
RIGHTS = b"datathread.rights"
OPTIONS = pa.ipc.IpcWriteOptions(compression="zstd")
UNREADABLE = "The rows of this result cannot be read any more; ask the question again."
log = logging.getLogger(__name__)


class ArrowWriter:
    """A result in the making; leaving the `with` block closes and syncs the file.

    The first batch decides how columns are written. For a later value that does not fit, the file is copied with a
    wider column.
    """

    def __init__(self, path: Path, columns: tuple[ResultColumn, ...], rights: str = "") -> None:
        self.path = path
        self.columns = columns
        self.rights = rights
        self.rows = 0
        self._part: _Part | None = None

    def __enter__(self) -> "ArrowWriter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._part is not None:
            self._part.close()
            sync(self.path)

    def add(self, block: Block) -> None:
        if self._part is None:
            self._part = _Part(self.path, self.columns, block.ways, self.rights)
        ways = tuple(map(wider, self._part.ways, block.ways))
        if ways != self._part.ways:
            self._part = self._widened(self._part, ways)
        self._part.put(block.recast(ways))
        self.rows += block.row_count

    @property
    def ways(self) -> tuple[str, ...]:
        return tuple(way.name for way in self._part.ways) if self._part else ()

    def finish(self, *, truncated: bool) -> None:
        """Write the row count and whether the query had more."""
        if self._part is None:
            self._part = _Part(self.path, self.columns, (NOTHING,) * len(self.columns), self.rights)
        end = json.dumps({"rows": self.rows, "truncated": truncated})
        nothing = tuple(way.write(()) for way in self._part.ways)
        self._part.put(Block(self._part.ways, nothing), {META: end.encode()})

    def _widened(self, part: "_Part", ways: tuple[Way, ...]) -> "_Part":
        part.close()
        narrow = self.path.rename(self.path.with_name(self.path.name + OLD))
        wide = _Part(self.path, self.columns, ways, self.rights)
        with pa.OSFile(str(narrow), "rb") as file, ArrowReader.of(file, narrow.name) as reader:
            for block in reader.blocks():
                wide.put(block.recast(ways))
        narrow.unlink()
        return wide


class _Part:
    """A file open for writing, with one way for each column."""

    def __init__(self, path: Path, columns: tuple[ResultColumn, ...], ways: tuple[Way, ...], rights: str) -> None:
        self.ways = ways
        described = [[column.name, column.type, way.name] for column, way in zip(columns, ways, strict=True)]
        fields = [pa.field(f"c{number}", way.arrow) for number, way in enumerate(ways)]
        self._schema = pa.schema(fields, metadata={META: json.dumps(described).encode(), RIGHTS: rights.encode()})
        self._file = pa.ipc.new_file(str(path), self._schema, options=OPTIONS)
        self.close = self._file.close

    def put(self, block: Block, metadata: dict[bytes, bytes] | None = None) -> None:
        self._file.write_batch(pa.RecordBatch.from_arrays(list(block.arrays), schema=self._schema), metadata)


class ArrowReader:
    """An open file and its rows by blocks. Unreadable content counts as gone: it raises NoResult."""

    def __init__(self, file: OpenFile, *, few: bool = False) -> None:
        self.size: int = file.size()
        self._file = pa.ipc.open_file(file, options=pa.ipc.IpcReadOptions(use_threads=not few))
        metadata = dict(self._file.schema.metadata or {})
        self.rights: str = metadata.get(RIGHTS, b"").decode()
        described = json.loads(metadata[META])
        self.columns = tuple(ResultColumn(name, kind) for name, kind, _ in described)
        self.ways = tuple(way for *_, way in described)
        self._ways = tuple(BY_NAME[way] for way in self.ways)

    @classmethod
    @contextmanager
    def of(cls, file: OpenFile, name: str, *, few: bool = False) -> Iterator["ArrowReader"]:
        """Read an open file; a `few` rows are read before other threads wake up."""
        try:
            yield cls(file, few=few)
        except (pa.ArrowException, OSError, KeyError, ValueError) as error:
            log.warning("the stored result %s does not read back (%s)", name, error)
            raise NoResult(UNREADABLE) from error

    def end(self) -> tuple[int, bool]:
        """Return the row count and whether the query had more."""
        _, metadata = self._file.get_batch_with_custom_metadata(self._file.num_record_batches - 1)
        end = json.loads(dict(metadata or {})[META])
        return end["rows"], end["truncated"]

    def blocks(self) -> Iterator[Block]:
        """Yield the stored batches, without empty ones."""
        for number in range(self._file.num_record_batches):
            batch = self._file.get_batch(number)
            if batch.num_rows:
                yield Block(self._ways, tuple(batch.columns))
