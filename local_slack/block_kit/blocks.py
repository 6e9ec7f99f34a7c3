"""Every block by its type."""

from collections.abc import Iterator
from typing import Any

from local_slack.block_kit import elements as e
from local_slack.block_kit.data_blocks import DATA_TABLE, DATA_VISUALIZATION, TABLE
from local_slack.block_kit.rich_text import RICH_TEXT
from local_slack.block_kit.rules import (
    Problem,
    Rule,
    anything,
    by_type,
    fields,
    flag,
    list_of,
    one_of,
    only_one_of,
    some_of,
    text,
)

_BLOCK_ID: dict[str, Rule] = {"block_id": text(255)}


def _block(
    kind: str, required: dict[str, Rule] | None = None, optional: dict[str, Rule] | None = None, *further: Rule
) -> Rule:
    return fields({"type": one_of(kind), **(required or {})}, {**_BLOCK_ID, **(optional or {})}, *further)


def _context_element(value: Any) -> Iterator[Problem]:
    is_image = isinstance(value, dict) and value.get("type") == "image"
    yield from e.IMAGE(value) if is_image else e.any_text(3000)(value)


def _collapsed_only_if_collapsible(block: Any) -> Iterator[Problem]:
    if block.get("default_collapsed") and not block.get("is_collapsible"):
        yield "default_collapsed needs is_collapsible", "/default_collapsed"
    if block.get("has_header_divider") and block.get("is_collapsible"):
        yield "has_header_divider cannot be set when is_collapsible is", "/has_header_divider"


_TASK_CARD = _block(
    "task_card",
    {"task_id": text(), "title": text(), "status": one_of("pending", "in_progress", "complete", "error")},
    {"details": RICH_TEXT, "output": RICH_TEXT, "sources": list_of(e.URL_SOURCE, 0)},
)
_CARD = _block(
    "card",
    None,
    {
        "hero_image": e.IMAGE, "icon": e.IMAGE, "title": e.any_text(150), "subtitle": e.any_text(150),
        "body": e.any_text(200), "actions": list_of(by_type(e.BUTTONS, "type of element"), 1, 25),
    },
    some_of("hero_image", "title", "actions", "body"),
)  # fmt: skip
_SIMPLE: dict[str, Rule] = {
    "section": _block(
        "section",
        None,
        {
            "text": e.any_text(3000), "fields": list_of(e.any_text(2000), 1, 10), "accessory": e.IN_SECTION,
            "expand": flag,
        },
        some_of("text", "fields"),
    ),
    "header": _block("header", {"text": e.plain_text(150)}),
    "divider": _block("divider"),
    "context": _block("context", {"elements": list_of(_context_element, 1, 10)}),
    "actions": _block("actions", {"elements": list_of(e.IN_ACTIONS, 1, 25)}),
    "context_actions": _block("context_actions", {"elements": list_of(e.IN_CONTEXT_ACTIONS, 1, 5)}),
    "image": _block(
        "image",
        {"alt_text": text(2000, least=0)},
        {**e.IMAGE_FIELDS, "title": e.plain_text(2000)},
        only_one_of("image_url", "slack_file"),
    ),
    "input": _block(
        "input",
        {"label": e.plain_text(2000), "element": e.IN_INPUT},
        {"hint": e.plain_text(2000), "optional": flag, "dispatch_action": flag},
    ),
    "markdown": _block("markdown", {"text": text(12_000)}),
    "rich_text": RICH_TEXT,
    "table": _block("table", *TABLE),
    "data_table": _block("data_table", *DATA_TABLE),
    "data_visualization": _block("data_visualization", *DATA_VISUALIZATION),
    "task_card": _TASK_CARD,
    "plan": _block(
        "plan", {"title": text()}, {"tasks": list_of(by_type({"task_card": _TASK_CARD}, "type of block"), 0)}
    ),
    "alert": _block(
        "alert", {"text": e.any_text(3000)}, {"level": one_of("default", "info", "warning", "error", "success")}
    ),
    "card": _CARD,
    "carousel": _block("carousel", {"elements": list_of(by_type({"card": _CARD}, "type of block"), 1, 10)}),
    "file": _block("file", {"external_id": text(), "source": one_of("remote")}),
    "video": _block(
        "video",
        {"title": e.plain_text(199), "video_url": text(3000), "thumbnail_url": text(3000), "alt_text": text(2000)},
        dict.fromkeys(("title_url", "author_name", "provider_name", "provider_icon_url", "description"), anything),
    ),
}  # fmt: skip
_CONTAINER = _block(
    "container",
    {"child_blocks": list_of(by_type(_SIMPLE, "type of block"), 1, 10)},
    {
        "title": e.plain_text(150), "rich_text_title": RICH_TEXT, "subtitle": e.any_text(150), "icon": e.IMAGE,
        "width": one_of("narrow", "standard", "wide", "full"), "is_collapsible": flag, "default_collapsed": flag,
        "has_header_divider": flag,
    },
    some_of("title", "rich_text_title"),
    _collapsed_only_if_collapsible,
)  # fmt: skip

BLOCKS: dict[str, Rule] = {**_SIMPLE, "container": _CONTAINER}
ONLY_IN_MESSAGES = {"context_actions", "file", "markdown", "plan", "table", "task_card"}
