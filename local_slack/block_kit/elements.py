"""Composition objects and elements: texts, options, confirmations, buttons, menus, pickers, inputs."""

from collections.abc import Iterator
from typing import Any

from local_slack.block_kit.rules import (
    Problem,
    Rule,
    anything,
    by_type,
    fields,
    flag,
    list_of,
    number,
    one_of,
    only_one_of,
    text,
)
from local_slack.limits import Limits

DATE = r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"
TIME = r"([01]\d|2[0-3]):[0-5]\d"


def plain_text(most: str) -> Rule:
    return by_type({"plain_text": _text("plain_text", most, 1)}, "type of text")


def any_text(most: str, least: int = 1) -> Rule:
    kinds = {kind: _text(kind, most, least) for kind in ("plain_text", "mrkdwn")}
    return by_type(kinds, "type of text")


def _text(kind: str, most: str, least: int) -> Rule:
    optional: dict[str, Rule] = {"emoji": flag} if kind == "plain_text" else {"verbatim": flag}
    return fields({"type": one_of(kind), "text": text(most, least)}, optional)


def element(kind: str, required: dict[str, Rule] | None = None, *further: Rule, **optional: Rule) -> Rule:
    """Describe an interactive element: its own fields, a type and an action_id."""
    common = {"action_id": text("action_id"), "confirm": CONFIRM}
    return fields({"type": one_of(kind), **(required or {})}, {**common, **optional}, *further)


_slack_file = fields({}, {"id": text(), "url": text("image.url")}, only_one_of("id", "url"))
IMAGE_FIELDS: dict[str, Rule] = {"image_url": text("image.url"), "slack_file": _slack_file}
IMAGE = fields(
    {"type": one_of("image"), "alt_text": text("image.alt_text", least=0)},
    IMAGE_FIELDS,
    only_one_of("image_url", "slack_file"),
)
CONFIRM = fields(
    {
        "title": plain_text("confirm.title"),
        "text": any_text("confirm.text"),
        "confirm": plain_text("confirm.button"),
        "deny": plain_text("confirm.button"),
    },
    {"style": one_of("primary", "danger")},
)


def _option(label: Rule) -> Rule:
    described: dict[str, Rule] = {"description": any_text("option.description"), "url": text("option.url")}
    return fields({"text": label, "value": text("option.value")}, described)


OPTION, RICH_OPTION = _option(plain_text("option.text")), _option(any_text("option.text"))
_OPTIONS = list_of(OPTION, 1, "menu.options")
_RICH_OPTIONS = list_of(RICH_OPTION, 1, "checkboxes.options")
_GROUPS = list_of(fields({"label": plain_text("option.text"), "options": _OPTIONS}), 1, "menu.groups")
_PLACEHOLDER = plain_text("placeholder")
_INPUT: dict[str, Rule] = {"placeholder": _PLACEHOLDER, "focus_on_load": flag}
_DISPATCH = fields({}, {"trigger_actions_on": list_of(one_of("on_enter_pressed", "on_character_entered"))})
_FILTER = fields(
    {},
    {
        "include": list_of(one_of("im", "mpim", "private", "public")),
        "exclude_external_shared_channels": flag,
        "exclude_bot_users": flag,
    },
)
_HOW_MANY: dict[str, Rule] = {"max_selected_items": number(1, is_whole=True)}
_WHERE: dict[str, Rule] = {"response_url_enabled": flag}
_CONVERSATION: dict[str, Rule] = {"default_to_current_conversation": flag, "filter": _FILTER}
_one_source = only_one_of("options", "option_groups")
_LISTS: dict[str, Rule] = {"options": _OPTIONS, "option_groups": _GROUPS}
_ID = text("menu.initial_id")


def _lengths_in_order(value: Any, limits: Limits) -> Iterator[Problem]:
    if (value.get("min_length") or 0) > (value.get("max_length") or limits["plain_text_input.length"]):
        yield "min_length is greater than max_length", ""


def _numbers_in_order(value: Any, _limits: Limits) -> Iterator[Problem]:
    try:
        low, high = float(value.get("min_value") or "-inf"), float(value.get("max_value") or "inf")
    except ValueError:
        yield "min_value and max_value must be numbers in text", ""
        return
    if low > high:
        yield "min_value is greater than max_value", ""


_feedback = fields(
    {"text": plain_text("button.text"), "value": text("button.value")},
    {"accessibility_label": text("button.accessibility_label")},
)

BUTTONS: dict[str, Rule] = {
    "button": element(
        "button", {"text": plain_text("button.text")}, url=text("button.url"), value=text("button.value", least=0),
        style=one_of("primary", "danger"), accessibility_label=text("button.accessibility_label"),
        agent_prompt=text("button.agent_prompt"), visible_to_user_ids=list_of(text()),
    ),
    "workflow_button": element(
        "workflow_button", {"text": plain_text("button.text"), "workflow": anything}, style=one_of("primary", "danger"),
        accessibility_label=text("button.accessibility_label"),
    ),
}  # fmt: skip
CONTEXT_ACTIONS: dict[str, Rule] = {
    "feedback_buttons": element("feedback_buttons", {"positive_button": _feedback, "negative_button": _feedback}),
    "icon_button": element(
        "icon_button", {"icon": text(), "text": plain_text("button.text")}, value=text("button.value", least=0),
        accessibility_label=text("button.accessibility_label"),
        visible_to_user_ids=list_of(text()),
    ),
}  # fmt: skip
PICKERS: dict[str, Rule] = {
    "checkboxes": element(
        "checkboxes", {"options": _RICH_OPTIONS}, initial_options=_RICH_OPTIONS,
        focus_on_load=flag,
    ),
    "radio_buttons": element(
        "radio_buttons", {"options": _RICH_OPTIONS}, initial_option=RICH_OPTION, focus_on_load=flag
    ),
    "datepicker": element(
        "datepicker", None, initial_date=text(pattern=DATE, hint="must be a date, YYYY-MM-DD"), **_INPUT
    ),
    "timepicker": element(
        "timepicker", None, initial_time=text(pattern=TIME, hint="must be a time, HH:mm"), timezone=text(), **_INPUT
    ),
    "datetimepicker": element(
        "datetimepicker", None, initial_date_time=number(1_000_000_000, 9_999_999_999, is_whole=True),
        focus_on_load=flag,
    ),
}  # fmt: skip
MENUS: dict[str, Rule] = {
    "overflow": element("overflow", {"options": list_of(OPTION, 1, "overflow.options")}),
    "static_select": element("static_select", None, _one_source, initial_option=OPTION, **_LISTS, **_INPUT),
    "external_select": element(
        "external_select", None, initial_option=OPTION, min_query_length=number(0, is_whole=True), **_INPUT
    ),
    "users_select": element("users_select", None, initial_user=_ID, **_INPUT),
    "conversations_select": element(
        "conversations_select", None, initial_conversation=_ID, **_CONVERSATION, **_WHERE, **_INPUT
    ),
    "channels_select": element("channels_select", None, initial_channel=_ID, **_WHERE, **_INPUT),
    "multi_static_select": element(
        "multi_static_select", None, _one_source, initial_options=_OPTIONS, **_LISTS, **_HOW_MANY, **_INPUT
    ),
    "multi_external_select": element(
        "multi_external_select", None, initial_options=_OPTIONS, min_query_length=number(0, is_whole=True), **_HOW_MANY,
        **_INPUT,
    ),
    "multi_users_select": element("multi_users_select", None, initial_users=list_of(_ID), **_HOW_MANY, **_INPUT),
    "multi_conversations_select": element(
        "multi_conversations_select", None, initial_conversations=list_of(_ID), **_CONVERSATION, **_HOW_MANY, **_INPUT
    ),
    "multi_channels_select": element(
        "multi_channels_select", None, initial_channels=list_of(_ID), **_HOW_MANY, **_INPUT
    ),
}  # fmt: skip
INPUTS: dict[str, Rule] = {
    "plain_text_input": element(
        "plain_text_input", None, _lengths_in_order, initial_value=text(least=0), multiline=flag,
        min_length=number(0, "plain_text_input.length", is_whole=True),
        max_length=number(1, "plain_text_input.length", is_whole=True),
        dispatch_action_config=_DISPATCH, **_INPUT,
    ),
    "email_text_input": element(
        "email_text_input", None, initial_value=text(), dispatch_action_config=_DISPATCH, **_INPUT
    ),
    "url_text_input": element("url_text_input", None, initial_value=text(), dispatch_action_config=_DISPATCH, **_INPUT),
    "number_input": element(
        "number_input", {"is_decimal_allowed": flag}, _numbers_in_order, initial_value=text(), min_value=text(),
        max_value=text(), dispatch_action_config=_DISPATCH, **_INPUT,
    ),
    "rich_text_input": element(
        "rich_text_input", None, initial_value=anything, dispatch_action_config=_DISPATCH, **_INPUT
    ),
    "file_input": element(
        "file_input", None, filetypes=list_of(text()), max_files=number(1, "file_input.files", is_whole=True)
    ),
}  # fmt: skip
URL_SOURCE = fields({"type": one_of("url"), "url": text("link.url"), "text": text()})

IN_ACTIONS = by_type({**BUTTONS, **MENUS, **PICKERS, "rich_text_input": INPUTS["rich_text_input"]}, "type of element")
IN_SECTION = by_type({**BUTTONS, **MENUS, **PICKERS, "image": IMAGE}, "type of element")
IN_INPUT = by_type(
    {**{kind: rule for kind, rule in MENUS.items() if kind != "overflow"}, **PICKERS, **INPUTS}, "type of element"
)
IN_CONTEXT_ACTIONS = by_type(CONTEXT_ACTIONS, "type of element")
