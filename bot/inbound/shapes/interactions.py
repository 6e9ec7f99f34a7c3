"""The shapes of presses, forms, shortcuts and commands, with the fields that listeners read."""

from pydantic import JsonValue

from bot.inbound.shapes.events import SaidMessage
from bot.inbound.shapes.fields import Id, KnownPerson, SlackShape, Text, Ts


class ButtonWords(SlackShape):
    text: Text


class PickedOption(SlackShape):
    value: Text
    text: ButtonWords | None = None


class PressedAction(SlackShape):
    action_id: Text
    action_ts: Ts | None = None
    value: Text | None = None
    text: ButtonWords | None = None
    selected_option: PickedOption | None = None


class ShownBlock(SlackShape):
    type: Text
    block_id: Text | None = None


class Pressed(SlackShape):
    ts: Ts
    text: Text = ""
    thread_ts: Ts | None = None
    blocks: list[ShownBlock]
    metadata: dict[str, JsonValue] | None = None


class Container(SlackShape):
    type: Text | None = None
    channel_id: Id | None = None
    message_ts: Ts | None = None
    thread_ts: Ts | None = None


class Press(SlackShape):
    user: KnownPerson
    team: KnownPerson | None = None
    container: Container
    actions: tuple[PressedAction]
    message: Pressed | None = None
    trigger_id: Text | None = None


class FormState(SlackShape):
    values: dict[str, dict[str, dict[str, JsonValue]]]


class SentView(SlackShape):
    type: Text
    id: Id
    callback_id: Text
    private_metadata: Text = ""
    state: FormState


class Submission(SlackShape):
    user: KnownPerson
    team: KnownPerson | None = None
    view: SentView


class MessageShortcut(SlackShape):
    callback_id: Text
    user: KnownPerson
    team: KnownPerson | None = None
    channel: KnownPerson
    message: SaidMessage
    trigger_id: Text | None = None


class SlashCommand(SlackShape):
    command: Text
    user_id: Id
    channel_id: Id
    text: Text | None = None


class PlacedAction(PressedAction):
    action_ts: Ts


class PlacedContainer(Container):
    channel_id: Id
    message_ts: Ts


class PressInMessage(Press):
    container: PlacedContainer
    actions: tuple[PlacedAction]
    message: Pressed
