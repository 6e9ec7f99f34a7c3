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
    return inbound.is_direct or (is_in_our_thread(intake, inbound) and _speaks_to_us(intake, inbound))


def is_in_our_thread(intake: Intake, inbound: Inbound) -> bool:
    return inbound.is_reply and intake.is_engaged(inbound.thread)


def _speaks_to_us(intake: Intake, inbound: Inbound) -> bool:
    if is_stop(inbound.text):
        return intake.bot_user not in inbound.mentions  # as a mention it comes once more
    return intake.bot_user in inbound.mentions or (not inbound.mentions and intake.is_meant(inbound))


def hear(intake: Intake, inbound: Inbound) -> None:
    """Take a message without a mention, or remember it as talk among people."""
    if inbound.is_direct:
        intake.take(inbound)
    elif is_in_our_thread(intake, inbound):
        if _speaks_to_us(intake, inbound):
            intake.take(inbound)
        elif intake.bot_user not in inbound.mentions:
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
