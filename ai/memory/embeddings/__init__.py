"""Meanings of messages as vectors, for the search. Nothing of it is loaded without a model."""

from ai.memory.embeddings.encoder import Encoder, encoder_at
from ai.memory.embeddings.vectors import Vectors

__all__ = ["Encoder", "Vectors", "encoder_at"]
