"""The files that answers shared in Slack: a file there says nothing of its question."""

from dataclasses import dataclass

from sqlalchemy import Column, ColumnElement, Connection, Engine, String, Table, delete, insert, select

from ai.memory.log.database import METADATA, reading, writing

SHARED_FILE = Table(
    "shared_file",
    METADATA,
    Column("file_id", String, primary_key=True),
    Column("turn_id", String, nullable=False, index=True),
)
FILE = SHARED_FILE.c


@dataclass(frozen=True, slots=True)
class SharedFiles:
    engine: Engine

    def add(self, turn_id: str, file_id: str) -> None:
        """Note a file before it is shared."""
        with writing(self.engine) as connection:
            erase(connection, FILE.file_id == file_id)
            connection.execute(insert(SHARED_FILE).values(file_id=file_id, turn_id=turn_id))

    def of_turn(self, turn_id: str) -> tuple[str, ...]:
        with reading(self.engine) as connection:
            return tuple(connection.execute(select(FILE.file_id).where(FILE.turn_id == turn_id)).scalars())

    def forget(self, file_id: str) -> None:
        with writing(self.engine) as connection:
            erase(connection, FILE.file_id == file_id)


def erase(connection: Connection, which: ColumnElement[bool]) -> None:
    connection.execute(delete(SHARED_FILE).where(which))
