"""Limits on the blocks of one message together."""

from collections.abc import Iterator, Sequence
from typing import Any

from local_slack.block_kit.blocks import BLOCKS, ONLY_IN_MESSAGES
from local_slack.block_kit.rules import Problem, by_type
from local_slack.limits import Limits, strict
from local_slack.wire import Json

_TABLES = {"table", "data_table"}
_TOGETHER = (
    ("markdown", "message.markdown_text", "markdown blocks hold more than {} characters together"),
    ("table", "message.table_text", "tables hold more than {} characters together"),
    ("data_table", "message.data_table_text", "data tables hold more than {} characters together"),
)


def problems_of(blocks: Sequence[Json], limits: Limits | None = None, *, is_view: bool = False) -> Iterator[Problem]:
    """Yield every fault with a pointer into the list of blocks."""
    limits = limits or strict()
    most = limits.count("view.blocks" if is_view else "message.blocks")
    if len(blocks) > most:
        yield f"no more than {most} items allowed", ""
    allowed = {kind: rule for kind, rule in BLOCKS.items() if not (is_view and kind in ONLY_IN_MESSAGES)}
    rule = by_type(allowed, "type")
    seen: set[str] = set()
    for index, block in enumerate(blocks):
        for problem, pointer in rule(block, limits):
            yield problem, f"/{index}{pointer}"
        block_id = block.get("block_id")
        if isinstance(block_id, str):
            if block_id in seen:
                yield "block_id is used twice in this message", f"/{index}/block_id"
            seen.add(block_id)
    yield from _together(list(_all(blocks)), limits)


def table_count(blocks: Sequence[Json]) -> int:
    """Count the table blocks, those in containers too."""
    return sum(block.get("type") == "table" for block in _all(blocks))


def total_text(blocks: Sequence[Json]) -> int:
    """Count the characters of all blocks but tables."""
    return sum(_text_length(block) for block in blocks if block["type"] not in _TABLES)


def _together(blocks: Sequence[Json], limits: Limits) -> Iterator[Problem]:
    for kind, name, problem in _TOGETHER:
        if sum(_text_length(block) for block in blocks if block.get("type") == kind) > limits[name]:
            yield problem.format(limits.count(name)), ""
    if sum(block.get("type") == "data_visualization" for block in blocks) > limits["message.charts"]:
        yield f"no more than {limits.count('message.charts')} data_visualization blocks allowed", ""


def _all(blocks: Any) -> Iterator[Json]:
    for block in blocks if isinstance(blocks, list | tuple) else ():
        if isinstance(block, dict):
            yield block
            yield from _all(block.get("child_blocks"))


def _text_length(value: Any) -> int:
    """Count the characters of every `text`, however deep; children of containers that are tables count apart."""
    if isinstance(value, dict):
        if value.get("type") == "container":
            value = {**value, "child_blocks": [one for one in value.get("child_blocks") or () if not _is_table(one)]}
        own = len(value["text"]) if isinstance(value.get("text"), str) else 0
        return own + sum(_text_length(inner) for inner in value.values() if not isinstance(inner, str))
    return sum(_text_length(inner) for inner in value) if isinstance(value, list) else 0


def _is_table(block: Any) -> bool:
    return isinstance(block, dict) and block.get("type") in _TABLES
