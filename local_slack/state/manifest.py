"""Read an app's manifest: scopes, events, commands and shortcuts."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from local_slack.state.entities import App, Command, Shortcut


class ManifestError(ValueError):
    """No usable manifest; the message says how to mend it."""


def app_from_manifest(path: Path, app: App) -> App:
    """Return `app` as the manifest describes it. Raises ManifestError."""
    content = _read(path)
    features = _section(content, "features")
    scopes = _section(_section(content, "oauth_config"), "scopes")
    events = _section(_section(content, "settings"), "event_subscriptions")
    names = [*(scopes.get("bot") or []), *(scopes.get("bot_optional") or [])]
    return replace(
        app,
        scopes=tuple(map(str, names)),
        event_types=frozenset(map(str, events.get("bot_events") or [])),
        commands=tuple(_command(one) for one in features.get("slash_commands") or []),
        shortcuts=tuple(_shortcut(one) for one in features.get("shortcuts") or []),
    )


def _read(path: Path) -> Mapping[str, Any]:
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise ManifestError(f"The manifest {path} cannot be read: {error.strerror}.") from None
    content = _parsed(path, text)
    if not isinstance(content, dict):
        raise ManifestError(f"The manifest {path} must be an object with features, oauth_config and settings.")
    return content


def _parsed(path: Path, text: str) -> object:
    if path.suffix == ".json":
        try:
            return json.loads(text)
        except ValueError as error:
            raise ManifestError(f"The manifest {path} is no valid JSON: {error}.") from None
    import yaml

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ManifestError(f"The manifest {path} is no valid YAML: {error}.") from None


def _section(content: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = content.get(name) or {}
    if not isinstance(found, dict):
        raise ManifestError(f"{name} in the manifest must be an object.")
    return found


def _command(entry: Mapping[str, Any]) -> Command:
    return Command(str(entry.get("command")), str(entry.get("description", "")), str(entry.get("usage_hint", "")))


def _shortcut(entry: Mapping[str, Any]) -> Shortcut:
    is_message = entry.get("type") == "message"
    return Shortcut(
        str(entry.get("callback_id")),
        str(entry.get("name", "")),
        "message" if is_message else "global",
        str(entry.get("description", "")),
    )
