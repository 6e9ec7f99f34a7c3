"""manifest.yml asks Slack for what the code uses: the same events, the scopes they need, and nothing else."""

import ast
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from slack_bolt import App
from slack_sdk import WebClient

from ai.memory.limits import MemoryLimits
from ai.memory_store import open_memory
from ai.results.store import ResultStore
from bot.listeners import register
from tests.architecture import source
from tests.fakes import KeptQueue
from tests.intakes import intake_of
from tests.memories import store_in
from tests.paths import ROOT, SHARED_DATA

MANIFEST = yaml.safe_load((ROOT / "manifest.yml").read_text("utf-8"))
SCHEMA = SHARED_DATA / "manifest.schema.2.0.0.json"

# Subscriptions of one event that is delivered under one name, and the scope that each needs.
EVENTS = {
    "app_home_opened": {"app_home_opened": ""},
    "app_mention": {"app_mention": "app_mentions:read"},
    "app_uninstalled": {"app_uninstalled": ""},
    "member_joined_channel": {"member_joined_channel": "channels:read groups:read"},
    "member_left_channel": {"member_left_channel": "channels:read groups:read"},
    "reaction_added": {"reaction_added": "reactions:read"},
    "tokens_revoked": {"tokens_revoked": ""},
    "message": {
        "message.channels": "channels:history",
        "message.groups": "groups:history",
        "message.im": "im:history",
        "message.mpim": "mpim:history",
    },
}
HISTORIES = set(EVENTS["message"].values())
METHODS = {
    "agents_sessions_setStatus": {"assistant:write"},
    "apps_connections_open": set[str](),
    "assistant_threads_setStatus": {"chat:write"},
    "assistant_threads_setSuggestedPrompts": {"assistant:write"},
    "auth_test": set[str](),
    "chat_delete": {"chat:write"},
    "chat_postMessage": {"chat:write"},
    "chat_postEphemeral": {"chat:write"},
    "chat_update": {"chat:write"},
    "conversations_history": {*HISTORIES, "metadata.message:read"},  # answers are found by their metadata
    "conversations_members": {"channels:read", "groups:read", "mpim:read"},
    "conversations_open": {"im:write"},
    "conversations_replies": {*HISTORIES, "metadata.message:read"},
    "files_completeUploadExternal": {"files:write"},
    "files_delete": {"files:write"},
    "files_getUploadURLExternal": {"files:write"},
    "files_info": {"files:read"},
    "usergroups_users_list": {"usergroups:read"},
    "users_info": {"users:read"},
    "users_list": {"users:read"},
    "views_open": set[str](),
    "views_publish": set[str](),
}
FEATURES = {
    "agent_view": {"assistant:write"},
    "app_home": set[str](),
    "bot_user": set[str](),
    "shortcuts": {"commands"},
    "slash_commands": {"commands"},
}


class RecordingApp(App):
    """A Bolt app that also notes which events it is asked to listen for."""

    def __init__(self) -> None:
        super().__init__(client=WebClient(token="xoxb-none"), token_verification_enabled=False)
        self.listened: list[str] = []
        self.offered: list[str] = []
        self.actions = 0

    def event(self, event: Any, *rest: Any, **options: Any) -> Callable[..., Any]:
        self.listened.append(event["type"] if isinstance(event, dict) else event)
        return super().event(event, *rest, **options)

    def action(self, constraints: Any, *rest: Any, **options: Any) -> Callable[..., Any]:
        self.actions += 1
        return super().action(constraints, *rest, **options)

    def command(self, command: Any, *rest: Any, **options: Any) -> Callable[..., Any]:
        self.offered.append(command)
        return super().command(command, *rest, **options)

    def shortcut(self, constraints: Any, *rest: Any, **options: Any) -> Callable[..., Any]:
        self.offered.append(constraints)
        return super().shortcut(constraints, *rest, **options)

    def view(self, constraints: Any, *rest: Any, **options: Any) -> Callable[..., Any]:
        self.actions += 1  # a modal sent off needs interactivity too
        return super().view(constraints, *rest, **options)


def test_the_manifest_is_valid() -> None:
    if not SCHEMA.exists():
        pytest.skip("the manifest schema is not on this machine")
    jsonschema.validate(MANIFEST, json.loads(SCHEMA.read_text("utf-8")))


def test_every_listener_has_its_subscriptions_and_every_subscription_its_listener(tmp_path: Path) -> None:
    expected = {subscription for event in listened(tmp_path) for subscription in EVENTS[event]}
    assert set(MANIFEST["settings"]["event_subscriptions"]["bot_events"]) == expected


def test_every_scope_is_needed_and_every_needed_scope_is_there(tmp_path: Path) -> None:
    for_events = {
        scope for event in listened(tmp_path) for scopes in EVENTS[event].values() for scope in scopes.split()
    }
    for_methods = {scope for method in called() for scope in METHODS[method]}
    for_features = {scope for feature in MANIFEST["features"] for scope in FEATURES[feature]}
    assert set(MANIFEST["oauth_config"]["scopes"]["bot"]) == for_events | for_methods | for_features


def listened(folder: Path) -> list[str]:
    memory = open_memory(store_in(folder), ResultStore(folder / "results"), MemoryLimits())
    app = RecordingApp()
    register(app, intake_of(memory, KeptQueue()))
    memory.close()
    assert MANIFEST["settings"]["interactivity"]["is_enabled"] == (app.actions > 0)
    features = MANIFEST["features"]
    named = [one["command"] for one in features["slash_commands"]]
    named += [one["callback_id"] for one in features["shortcuts"]]
    assert sorted(app.offered) == sorted(named)
    assert len(app._listeners) == len(app.listened) + len(app.offered) + app.actions, (
        "a listener of another kind: teach this test what it needs"
    )
    return app.listened


def called() -> set[str]:
    """The Web API methods that the bot calls."""
    known = {name for name in vars(WebClient) if "_" in name and not name.startswith("_")}
    bot = [m for m in source.product() if m.name.startswith("bot.") and not m.name.startswith("local_slack")]
    return {n.attr for m in bot for n in m.nodes if isinstance(n, ast.Attribute)} & known
