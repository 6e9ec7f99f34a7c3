"""Stands in for model2vec where that is not installed: what its adapter needs of it, with models a test writes.

A model is a JSON list of groups of words with the same meaning. Each group is an axis; any other word counts a little on
one of a few axes more, so texts without a group are alike only by their words.
"""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

OTHERS, SHARE = 61, 0.25
Groups = list[list[str]]


class Vectors(list[list[float]]):
    def tolist(self) -> list[list[float]]:
        return list(self)


class StaticModel:
    def __init__(self, groups: Groups) -> None:
        self._axes = {word: axis for axis, group in enumerate(groups) for word in group}
        self._size = len(groups)

    @classmethod
    def from_pretrained(cls, path: Path) -> "StaticModel":
        return cls(json.loads((path / "model.safetensors").read_text("utf-8")))

    def encode(self, sentences: Sequence[str], *, use_multiprocessing: bool = True) -> Vectors:
        return Vectors(map(self._vector, sentences))

    def _vector(self, sentence: str) -> list[float]:
        vector = [0.0] * (self._size + OTHERS)
        for word in re.findall(r"\w+", sentence.lower()):
            axis = self._axes.get(word)
            vector[self._size + crc32(word.encode()) % OTHERS if axis is None else axis] += SHARE if axis is None else 1
        return vector


def write_model(folder: Path, groups: Groups) -> Path:
    """Write a model; return its folder."""
    folder.mkdir(exist_ok=True)
    (folder / "model.safetensors").write_text(json.dumps(groups), "utf-8")
    return folder
