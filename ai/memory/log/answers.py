"""A model's words for a result, and the sealed receipt: each kept once per turn."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Engine, Table, insert, select

from ai.errors import NoResult
from ai.memory.log import threads
from ai.memory.log.database import reading, writing
from ai.memory.log.tables import PHRASING, RECEIPT
from ai.types import Json, ThreadKey


@dataclass(frozen=True, slots=True)
class Answers:
    engine: Engine

    def keep_phrasing(self, thread: ThreadKey, turn_id: str, text: str) -> None:
        self._keep(PHRASING, thread, turn_id, {"text": text})

    def phrasing(self, turn_id: str) -> str:
        """Raises NoResult."""
        text = self._kept(PHRASING, turn_id)
        if text is None:
            raise NoResult("The words of this answer are gone; ask the question again.")
        return str(text)

    def keep_receipt(self, thread: ThreadKey, turn_id: str, fields: dict[str, Json]) -> None:
        self._keep(RECEIPT, thread, turn_id, {"fields": fields})

    def receipt(self, turn_id: str) -> dict[str, Json] | None:
        """Return a turn's receipt with its seal."""
        fields: dict[str, Json] | None = self._kept(RECEIPT, turn_id)
        return fields

    def _keep(self, table: Table, key: ThreadKey, turn_id: str, content: dict[str, Any]) -> None:
        with writing(self.engine) as connection:
            if connection.execute(select(table.c.turn_id).where(table.c.turn_id == turn_id)).first() is None:
                thread = threads.claim(connection, key, versions=0)
                row = {"turn_id": turn_id, "thread_id": thread.id, "created_at": datetime.now(UTC), **content}
                connection.execute(insert(table).values(row))

    def _kept(self, table: Table, turn_id: str) -> Any:
        content = table.c.text if table is PHRASING else table.c.fields
        with reading(self.engine) as connection:
            return connection.execute(select(content).where(table.c.turn_id == turn_id)).scalar()
