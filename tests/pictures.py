"""Texts of a drawn chart, measured in its scene graph: where they stand, and which of them touch."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import vl_convert

from ai.charts.draw import VERSION
from ai.charts.measure import width
from ai.charts.theme import HEIGHT, WIDTH

TOUCH = 3.0  # pixels that boxes may share: letters are smaller than the boxes of their line


@dataclass(frozen=True)
class Text:
    """A line of text and its box in the picture."""

    words: str
    left: float
    top: float
    right: float
    bottom: float

    def touches(self, other: "Text") -> bool:
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across > TOUCH and down > TOUCH

    @property
    def is_inside(self) -> bool:
        return (
            self.left >= -TOUCH and self.top >= -TOUCH and self.right <= WIDTH + TOUCH and self.bottom <= HEIGHT + TOUCH
        )


def texts_of(spec: dict[str, Any]) -> list[Text]:
    """Return all texts of a chart."""
    scene = vl_convert.vegalite_to_scenegraph(json.dumps(spec), vl_version=VERSION)
    x, y = scene["origin"]
    return list(_texts(scene["scenegraph"], x, y))


def faults(spec: dict[str, Any]) -> list[str]:
    """Return which texts touch each other or leave the picture."""
    texts = texts_of(spec)
    outside = [f"{text.words!r} leaves the picture" for text in texts if not text.is_inside]
    return outside + [f"{one.words!r} touches {two.words!r}" for one, two in combinations(texts, 2) if one.touches(two)]


def _texts(mark: dict[str, Any], x: float, y: float) -> Iterator[Text]:
    for item in mark.get("items", ()):
        if mark.get("marktype") == "text" and item.get("text") not in (None, "", []) and item.get("opacity", 1):
            yield from _lines(item, x, y)
        elif "items" in item:
            yield from _within(item, x, y)


def _within(group: dict[str, Any], x: float, y: float) -> Iterator[Text]:
    for mark in group["items"]:
        yield from _texts(mark, x + group.get("x", 0), y + group.get("y", 0))


def _lines(item: dict[str, Any], x: float, y: float) -> Iterator[Text]:
    size = item.get("fontSize", 11)
    bold = str(item.get("fontWeight", "")) in ("bold", "700")
    words = item["text"] if isinstance(item["text"], list) else [item["text"]]
    left, top = x + item.get("x", 0) + item.get("dx", 0), y + item.get("y", 0) + item.get("dy", 0)
    top -= {"middle": size * 0.5, "top": 0, "bottom": size, "alphabetic": size * 0.8}.get(
        item.get("baseline", "alphabetic"), size
    )
    for number, line in enumerate(map(str, words)):
        long = width(line, size, bold=bold)
        start = left - {"left": 0, "center": long / 2, "right": long}[item.get("align", "left")]
        above = top + number * size * 1.15 + size * 0.12
        yield Text(line, start, above, start + long, above + size * 0.76)
