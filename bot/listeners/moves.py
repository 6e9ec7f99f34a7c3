"""Leaves of channels, and the note of every join and leave. `welcome` hears the joins."""

from collections.abc import Mapping
from typing import Any

from slack_bolt import App

from bot.listeners.intake import Intake


def register(app: App, intake: Intake) -> None:
    @app.event("member_left_channel")
    def left(event: Mapping[str, Any]) -> None:
        moved(intake, event, is_in=False)


def moved(intake: Intake, event: Mapping[str, Any], *, is_in: bool) -> None:
    """Note a join or a leave."""
    at = float(event.get("event_ts") or 0)
    intake.memory.moves.add(intake.team, str(event["channel"]), str(event["user"]), at, is_in=is_in)
