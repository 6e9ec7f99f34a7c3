"""Vectors of messages, made when a search first needs them and kept with the name of their model.

The database deletes a vector with its message, and when the message is edited.
"""

import logging
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from operator import mul
from typing import Any

from sqlalchemy import (
    Column,
    Engine,
    ForeignKey,
    LargeBinary,
    Select,
    String,
    Table,
    and_,
    bindparam,
    case,
    text,
)
from sqlalchemy.exc import DBAPIError

from ai.memory.embeddings.encoder import Encoder
from ai.memory.log.database import METADATA, NUMBER, AnyText, deriving, reading
from ai.memory.log.tables import MESSAGE

log = logging.getLogger(__name__)
VECTOR = Table(
    "vector",
    METADATA,
    Column("message_id", NUMBER, ForeignKey("message.id", ondelete="CASCADE"), primary_key=True),
    Column("model", String, nullable=False),
    Column("body", LargeBinary, nullable=False),  # 32-bit floats, of length 1 in all
)
KEEP = text(
    "INSERT INTO vector (message_id, model, body) SELECT id, :model, :body FROM message "
    "WHERE id = :id AND content = :content "  # it may be edited meanwhile
    "ON CONFLICT (message_id) DO UPDATE SET model = excluded.model, body = excluded.body"
).bindparams(bindparam("content", type_=AnyText))


@dataclass(frozen=True, slots=True)
class Vectors:
    engine: Engine
    encoder: Encoder

    def alike(self, words: str, messages: Select[tuple[Any, ...]]) -> dict[int, float]:
        """Return the cosines of messages about the same; `messages` selects their `number`."""
        own = and_(VECTOR.c.message_id == MESSAGE.c.id, VECTOR.c.model == self.encoder.name)
        missing = case((VECTOR.c.message_id.is_(None), MESSAGE.c.content))
        columns = messages.add_columns(MESSAGE.c.id, VECTOR.c.body, missing.label("content"))
        with reading(self.engine) as connection:
            rows = connection.execute(columns.outerjoin(VECTOR, own)).all()
        made = self._make([(row.id, row.content) for row in rows if row.body is None])
        (wanted,) = self._encode([words])
        near = {row.number: _dot(wanted, row.body or made[row.id]) for row in rows}
        return {number: cosine for number, cosine in near.items() if cosine >= self.encoder.floor}

    def _make(self, texts: Sequence[tuple[int, str]]) -> dict[int, bytes]:
        if not texts:
            return {}
        bodies = [vector.tobytes() for vector in self._encode([content for _, content in texts])]
        made = [(*each, body) for each, body in zip(texts, bodies, strict=True)]
        model = {"model": self.encoder.name}
        try:
            with deriving(self.engine) as connection:
                connection.execute(KEEP, [model | {"id": n, "content": said, "body": body} for n, said, body in made])
        except DBAPIError as error:  # the store is busy: this search has its vectors, and a later one keeps them
            log.warning("vectors are not kept at the moment (%s)", type(error.orig).__name__)
        return {number: body for number, _, body in made}

    def _encode(self, texts: Sequence[str]) -> "list[array[float]]":
        vectors = self.encoder.encode(texts)
        lengths = (sqrt(sum(map(mul, vector, vector))) or 1 for vector in vectors)
        return [array("f", [x / length for x in vector]) for vector, length in zip(vectors, lengths, strict=True)]


def _dot(vector: "array[float]", body: bytes) -> float:
    cosine: float = sum(map(mul, vector, memoryview(body).cast("f")))
    return cosine
