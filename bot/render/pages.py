"""Divide a long answer into messages within Slack's limits, leaving nothing out.

Text is cut between paragraphs, else lines, else words; a cut code block ends and begins anew.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

from ai.agents.port import QuoteEvent, ReplyEvent, SqlEvent, TextEvent
from bot.render.message import SLACK, SlackMessage, blocks_of, render
from bot.render.text import Block

MOST_BLOCKS = 50
MOST_TEXT = 11_300  # characters of a message's blocks without its table; Slack refused 11,341
PIECE = 5_000  # characters of one piece of text
FENCE = "```"
FENCE_LINE = re.compile(r"```\w{0,20}")


def pages(events: Iterable[ReplyEvent], site: str = SLACK) -> tuple[SlackMessage, ...]:
    """Return the messages of `events` in order; at least one."""
    return tuple(render(group, site) for group in _grouped(events, site))


def _grouped(events: Iterable[ReplyEvent], site: str) -> list[list[ReplyEvent]]:
    groups: list[list[ReplyEvent]] = [[]]
    filled: list[Block] = []
    for piece in chain.from_iterable(map(pieces, events)):
        blocks = list(blocks_of(piece, site))
        if groups[-1] and not _fits([*filled, *blocks]):
            groups.append([])
            filled = []
        groups[-1].append(piece)
        filled += blocks
    return groups


def _fits(blocks: list[Block]) -> bool:
    tables = [block for block in blocks if block["type"] == "table"]
    text = sum(_length(block) for block in blocks if block["type"] != "table")
    return len(blocks) <= MOST_BLOCKS and text <= MOST_TEXT and len(tables) <= 1


def _length(value: Any) -> int:
    """Count the characters of every `text` in a block, at any depth."""
    if isinstance(value, dict):
        own = len(value["text"]) if isinstance(value.get("text"), str) else 0
        return own + sum(_length(inner) for inner in value.values() if not isinstance(inner, str))
    return sum(_length(inner) for inner in value) if isinstance(value, list) else 0


def pieces(event: ReplyEvent) -> Iterator[ReplyEvent]:
    """Yield the event, or several of its kind short enough for one message each."""
    match event:
        case TextEvent(markdown) if len(markdown) > PIECE:
            yield from (TextEvent(piece) for piece in cut(markdown))
        case SqlEvent(sql, question) if len(sql) > PIECE:
            yield from (SqlEvent(piece, question) for piece in cut(sql, fenced=False))
        case QuoteEvent() if len(event.words) > PIECE:
            yield from (replace(event, words=piece) for piece in cut(event.words, fenced=False))
        case _:
            yield event


def cut(text: str, most: int = PIECE, *, fenced: bool = True) -> Iterator[str]:
    """Yield the whole text in pieces of at most `most` characters; with `fenced`, code blocks stay code."""
    while len(text) > most:
        at = _safe_place(text, most - 2 * len(FENCE) - 2)
        piece, text = text[:at], text[at:].lstrip("\n")
        inside = _open_fence(piece) if fenced else ""
        ended = piece.rstrip("\n")
        yield f"{ended}\n{FENCE}" if inside else ended
        text = f"{inside}\n{text}" if inside else text
    if text.strip():
        yield text


def _safe_place(text: str, most: int) -> int:
    """Return where to cut: after a paragraph, line or word, if the piece stays at least half full."""
    for mark in ("\n\n", "\n", " "):
        at = text.rfind(mark, most // 2, most)
        if at > 0:
            return at + len(mark)
    return most - (len(text[:most]) - len(text[:most].rstrip("\\"))) % 2  # not between a backslash and what it escapes


def _open_fence(piece: str) -> str:
    opened = ""
    for line in piece.split("\n"):
        if FENCE_LINE.fullmatch(line):
            opened = "" if opened else line
    return opened
