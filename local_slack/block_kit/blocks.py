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
from local_slack.limits import Limits

_BLOCK_ID: dict[str, Rule] = {"block_id": text("block_id")}


def _block(
    kind: str, required: dict[str, Rule] | None = None, optional: dict[str, Rule] | None = None, *further: Rule
) -> Rule:
    return fields({"type": one_of(kind), **(required or {})}, {**_BLOCK_ID, **(optional or {})}, *further)


def _context_element(value: Any, limits: Limits) -> Iterator[Problem]:
    is_image = isinstance(value, dict) and value.get("type") == "image"
    yield from e.IMAGE(value, limits) if is_image else e.any_text("context.text")(value, limits)


def _collapsed_only_if_collapsible(block: Any, _limits: Limits) -> Iterator[Problem]:
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
        "hero_image": e.IMAGE, "icon": e.IMAGE, "title": e.any_text("card.title"),
        "subtitle": e.any_text("card.subtitle"), "body": e.any_text("card.body"),
        "actions": list_of(by_type(e.BUTTONS, "type of element"), 1, "card.actions"),
    },
    some_of("hero_image", "title", "actions", "body"),
)  # fmt: skip
_SIMPLE: dict[str, Rule] = {
    "section": _block(
        "section",
        None,
        {
            "text": e.any_text("section.text"),
            "fields": list_of(e.any_text("section.field_text"), 1, "section.fields"),
            "accessory": e.IN_SECTION,
            "expand": flag,
        },
        some_of("text", "fields"),
    ),
    "header": _block("header", {"text": e.plain_text("header.text")}),
    "divider": _block("divider"),
    "context": _block("context", {"elements": list_of(_context_element, 1, "context.elements")}),
    "actions": _block("actions", {"elements": list_of(e.IN_ACTIONS, 1, "actions.elements")}),
    "context_actions": _block(
        "context_actions", {"elements": list_of(e.IN_CONTEXT_ACTIONS, 1, "context_actions.elements")}
    ),
    "image": _block(
        "image",
        {"alt_text": text("image.alt_text", least=0)},
        {**e.IMAGE_FIELDS, "title": e.plain_text("image.title")},
        only_one_of("image_url", "slack_file"),
    ),
    "input": _block(
        "input",
        {"label": e.plain_text("input.label"), "element": e.IN_INPUT},
        {"hint": e.plain_text("input.hint"), "optional": flag, "dispatch_action": flag},
    ),
    "markdown": _block("markdown", {"text": text("message.markdown_text")}),
    "rich_text": RICH_TEXT,
    "table": _block("table", *TABLE),
    "data_table": _block("data_table", *DATA_TABLE),
    "data_visualization": _block("data_visualization", *DATA_VISUALIZATION),
    "task_card": _TASK_CARD,
    "plan": _block(
        "plan", {"title": text()}, {"tasks": list_of(by_type({"task_card": _TASK_CARD}, "type of block"), 0)}
    ),
    "alert": _block(
        "alert", {"text": e.any_text("alert.text")}, {"level": one_of("default", "info", "warning", "error", "success")}
    ),
    "card": _CARD,
    "carousel": _block(
        "carousel", {"elements": list_of(by_type({"card": _CARD}, "type of block"), 1, "carousel.cards")}
    ),
    "file": _block("file", {"external_id": text(), "source": one_of("remote")}),
    "video": _block(
        "video",
        {
            "title": e.plain_text("video.title"), "video_url": text("image.url"), "thumbnail_url": text("image.url"),
            "alt_text": text("image.alt_text"),
        },
        dict.fromkeys(("title_url", "author_name", "provider_name", "provider_icon_url", "description"), anything),
    ),
}  # fmt: skip
_ANY_CHILD = by_type(_SIMPLE, "type of block")


def _child(value: Any, limits: Limits) -> Iterator[Problem]:
    """A block in a container: its type stands in the list of every source."""
    kind = value.get("type") if isinstance(value, dict) else None
    if all(kind in limits.words(f"container.children_{source}") for source in ("documented", "live")):
        yield from _ANY_CHILD(value, limits)
    else:
        yield f"unsupported type of block: {kind}", "/type"


_CONTAINER = _block(
    "container",
    {"child_blocks": list_of(_child, 1, "container.children")},
    {
        "title": e.plain_text("container.title"), "rich_text_title": RICH_TEXT,
        "subtitle": e.any_text("container.subtitle"), "icon": e.IMAGE,
        "width": one_of("narrow", "standard", "wide", "full"), "is_collapsible": flag, "default_collapsed": flag,
        "has_header_divider": flag,
    },
    some_of("title", "rich_text_title"),
    _collapsed_only_if_collapsible,
)  # fmt: skip

BLOCKS: dict[str, Rule] = {**_SIMPLE, "container": _CONTAINER}
ONLY_IN_MESSAGES = {"context_actions", "file", "markdown", "plan", "table", "task_card"}
