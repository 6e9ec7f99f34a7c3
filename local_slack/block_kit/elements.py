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

DATE = r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"
TIME = r"([01]\d|2[0-3]):[0-5]\d"


def plain_text(most: int, least: int = 1) -> Rule:
    return by_type({"plain_text": _text("plain_text", most, least)}, "type of text")


def any_text(most: int, least: int = 1) -> Rule:
    kinds = {kind: _text(kind, most, least) for kind in ("plain_text", "mrkdwn")}
    return by_type(kinds, "type of text")


def _text(kind: str, most: int, least: int) -> Rule:
    optional: dict[str, Rule] = {"emoji": flag} if kind == "plain_text" else {"verbatim": flag}
    return fields({"type": one_of(kind), "text": text(most, least)}, optional)


def element(kind: str, required: dict[str, Rule] | None = None, *further: Rule, **optional: Rule) -> Rule:
    """Describe an interactive element: its own fields, a type and an action_id."""
    common = {"action_id": text(255), "confirm": CONFIRM}
    return fields({"type": one_of(kind), **(required or {})}, {**common, **optional}, *further)


_slack_file = fields({}, {"id": text(), "url": text(3000)}, only_one_of("id", "url"))
IMAGE_FIELDS: dict[str, Rule] = {"image_url": text(3000), "slack_file": _slack_file}
IMAGE = fields(
    {"type": one_of("image"), "alt_text": text(2000, least=0)}, IMAGE_FIELDS, only_one_of("image_url", "slack_file")
)
CONFIRM = fields(
    {"title": plain_text(100), "text": any_text(300), "confirm": plain_text(30), "deny": plain_text(30)},
    {"style": one_of("primary", "danger")},
)


def _option(label: Rule) -> Rule:
    return fields({"text": label, "value": text(150)}, {"description": any_text(75), "url": text(3000)})


OPTION, RICH_OPTION = _option(plain_text(75)), _option(any_text(75))
_OPTIONS = list_of(OPTION, 1, 100)
_GROUPS = list_of(fields({"label": plain_text(75), "options": _OPTIONS}), 1, 100)
_PLACEHOLDER = plain_text(150)
_INPUT: dict[str, Rule] = {"placeholder": _PLACEHOLDER, "focus_on_load": flag}
_DISPATCH = fields({}, {"trigger_actions_on": list_of(one_of("on_enter_pressed", "on_character_entered"), 1, 2)})
_FILTER = fields(
    {},
    {
        "include": list_of(one_of("im", "mpim", "private", "public"), 1, 4),
        "exclude_external_shared_channels": flag,
        "exclude_bot_users": flag,
    },
)
_HOW_MANY: dict[str, Rule] = {"max_selected_items": number(1, is_whole=True)}
_WHERE: dict[str, Rule] = {"response_url_enabled": flag}
_CONVERSATION: dict[str, Rule] = {"default_to_current_conversation": flag, "filter": _FILTER}
_one_source = only_one_of("options", "option_groups")
_LISTS: dict[str, Rule] = {"options": _OPTIONS, "option_groups": _GROUPS}
_ID = text(255)


def _lengths_in_order(value: Any) -> Iterator[Problem]:
    if (value.get("min_length") or 0) > (value.get("max_length") or 3000):
        yield "min_length is greater than max_length", ""


def _numbers_in_order(value: Any) -> Iterator[Problem]:
    try:
        low, high = float(value.get("min_value") or "-inf"), float(value.get("max_value") or "inf")
    except ValueError:
        yield "min_value and max_value must be numbers in text", ""
        return
    if low > high:
        yield "min_value is greater than max_value", ""


_feedback = fields({"text": plain_text(75), "value": text(2000)}, {"accessibility_label": text(75)})

BUTTONS: dict[str, Rule] = {
    "button": element(
        "button", {"text": plain_text(75)}, url=text(3000), value=text(2000, least=0),
        style=one_of("primary", "danger"), accessibility_label=text(75), agent_prompt=text(4000), visible_to_user_ids=list_of(text()),
    ),
    "workflow_button": element(
        "workflow_button", {"text": plain_text(75), "workflow": anything}, style=one_of("primary", "danger"),
        accessibility_label=text(75),
    ),
}  # fmt: skip
CONTEXT_ACTIONS: dict[str, Rule] = {
    "feedback_buttons": element("feedback_buttons", {"positive_button": _feedback, "negative_button": _feedback}),
    "icon_button": element(
        "icon_button", {"icon": text(), "text": plain_text(75)}, value=text(2000, least=0),
        accessibility_label=text(75),
        visible_to_user_ids=list_of(text()),
    ),
}  # fmt: skip
PICKERS: dict[str, Rule] = {
    "checkboxes": element(
        "checkboxes", {"options": list_of(RICH_OPTION, 1, 10)}, initial_options=list_of(RICH_OPTION, 1, 10),
        focus_on_load=flag,
    ),
    "radio_buttons": element(
        "radio_buttons", {"options": list_of(RICH_OPTION, 1, 10)}, initial_option=RICH_OPTION, focus_on_load=flag
    ),
    "datepicker": element("datepicker", None, initial_date=text(10, 10, DATE, "must be a date, YYYY-MM-DD"), **_INPUT),
    "timepicker": element(
        "timepicker", None, initial_time=text(5, 5, TIME, "must be a time, HH:mm"), timezone=text(), **_INPUT
    ),
    "datetimepicker": element(
        "datetimepicker", None, initial_date_time=number(1_000_000_000, 9_999_999_999, is_whole=True),
        focus_on_load=flag,
    ),
}  # fmt: skip
MENUS: dict[str, Rule] = {
    "overflow": element("overflow", {"options": list_of(OPTION, 1, 5)}),
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
        min_length=number(0, 3000, is_whole=True), max_length=number(1, 3000, is_whole=True),
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
        "file_input", None, filetypes=list_of(text()), max_files=number(1, 10, is_whole=True)
    ),
}  # fmt: skip
URL_SOURCE = fields({"type": one_of("url"), "url": text(3000), "text": text()})

IN_ACTIONS = by_type({**BUTTONS, **MENUS, **PICKERS, "rich_text_input": INPUTS["rich_text_input"]}, "type of element")
IN_SECTION = by_type({**BUTTONS, **MENUS, **PICKERS, "image": IMAGE}, "type of element")
IN_INPUT = by_type(
    {**{kind: rule for kind, rule in MENUS.items() if kind != "overflow"}, **PICKERS, **INPUTS}, "type of element"
)
IN_CONTEXT_ACTIONS = by_type(CONTEXT_ACTIONS, "type of element")
