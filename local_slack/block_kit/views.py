"""Views: modals and App Homes."""

from collections.abc import Iterator
from typing import Any

from local_slack.block_kit.elements import plain_text
from local_slack.block_kit.message import problems_of
from local_slack.block_kit.rules import Problem, Rule, by_type, fields, flag, one_of, text
from local_slack.limits import Limits


def _blocks(value: Any, limits: Limits) -> Iterator[Problem]:
    if not isinstance(value, list) or not all(isinstance(block, dict) for block in value):
        yield "must be a list of objects", ""
    else:
        yield from problems_of(value, limits, is_view=True)


def _submit_where_there_are_inputs(view: Any, _limits: Limits) -> Iterator[Problem]:
    has_inputs = any(block["type"] == "input" for block in view["blocks"])
    if has_inputs and not view.get("submit"):
        yield "a modal with input blocks needs submit", ""


_COMMON: dict[str, Rule] = {
    "callback_id": text("view.callback_id", least=0),
    "private_metadata": text("view.private_metadata", least=0),
    "external_id": text("view.external_id", least=0),
}
VIEW = by_type(
    {
        "modal": fields(
            {"type": one_of("modal"), "title": plain_text("view.title"), "blocks": _blocks},
            {
                **_COMMON,
                "submit": plain_text("view.button"),
                "close": plain_text("view.button"),
                "clear_on_close": flag,
                "notify_on_close": flag,
                "submit_disabled": flag,
            },
            _submit_where_there_are_inputs,
        ),
        "home": fields({"type": one_of("home"), "blocks": _blocks}, _COMMON),
    },
    "type of view",
)
