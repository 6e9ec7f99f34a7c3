"""Views: modals and App Homes."""

from collections.abc import Iterator
from typing import Any

from local_slack.block_kit.elements import plain_text
from local_slack.block_kit.limits import problems_of
from local_slack.block_kit.rules import Problem, Rule, by_type, fields, flag, one_of, text


def _blocks(value: Any) -> Iterator[Problem]:
    if not isinstance(value, list) or not all(isinstance(block, dict) for block in value):
        yield "must be a list of objects", ""
    else:
        yield from problems_of(value, is_view=True)


def _submit_where_there_are_inputs(view: Any) -> Iterator[Problem]:
    has_inputs = any(block["type"] == "input" for block in view["blocks"])
    if has_inputs and not view.get("submit"):
        yield "a modal with input blocks needs submit", ""


_COMMON: dict[str, Rule] = {
    "callback_id": text(255, least=0),
    "private_metadata": text(3000, least=0),
    "external_id": text(255, least=0),
}
VIEW = by_type(
    {
        "modal": fields(
            {"type": one_of("modal"), "title": plain_text(24), "blocks": _blocks},
            {
                **_COMMON,
                "submit": plain_text(24),
                "close": plain_text(24),
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
