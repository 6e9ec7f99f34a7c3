"""Block Kit as Slack checks it: which blocks there are and how much they may hold. Pure.

Limits are the lower ones where sources disagree. A block kind without a row in `_CHECKS` but in `_KNOWN` is let through unread.
"""

import uuid
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from bot.local_slack.entities import Json
from bot.local_slack.errors import SlackError

_MOST_BLOCKS = 50
_MOST_TOTAL_TEXT = 13_000  # characters of all blocks but tables; reported from the field, not documented
_MOST_MARKDOWN = 12_000
_MOST_BLOCK_ID = 255
_MOST_ROWS, _MOST_COLUMNS = 100, 20
_CELL_TYPES = {"raw_text", "raw_number", "rich_text"}

Problem = tuple[str, str]  # (what is wrong, JSON pointer below the block)
Check = Callable[[Json], Iterator[Problem]]


def check_blocks(blocks: Sequence[Json]) -> None:
    """Raise invalid_blocks or msg_blocks_too_long if Slack would not take `blocks`, with one line for each fault."""
    faults = list(faults_of(blocks))
    if faults:
        raise SlackError("invalid_blocks", faults)
    text = sum(_text_length(block) for block in blocks if block["type"] not in {"table", "data_table"})
    if text > _MOST_TOTAL_TEXT:
        raise SlackError("msg_blocks_too_long")


def with_block_ids(blocks: Sequence[Json]) -> list[Json]:
    """`blocks`, each with an id: Slack makes one up where the app gave none."""
    return [{**block, "block_id": block.get("block_id") or uuid.uuid4().hex[:5]} for block in blocks]


def faults_of(blocks: Sequence[Json]) -> Iterator[str]:
    """One line for each fault, in the form of Slack's `response_metadata.messages`."""
    if len(blocks) > _MOST_BLOCKS:
        yield f"[ERROR] no more than {_MOST_BLOCKS} items allowed [json-pointer:/blocks]"
    seen: set[str] = set()
    for index, block in enumerate(blocks):
        for problem, pointer in _block_problems(block, seen):
            yield f"[ERROR] {problem} [json-pointer:/blocks/{index}{pointer}]"
    markdown = sum(len(str(block.get("text", ""))) for block in blocks if block.get("type") == "markdown")
    if markdown > _MOST_MARKDOWN:
        yield f"[ERROR] markdown blocks hold more than {_MOST_MARKDOWN} characters together [json-pointer:/blocks]"


def _block_problems(block: Json, seen: set[str]) -> Iterator[Problem]:
    kind = block.get("type")
    block_id = block.get("block_id")
    if not isinstance(kind, str) or kind not in _KNOWN:
        yield f"unsupported type: {kind}", "/type"
        return
    if block_id is not None:
        if not isinstance(block_id, str) or not 1 <= len(block_id) <= _MOST_BLOCK_ID:
            yield f"must be text of 1 to {_MOST_BLOCK_ID} characters", "/block_id"
        elif block_id in seen:
            yield "block_id is used twice in this message", "/block_id"
        seen.add(str(block_id))
    if kind in _CHECKS:
        yield from _CHECKS[kind](block)


def _section(block: Json) -> Iterator[Problem]:
    fields = block.get("fields")
    if block.get("text") is None and not fields:
        yield "needs text or fields", ""
    if block.get("text") is not None:
        yield from _text_object(block["text"], 3000, "/text")
    if fields is not None:
        yield from _items(fields, 1, 10, "/fields")
        for index, field in enumerate(fields if isinstance(fields, list) else []):
            yield from _text_object(field, 2000, f"/fields/{index}")


def _header(block: Json) -> Iterator[Problem]:
    yield from _text_object(block.get("text"), 150, "/text", kinds=("plain_text",))


def _markdown(block: Json) -> Iterator[Problem]:
    text = block.get("text")
    if not isinstance(text, str) or not text:
        yield "must be text that is not empty", "/text"


def _context(block: Json) -> Iterator[Problem]:
    elements = block.get("elements")
    yield from _items(elements, 1, 10, "/elements")
    for index, element in enumerate(elements if isinstance(elements, list) else []):
        if isinstance(element, dict) and element.get("type") == "image":
            continue
        yield from _text_object(element, 3000, f"/elements/{index}")


def _elements_up_to(most: int) -> Check:
    def check(block: Json) -> Iterator[Problem]:
        yield from _items(block.get("elements"), 1, most, "/elements")

    return check


def _image(block: Json) -> Iterator[Problem]:
    if not isinstance(block.get("alt_text"), str):
        yield "missing required field: alt_text", ""
    if bool(block.get("image_url")) == bool(block.get("slack_file")):
        yield "needs either image_url or slack_file", ""


def _table(block: Json) -> Iterator[Problem]:
    rows = block.get("rows")
    yield from _items(rows, 1, _MOST_ROWS, "/rows")
    if not isinstance(rows, list) or not rows:
        return
    width = len(rows[0]) if isinstance(rows[0], list) else 0
    for index, row in enumerate(rows):
        pointer = f"/rows/{index}"
        yield from _items(row, 1, _MOST_COLUMNS, pointer)
        if isinstance(row, list):
            if len(row) != width:
                yield f"has {len(row)} cells where the first row has {width}", pointer
            for column, cell in enumerate(row):
                yield from _cell(cell, f"{pointer}/{column}")


def _cell(cell: Any, pointer: str) -> Iterator[Problem]:
    kind = cell.get("type") if isinstance(cell, dict) else None
    if not isinstance(kind, str) or kind not in _CELL_TYPES:
        yield f"unsupported type of cell: {kind}", pointer
    elif kind != "rich_text" and not (isinstance(cell.get("text"), str) and cell["text"]):
        yield "must be text that is not empty", f"{pointer}/text"
    elif kind == "raw_number" and not isinstance(cell.get("value"), int | float):
        yield "must be a number", f"{pointer}/value"


def _text_object(
    value: Any, most: int, pointer: str, kinds: Sequence[str] = ("mrkdwn", "plain_text")
) -> Iterator[Problem]:
    if not isinstance(value, dict) or value.get("type") not in kinds:
        yield f"must be a text object of type {' or '.join(kinds)}", pointer
    elif not isinstance(value.get("text"), str) or not value["text"]:
        yield "must be text that is not empty", f"{pointer}/text"
    elif len(value["text"]) > most:
        yield f"must be less than {most + 1} characters", f"{pointer}/text"


def _items(value: Any, least: int, most: int, pointer: str) -> Iterator[Problem]:
    if not isinstance(value, list):
        yield "must be a list", pointer
    elif len(value) < least:
        yield f"must have at least {least} item", pointer
    elif len(value) > most:
        yield f"no more than {most} items allowed", pointer


def _text_length(value: Any) -> int:
    """The characters of every `text` in a block, however deep."""
    if isinstance(value, dict):
        own = len(value["text"]) if isinstance(value.get("text"), str) else 0
        return own + sum(_text_length(inner) for inner in value.values() if not isinstance(inner, str))
    return sum(_text_length(inner) for inner in value) if isinstance(value, list) else 0


_CHECKS: dict[str, Check] = {
    "actions": _elements_up_to(25),
    "context": _context,
    "context_actions": _elements_up_to(5),
    "header": _header,
    "image": _image,
    "markdown": _markdown,
    "rich_text": _elements_up_to(1000),
    "section": _section,
    "table": _table,
}
_KNOWN = set(_CHECKS) | {
    "alert", "card", "carousel", "container", "data_table", "data_visualization", "divider", "file", "input", "plan",
    "task_card", "video",
}  # fmt: skip
