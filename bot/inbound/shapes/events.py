"""The shapes of events, with the fields that listeners read."""

from typing import Annotated

from pydantic import Field, JsonValue

from bot.inbound.shapes.fields import Id, LongText, SlackShape, Text, Ts


class AuthorProfile(SlackShape):
    team: Id | None = None


class DroppedFile(SlackShape):
    id: Id | None = None
    url_private: Text | None = None
    url_private_download: Text | None = None
    name: Text | None = None
    title: Text | None = None
    filetype: Text | None = None
    size: Annotated[int, Field(ge=0, le=2**53, strict=True)] | None = None


class EditMark(SlackShape):
    ts: Ts | None = None


class MessageMetadata(SlackShape):
    event_type: Text | None = None
    event_payload: dict[str, JsonValue] | None = None


class SaidMessage(SlackShape):
    ts: Ts
    user: Id | None = None
    bot_id: Id | None = None
    text: LongText | None = None
    thread_ts: Ts | None = None
    subtype: Text | None = None
    team: Id | None = None
    user_team: Id | None = None
    source_team: Id | None = None
    user_profile: AuthorProfile | None = None
    files: list[DroppedFile] | None = None
    edited: EditMark | None = None
    metadata: MessageMetadata | None = None


class SaidEvent(SaidMessage):
    channel: Id
    channel_type: Text | None = None
    event_ts: Ts | None = None
    message: SaidMessage | None = None
    previous_message: SaidMessage | None = None


class Changed(SlackShape):
    channel: Id
    ts: Ts
    message: SaidMessage
    previous_message: SaidMessage | None = None
    event_ts: Ts | None = None


class Deleted(SlackShape):
    channel: Id
    ts: Ts
    deleted_ts: Ts
    previous_message: SaidMessage | None = None
    event_ts: Ts | None = None


class HomeTabOpened(SlackShape):
    user: Id
    channel: Id
    tab: Text | None = None


class ReactedItem(SlackShape):
    type: Text
    channel: Id | None = None
    ts: Ts | None = None


class Reaction(SlackShape):
    user: Id
    reaction: Text
    item: ReactedItem
    item_user: Id | None = None


class Joined(SlackShape):
    user: Id
    channel: Id
    event_ts: Ts | None = None


class RevokedTokens(SlackShape):
    bot: list[str] | None = None


class Revoked(SlackShape):
    tokens: RevokedTokens = RevokedTokens()


class Happening(SlackShape):
    type: Text
    subtype: Text | None = None


class AnyPart(SlackShape):
    user: Text | dict[str, JsonValue] | None = None
    channel: Text | dict[str, JsonValue] | None = None


class AnyEvent(AnyPart, Happening):
    message: AnyPart | None = None
    previous_message: AnyPart | None = None
    item: AnyPart | Text | None = None
    assistant_thread: AnyPart | None = None


class Authorization(SlackShape):
    team_id: Id | None = None
    enterprise_id: Id | None = None


class AnyBody(SlackShape):
    """What Bolt itself reads of any body."""

    type: Text = ""
    team_id: Id | None = None
    event: Happening | None = None
    authorizations: list[Authorization] | None = None
    is_ext_shared_channel: bool | None = None
