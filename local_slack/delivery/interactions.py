"""Payloads of interactions: buttons and menus, modals, shortcuts, slash commands."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from local_slack.access.permits import Permits
from local_slack.block_kit import find_element
from local_slack.objects import home_team, message_object, view_object
from local_slack.state.entities import Channel, Message, Shortcut, View
from local_slack.state.people import channel_of, person
from local_slack.state.workspace import Workspace
from local_slack.wire import Json, SlackError

Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Interactions:
    """Makes payloads, each with its trigger_id and response_url."""

    workspace: Workspace
    permits: Permits

    def response_url(
        self, user: str, channel: str, message: Message | None = None, thread_ts: str | None = None
    ) -> str:
        name = self.permits.new_response_url(user, channel, message.ts if message else None, thread_ts)
        return f"{self.workspace.team.url}hooks/{name}"

    def block_actions(self, user: str, source: Message | View, action: Json, values: Values) -> Json:
        """A click, a choice or an entered input. Raises action_not_found."""
        element = _element(source, action)
        shown: Json = {name: element[name] for name in ("text", "value", "style", "placeholder") if name in element}
        done = {
            "action_id": element["action_id"],
            "block_id": action["block_id"],
            **shown,
            **action,
            "type": element["type"],
            "action_ts": self.workspace.clock.next_ts(),
        }
        payload = {
            **_common(self.workspace, "block_actions", user),
            "container": _container(self.workspace, source),
            "trigger_id": self.permits.new_trigger(user),
            **self._place(source, values),
            "actions": [done],
        }
        if isinstance(source, Message):
            payload["response_url"] = self.response_url(user, source.channel, source, source.thread_ts)
        return payload

    def block_suggestion(self, user: str, source: Message | View, asked: Json) -> Json:
        """Text typed into a menu with options from the app. Raises action_not_found."""
        _element(source, asked)
        place = self._place(source, {})
        return {
            **_common(self.workspace, "block_suggestion", user),
            "container": _container(self.workspace, source),
            "action_id": asked["action_id"],
            "block_id": asked["block_id"],
            "value": asked["value"],
            **place,
        }

    def view_submission(self, view: View) -> Json:
        return {
            **_common(self.workspace, "view_submission", view.user),
            "trigger_id": self.permits.new_trigger(view.user),
            "view": view_object(self.workspace, view),
            "response_urls": [],
        }

    def view_closed(self, view: View, *, is_cleared: bool) -> Json:
        common = _common(self.workspace, "view_closed", view.user)
        return {**common, "view": view_object(self.workspace, view), "is_cleared": is_cleared}

    def shortcut(self, user: str, entry: Shortcut, message: Message | None) -> Json:
        """A menu entry, on a message or anywhere. Raises invalid_arguments."""
        if (entry.type == "message") != (message is not None):
            raise SlackError("invalid_arguments", [f"{entry.callback_id} is a {entry.type} shortcut"])
        common = {
            **_common(self.workspace, "shortcut" if message is None else "message_action", user),
            "action_ts": self.workspace.clock.next_ts(),
            "callback_id": entry.callback_id,
            "trigger_id": self.permits.new_trigger(user),
        }
        if message is None:
            return common
        return {
            **common,
            "response_url": self.response_url(user, message.channel, None, message.thread_ts),
            "message_ts": message.ts,
            "channel": _channel(self.workspace.channel(message.channel)),
            "message": message_object(self.workspace, message),
        }

    def command(self, user: str, channel: Channel, name: str, text: str) -> Json:
        team = self.workspace.team
        return {
            "token": "local-verification-token",
            "team_id": channel.team or team.id,
            "team_domain": team.domain,
            "channel_id": channel.id,
            "channel_name": _channel(channel)["name"],
            "user_id": user,
            "user_name": self.workspace.user(user).name,
            "command": name,
            "text": text,
            "api_app_id": self.workspace.app.id,
            "is_enterprise_install": str(team.is_org_install).lower(),
            **({"enterprise_id": team.enterprise, "enterprise_name": team.enterprise_name} if team.enterprise else {}),
            "response_url": self.response_url(user, channel.id),
            "trigger_id": self.permits.new_trigger(user),
        }

    def _place(self, source: Message | View, values: Values) -> Json:
        if isinstance(source, View):
            return {"view": view_object(self.workspace, source)}
        shown = {
            "channel": _channel(self.workspace.channel(source.channel)),
            "state": {"values": dict(values)},
        }
        is_ephemeral = (source.channel, source.ts) in self.workspace.ephemerals
        return shown if is_ephemeral else {**shown, "message": message_object(self.workspace, source)}


def message_seen(workspace: Workspace, user: str, channel_id: str, ts: str) -> Message:
    """Return a message visible to the person. Raises channel_not_found, message_not_found."""
    channel = channel_of(workspace, user, channel_id)
    shown = workspace.ephemerals.get((channel.id, ts))
    if shown is not None and shown.is_shown and shown.recipient == user:
        return shown.message
    return workspace.message(channel.id, ts)


def view_seen(workspace: Workspace, user: str, view_id: str) -> View:
    """Return a view of the person. Raises not_found."""
    view = workspace.views.get(view_id)
    if view.user != person(workspace, user).id:
        raise SlackError("not_found")
    return view


def _common(workspace: Workspace, kind: str, user_id: str) -> Json:
    user, team = workspace.user(user_id), workspace.team
    return {
        "type": kind,
        "token": "local-verification-token",
        "team": None if team.is_org_install else {"id": team.id, "domain": team.domain},
        "user": {"id": user.id, "username": user.name, "name": user.name, "team_id": home_team(workspace, user.id)},
        "api_app_id": workspace.app.id,
        "enterprise": {"id": team.enterprise, "name": team.enterprise_name} if team.enterprise else None,
        "is_enterprise_install": team.is_org_install,
    }


def _element(source: Message | View, action: Json) -> Json:
    blocks = source.draft.blocks if isinstance(source, Message) else source.content["blocks"]
    element = find_element(blocks, str(action.get("block_id")), str(action.get("action_id")))
    if element is None:
        raise SlackError("action_not_found", ["there is no element of that block_id and action_id"])
    return element


def _container(workspace: Workspace, source: Message | View) -> Json:
    if isinstance(source, View):
        return {"type": "view", "view_id": source.id}
    thread = {"thread_ts": source.thread_ts} if source.thread_ts else {}
    return {
        "type": "message",
        "message_ts": source.ts,
        "channel_id": source.channel,
        "is_ephemeral": (source.channel, source.ts) in workspace.ephemerals,
        **thread,
    }


def _channel(channel: Channel) -> Json:
    return {"id": channel.id, "name": "directmessage" if channel.is_im else channel.name}
