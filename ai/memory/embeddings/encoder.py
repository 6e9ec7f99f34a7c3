"""The port for turning texts into vectors, and its adapter for model2vec."""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ai.errors import ConfigError, MissingExtra

if TYPE_CHECKING:
    from model2vec import StaticModel

WEIGHTS = "model.safetensors"


class Encoder(Protocol):
    @property
    def name(self) -> str:
        """Return the name of the model; it changes with the vectors."""

    @property
    def floor(self) -> float:
        """Return the cosine from which two texts are about the same."""

    def encode(self, texts: Sequence[str]) -> Sequence[Sequence[float]]: ...


class StaticEncoder:
    def __init__(self, model: "StaticModel", name: str, floor: float) -> None:
        self.name, self.floor = name, floor
        self._model = model

    def encode(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        vectors: list[list[float]] = self._model.encode(list(texts), use_multiprocessing=False).tolist()
        return vectors


def encoder_at(folder: Path | None, floor: float) -> Encoder | None:
    """Load the model in a folder. ConfigError without the extra or a readable model."""
    if folder is None:
        return None
    if not (folder / WEIGHTS).is_file():
        raise ConfigError(f"EMBEDDING_MODEL is {str(folder)!r}: give the folder of a model2vec model ({WEIGHTS}).")
    try:
        from model2vec import StaticModel
        from safetensors import SafetensorError
    except ModuleNotFoundError:
        raise MissingExtra("EMBEDDING_MODEL", "semantic") from None
    name = f"{folder.resolve().name}@{sha256((folder / WEIGHTS).read_bytes()).hexdigest()[:12]}"
    try:
        return StaticEncoder(StaticModel.from_pretrained(folder), name, floor)
    except (OSError, ValueError, SafetensorError) as error:
        raise ConfigError(f"EMBEDDING_MODEL is {str(folder)!r}, which cannot be read: {error}") from None
