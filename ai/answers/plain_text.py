"""Markdown as the words that a reader sees, each character knowing where it came from; and its sentences.

Code blocks, links, emphasis, bullets and the numbers of list items are no part of what is said.
"""

import re
from dataclasses import dataclass

_UNSAID = re.compile(
    r"```.*?```|<?https?://[^\s>|]+(?:\|[^>]*)?>?|^[ \t]*(?:[-*•+]|\(?\d{1,2}[.)])[ \t]+(?=\S)|^[ \t]*[#>]+[ \t]|"
    r"\*+|`|~~|(?<!\w)_+(?=\w)|(?<=\w)_+(?!\w)|\\(?=[^\w\s])|:[a-z][a-z_]+:",
    re.DOTALL | re.MULTILINE,
)
_INLINE_ITEM = re.compile(r"(?<=[\s,;:])\d{1,2}\)\s")
_END = re.compile(
    r"(?<!\bvs)(?<!\bca)(?<!\bapprox)(?<!\be\.g)(?<!\bi\.e)(?<!\bresp)(?<!\bNo)(?<!\bMio)(?<!\bincl)(?<!\bSt)[.!?…][\"”)]*\s+"
    r"|\n+|;\s+"
)


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a text from `start` up to `end`, and its words."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class PlainText:
    """What is said; `origin[i]` is the place of character `i` in the Markdown."""

    text: str
    origin: tuple[int, ...]

    def in_markdown(self, start: int, end: int) -> tuple[int, int]:
        """Where a piece of what is said stands in the Markdown."""
        return self.origin[start], self.origin[end - 1] + 1


def plain_text(markdown: str) -> PlainText:
    """The words of a Markdown text."""
    kept: list[int] = []
    at = 0
    inline = (found for found in _INLINE_ITEM.finditer(markdown) if "(" not in _since_closed(markdown, found.start()))
    for unsaid in sorted([*_UNSAID.finditer(markdown), *inline], key=lambda found: found.start()):
        if unsaid.start() < at:
            continue
        kept += range(at, unsaid.start())
        at = unsaid.end()
    kept += range(at, len(markdown))
    return PlainText("".join(markdown[place] for place in kept), tuple(kept))


def _since_closed(text: str, end: int) -> str:
    """What stands before a place, from the last bracket that closes."""
    return text[text.rfind(")", 0, end) + 1 : end]


def sentences(text: str, whole: tuple[Span, ...] = ()) -> tuple[Span, ...]:
    """The sentences and lines of a text; none ends inside one of the pieces that are `whole`."""
    ends = [
        found.end() for found in _END.finditer(text) if not any(span.start < found.start() < span.end for span in whole)
    ]
    starts = [0, *ends]
    return tuple(
        Span(start, end, text[start:end])
        for start, end in zip(starts, [*ends, len(text)], strict=True)
        if text[start:end].strip()
    )
