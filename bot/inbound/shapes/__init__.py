"""The shapes of Slack's events and presses: bodies without one are refused, so listeners may rely on their fields.

Unread fields are not checked.
"""

import json
from collections.abc import Collection, Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError

from bot.inbound.shapes.events import (
    AnyBody,
    AnyEvent,
    Changed,
    Deleted,
    HomeTabOpened,
    Joined,
    Reaction,
    Revoked,
    SaidEvent,
)
from bot.inbound.shapes.fields import Ts
from bot.inbound.shapes.interactions import MessageShortcut, Press, PressInMessage, SlashCommand, Submission

EVENTS: Mapping[str, TypeAdapter[Any]] = {
    "app_mention": TypeAdapter(SaidEvent),
    "message": TypeAdapter(SaidEvent),
    "message_changed": TypeAdapter(Changed),
    "message_deleted": TypeAdapter(Deleted),
    "app_home_opened": TypeAdapter(HomeTabOpened),
    "reaction_added": TypeAdapter(Reaction),
    "member_joined_channel": TypeAdapter(Joined),
    "member_left_channel": TypeAdapter(Joined),
    "tokens_revoked": TypeAdapter(Revoked),
}
INTERACTIONS: Mapping[str, TypeAdapter[Any]] = {
    "block_actions": TypeAdapter(Press),
    "view_submission": TypeAdapter(Submission),
    "message_action": TypeAdapter(MessageShortcut),
}
ENVELOPE, COMMAND, ANY_EVENT = TypeAdapter(AnyBody), TypeAdapter(SlashCommand), TypeAdapter(AnyEvent)
BY_BOLT = ("url_verification", "app_rate_limited")  # what Bolt answers by itself


PRESS_IN_A_MESSAGE, TS = TypeAdapter(PressInMessage), TypeAdapter(Ts)


def is_sound(body: object) -> bool:
    """Whether a body has the shape of an event, a press, a form, a shortcut or a command that we take."""
    try:
        json.dumps(body, ensure_ascii=False).encode()  # half of a surrogate pair can be kept nowhere
        return _check(ENVELOPE.validate_python(body), body)
    except (ValidationError, UnicodeEncodeError, RecursionError, TypeError):
        return False


def is_for(body: Mapping[str, Any], home: Collection[str]) -> bool:
    """Whether an event is for an installation of ours; Slack names those that it is for."""
    named = body.get("authorizations")
    return not named or any({one.get("team_id"), one.get("enterprise_id")}.intersection(home) for one in named)


def moment(ts: object, otherwise: float) -> float:
    """Read a Slack time; `otherwise` for anything else."""
    try:
        return float(TS.validate_python(ts))
    except ValidationError:
        return otherwise


def _check(envelope: AnyBody, body: Any) -> bool:
    """Check a body by its type. Raises ValidationError; False for a type that nothing here takes."""
    if envelope.type == "event_callback" and envelope.event:
        kind, subtype = envelope.event.type, envelope.event.subtype
        shape = EVENTS.get(subtype or "") if kind == "message" else None
        (shape or EVENTS.get(kind) or ANY_EVENT).validate_python(body["event"])
        return True
    if (interaction := INTERACTIONS.get(envelope.type)) is not None:
        found = interaction.validate_python(body)
        if isinstance(found, Press) and found.container.type != "view":
            PRESS_IN_A_MESSAGE.validate_python(body)
        return True
    if envelope.type == "" and "command" in body:
        COMMAND.validate_python(body)
        return True
    return envelope.type in BY_BOLT or (envelope.type == "" and "ssl_check" in body)
