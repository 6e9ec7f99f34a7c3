"""Limits on the blocks of one message together."""

from collections.abc import Iterator, Sequence
from typing import Any

from local_slack.block_kit.blocks import BLOCKS, ONLY_IN_MESSAGES
from local_slack.block_kit.rules import Problem, by_type
from local_slack.wire import Json

MOST_BLOCKS, MOST_VIEW_BLOCKS = 50, 100
MOST_TOTAL_TEXT = 13_000  # characters of all blocks but tables; reported from the field, not documented
MOST_MARKDOWN = 12_000
MOST_CHARTS = 2  # reported from the field, not documented
MOST_DATA_TABLE_TEXT = 10_000
_TABLES = {"table", "data_table"}


def problems_of(blocks: Sequence[Json], *, is_view: bool = False) -> Iterator[Problem]:
    """Yield every fault with a pointer into the list of blocks."""
    most = MOST_VIEW_BLOCKS if is_view else MOST_BLOCKS
    if len(blocks) > most:
        yield f"no more than {most} items allowed", ""
    allowed = {kind: rule for kind, rule in BLOCKS.items() if not (is_view and kind in ONLY_IN_MESSAGES)}
    rule = by_type(allowed, "type")
    seen: set[str] = set()
    for index, block in enumerate(blocks):
        for problem, pointer in rule(block):
            yield problem, f"/{index}{pointer}"
        block_id = block.get("block_id")
        if isinstance(block_id, str):
            if block_id in seen:
                yield "block_id is used twice in this message", f"/{index}/block_id"
            seen.add(block_id)
    for count, cap, what in (
        (
            _sum(blocks, "markdown"),
            MOST_MARKDOWN,
            f"markdown blocks hold more than {MOST_MARKDOWN} characters together",
        ),
        (
            _sum(blocks, "data_table"),
            MOST_DATA_TABLE_TEXT,
            f"data tables hold more than {MOST_DATA_TABLE_TEXT} characters together",
        ),
        (
            _count(blocks, "data_visualization"),
            MOST_CHARTS,
            f"no more than {MOST_CHARTS} data_visualization blocks allowed",
        ),
    ):
        if count > cap:
            yield what, ""


def total_text(blocks: Sequence[Json]) -> int:
    """Count the characters of all blocks but tables."""
    return sum(_text_length(block) for block in blocks if block["type"] not in _TABLES)


def _sum(blocks: Sequence[Json], kind: str) -> int:
    return sum(_text_length(block) for block in blocks if block.get("type") == kind)


def _count(blocks: Sequence[Json], kind: str) -> int:
    return sum(block.get("type") == kind for block in blocks)


def _text_length(value: Any) -> int:
    """Count the characters of every `text`, however deep."""
    if isinstance(value, dict):
        own = len(value["text"]) if isinstance(value.get("text"), str) else 0
        return own + sum(_text_length(inner) for inner in value.values() if not isinstance(inner, str))
    return sum(_text_length(inner) for inner in value) if isinstance(value, list) else 0
