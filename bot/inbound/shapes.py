"""The shapes of what Slack sends: only a body of one is dispatched, so that listeners may rely on what they read.

Slack sends nothing else. Fields that nobody reads are not looked at.
"""

import json
from collections.abc import Collection, Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, TypeAdapter, ValidationError

Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.-]{1,64}$")]
Ts = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,10}\.[0-9]{1,9}$")]
Text = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$")]


LongText = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$", max_length=100_000)]  # Slack's own limit is 40,000


class Shape(BaseModel):
    model_config = ConfigDict(extra="ignore")


class Named(Shape):
    id: Id
    team_id: Id | None = None


class Profile(Shape):
    team: Id | None = None


class File(Shape):
    id: Id | None = None
    url_private: Text | None = None
    url_private_download: Text | None = None
    name: Text | None = None
    title: Text | None = None
    filetype: Text | None = None
    size: Annotated[int, Field(ge=0, le=2**53)] | None = None


class Edit(Shape):
    ts: Ts | None = None


class Metadata(Shape):
    event_type: Text | None = None
    event_payload: dict[str, JsonValue] | None = None


class Message(Shape):
    ts: Ts
    user: Id | None = None
    bot_id: Id | None = None
    text: LongText | None = None
    thread_ts: Ts | None = None
    subtype: Text | None = None
    team: Id | None = None
    user_team: Id | None = None
    source_team: Id | None = None
    user_profile: Profile | None = None
    files: list[File] | None = None
    edited: Edit | None = None
    metadata: Metadata | None = None


class Said(Message):
    channel: Id
    channel_type: Text | None = None
    event_ts: Ts | None = None


class Changed(Shape):
    channel: Id
    ts: Ts
    message: Message
    previous_message: Message | None = None
    event_ts: Ts | None = None


class Deleted(Shape):
    channel: Id
    ts: Ts
    deleted_ts: Ts
    previous_message: Message | None = None
    event_ts: Ts | None = None


class HomeOpened(Shape):
    user: Id
    channel: Id
    tab: Text | None = None


class Item(Shape):
    type: Text
    channel: Id | None = None
    ts: Ts | None = None


class Reaction(Shape):
    user: Id
    reaction: Text
    item: Item
    item_user: Id | None = None


class Joined(Shape):
    user: Id
    channel: Id


class Tokens(Shape):
    bot: list[str] | None = None


class Revoked(Shape):
    tokens: Tokens = Tokens()


class Words(Shape):
    text: Text


class Option(Shape):
    value: Text
    text: Words | None = None


class Action(Shape):
    action_id: Text
    action_ts: Ts | None = None
    value: Text | None = None
    text: Words | None = None
    selected_option: Option | None = None


class Block(Shape):
    type: Text
    block_id: Text | None = None


class Pressed(Shape):
    ts: Ts
    text: Text = ""
    thread_ts: Ts | None = None
    blocks: list[Block]
    metadata: dict[str, JsonValue] | None = None


class Container(Shape):
    type: Text | None = None
    channel_id: Id | None = None
    message_ts: Ts | None = None
    thread_ts: Ts | None = None


class Press(Shape):
    user: Named
    team: Named | None = None
    container: Container
    actions: tuple[Action]
    message: Pressed | None = None
    trigger_id: Text | None = None


class State(Shape):
    values: dict[str, dict[str, dict[str, JsonValue]]]


class View(Shape):
    type: Text
    id: Id
    callback_id: Text
    private_metadata: Text = ""
    state: State


class Submission(Shape):
    user: Named
    team: Named | None = None
    view: View


class Shortcut(Shape):
    callback_id: Text
    user: Named
    team: Named | None = None
    channel: Named
    message: Message
    trigger_id: Text | None = None


class Command(Shape):
    command: Text
    user_id: Id
    channel_id: Id
    text: Text | None = None


class Authorization(Shape):
    team_id: Id | None = None
    enterprise_id: Id | None = None


class Happening(Shape):
    type: Text
    subtype: Text | None = None


class AnyEvent(Happening):
    user: Text | dict[str, JsonValue] | None = None
    channel: Text | dict[str, JsonValue] | None = None


class Envelope(Shape):
    """What Bolt itself reads of any body."""

    type: Text = ""
    team_id: Id | None = None
    event: Happening | None = None
    authorizations: list[Authorization] | None = None
    is_ext_shared_channel: bool | None = None


EVENTS: Mapping[str, TypeAdapter[Any]] = {
    "app_mention": TypeAdapter(Said),
    "message": TypeAdapter(Said),
    "message_changed": TypeAdapter(Changed),
    "message_deleted": TypeAdapter(Deleted),
    "app_home_opened": TypeAdapter(HomeOpened),
    "reaction_added": TypeAdapter(Reaction),
    "member_joined_channel": TypeAdapter(Joined),
    "tokens_revoked": TypeAdapter(Revoked),
}
INTERACTIONS: Mapping[str, TypeAdapter[Any]] = {
    "block_actions": TypeAdapter(Press),
    "view_submission": TypeAdapter(Submission),
    "message_action": TypeAdapter(Shortcut),
}
ENVELOPE, COMMAND, ANY_EVENT = TypeAdapter(Envelope), TypeAdapter(Command), TypeAdapter(AnyEvent)
BY_BOLT = ("url_verification", "app_rate_limited")  # what Bolt answers by itself


def is_sound(body: object) -> bool:
    """Return whether a body has the shape of an event, a press, a form, a shortcut or a command that we take."""
    try:
        json.dumps(body, ensure_ascii=False).encode()  # half of a surrogate pair can be kept nowhere
        return _check(ENVELOPE.validate_python(body), body)
    except (ValidationError, UnicodeEncodeError, RecursionError, TypeError):
        return False


def is_for(body: Mapping[str, Any], home: Collection[str]) -> bool:
    """Return whether an event is for an installation of ours; Slack names those that it is for."""
    named = body.get("authorizations")
    return not named or any({one.get("team_id"), one.get("enterprise_id")}.intersection(home) for one in named)


def moment(ts: object, otherwise: float) -> float:
    """Read a Slack time; `otherwise` for anything else."""
    try:
        return float(TS.validate_python(ts))
    except ValidationError:
        return otherwise


def _check(envelope: Envelope, body: Any) -> bool:
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


class PlacedAction(Action):
    action_ts: Ts


class PlacedContainer(Container):
    channel_id: Id
    message_ts: Ts


class PressInMessage(Press):
    container: PlacedContainer
    actions: tuple[PlacedAction]
    message: Pressed


PRESS_IN_A_MESSAGE, TS, TEXT = TypeAdapter(PressInMessage), TypeAdapter(Ts), TypeAdapter(Text)
