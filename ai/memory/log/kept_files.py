"""Kept results in the database of the memory, cut into chunks: every process on it finds them.

The chunks of a content stand under a mark of its own, so none is ever read into the next.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import time
from uuid import uuid4

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Engine,
    Float,
    Integer,
    LargeBinary,
    Row,
    String,
    Table,
    delete,
    insert,
    literal,
    select,
    update,
)

from ai.errors import NoResult
from ai.memory.log.database import METADATA, NUMBER, reading, writing
from ai.results.places import GONE, PIECE_BYTES, KeptFile, OpenFile, named, pieces_file

KEPT_FILE = Table(
    "kept_file",
    METADATA,
    Column("id", NUMBER, primary_key=True),
    Column("name", String, nullable=False, index=True),
    Column("version", String, nullable=False, unique=True),
    Column("size", NUMBER, nullable=False),
    Column("used", Float, nullable=False),  # when it was last written or read, in seconds since 1970
)
KEPT_CHUNK = Table(
    "kept_chunk",
    METADATA,
    Column("version", String, primary_key=True),
    Column("number", Integer, primary_key=True),  # from 0
    Column("data", LargeBinary, nullable=False),
)
FILE = KEPT_FILE.c
CHUNK = KEPT_CHUNK.c


class DatabaseFiles:
    """Files in the database. Inside a writing transaction on it, all is a part of that one."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @property
    def place(self) -> str:
        return "the database of the memory"

    def put(self, name: str, file: Path) -> None:
        version, size = uuid4().hex, file.stat().st_size
        with writing(self._engine) as connection, file.open("rb") as source:
            for number, piece in enumerate(iter(lambda: source.read(PIECE_BYTES), b"")):
                connection.execute(insert(KEPT_CHUNK).values(version=version, number=number, data=piece))
            _keep(connection, name, version, size)

    @contextmanager
    def open(self, name: str) -> Iterator[OpenFile]:
        found = named(self, name)
        if not found.was_used_lately:
            with writing(self._engine) as connection:
                connection.execute(update(KEPT_FILE).where(FILE.version == found.version).values(used=time()))
        with pieces_file(found.size, lambda number: self._chunk(found.version, number)) as file:
            yield file

    def copy(self, name: str, to: str) -> None:
        version = uuid4().hex
        with writing(self._engine) as connection:
            found = _newest(connection, name)
            if found is None:
                raise FileNotFoundError(name)
            chunks = select(literal(version), CHUNK.number, CHUNK.data).where(CHUNK.version == found.version)
            connection.execute(insert(KEPT_CHUNK).from_select(["version", "number", "data"], chunks))
            _keep(connection, to, version, found.size)

    def delete(self, name: str) -> None:
        with writing(self._engine) as connection:
            _delete(connection, FILE.name == name)

    def listed(self, name: str | None = None) -> Iterator[KeptFile]:
        with reading(self._engine) as connection:
            found = [_newest(connection, name)] if name else connection.execute(select(KEPT_FILE)).all()
        return (KeptFile(row.name, row.size, row.used, row.version) for row in found if row)

    def _chunk(self, version: str, number: int) -> bytes:
        own = select(CHUNK.data).where(CHUNK.version == version, CHUNK.number == number)
        with reading(self._engine) as connection:
            data = connection.execute(own).scalar()
        if data is None:
            raise NoResult(GONE)  # it was deleted or replaced in the meantime
        return bytes(data)


def _newest(connection: Connection, name: str) -> Row[tuple[object, ...]] | None:
    own = select(KEPT_FILE).where(FILE.name == name).order_by(FILE.id.desc()).limit(1)
    return connection.execute(own).first()


def _keep(connection: Connection, name: str, version: str, size: int) -> None:
    """Name the chunks of a version, in place of earlier ones."""
    connection.execute(insert(KEPT_FILE).values(name=name, version=version, size=size, used=time()))
    _delete(connection, (FILE.name == name) & (FILE.version != version))


def _delete(connection: Connection, which: ColumnElement[bool]) -> None:
    gone = connection.execute(select(FILE.version).where(which)).scalars().all()
    connection.execute(delete(KEPT_CHUNK).where(CHUNK.version.in_(gone)))
    connection.execute(delete(KEPT_FILE).where(FILE.version.in_(gone)))
