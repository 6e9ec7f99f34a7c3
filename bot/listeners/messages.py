"""Messages of people: mentions, direct messages, replies, edits, deletions.

Slack sends a mention twice, as `app_mention` and as `message`. Changes without `edited`, or with the old words, are
link previews.
"""

from collections.abc import Mapping
from typing import Any

from slack_bolt import App

from bot.inbound import Inbound, is_stop
from bot.listeners.intake import Intake


def is_for_us(intake: Intake, inbound: Inbound) -> bool:
    """Return whether a message without a mention is meant for the bot."""
    if inbound.is_direct:
        return True
    if is_stop(inbound.text):
        return intake.bot_user not in inbound.mentions and is_heard(intake, inbound)
    if intake.bot_user in inbound.mentions:
        return is_heard(intake, inbound)
    return is_heard(intake, inbound) and not inbound.mentions and intake.is_meant(inbound)


def is_heard(intake: Intake, inbound: Inbound) -> bool:
    """Return whether a message stands in a thread that we have joined."""
    return inbound.is_reply and intake.is_engaged(inbound.thread)


def hear(intake: Intake, inbound: Inbound) -> None:
    """Take a message without a mention, or remember it as talk among people."""
    if is_for_us(intake, inbound):
        intake.take(inbound)
    elif is_heard(intake, inbound) and intake.bot_user not in inbound.mentions:
        intake.overhear(inbound)


def register(app: App, intake: Intake) -> None:
    @app.event("app_mention")
    def mentioned(event: Mapping[str, Any], body: Mapping[str, Any]) -> None:
        inbound = intake.read(event, body)
        if inbound is not None:
            intake.take(inbound)

    @app.event({"type": "message", "subtype": "message_changed"})
    def changed(event: Mapping[str, Any], body: Mapping[str, Any]) -> None:
        message = {**event["message"], "channel": event["channel"]}
        if message.get("subtype") == "tombstone":
            intake.take_back(str(event["channel"]), str(message["ts"]))
            return
        inbound = intake.read(message, body)
        before = intake.read({**event.get("previous_message", {}), "channel": event["channel"]}, body)
        edited_ts = message.get("edited", {}).get("ts")
        if inbound is not None and edited_ts and (before is None or before.text != inbound.text):
            intake.revise(inbound, str(edited_ts))

    @app.event({"type": "message", "subtype": "message_deleted"})
    def deleted(event: Mapping[str, Any]) -> None:
        intake.take_back(str(event["channel"]), str(event["deleted_ts"]))

    @app.event("message")
    def said(event: Mapping[str, Any], body: Mapping[str, Any]) -> None:
        inbound = intake.read(event, body)
        if inbound is not None:
            hear(intake, inbound)
