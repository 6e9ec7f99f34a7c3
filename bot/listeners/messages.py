"""Messages of people: mentions, direct messages, replies, edits, deletions.

Slack sends a mention twice, as `app_mention` and as `message`. Changes without `edited`, or with the old words, are
link previews.
"""

import logging
from collections.abc import Callable, Mapping
from typing import Any

from slack_bolt import App

from bot.inbound import Inbound, is_for, is_stop
from bot.listeners.files import taken_with_files
from bot.listeners.intake import Intake

Body = Mapping[str, Any]
log = logging.getLogger(__name__)
Receive = Callable[[Body], None]


def is_for_us(intake: Intake, inbound: Inbound) -> bool:
    """Whether a message without a mention is meant for the bot."""
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


def take_event(intake: Intake, body: Body) -> None:
    """Take in what a message event says: a mention, a message, an edit or a deletion. Repeating it changes nothing."""
    event: Body = body["event"]
    if not is_for(body, intake.people.home.ids):
        log.warning("a message is left out, as it is for another workspace")
    elif event.get("subtype") == "message_changed":
        _change(intake, event, body)
    elif event.get("subtype") == "message_deleted":
        intake.take_back(str(event["channel"]), str(event["deleted_ts"]))
    elif (inbound := intake.read(event, body)) is not None:
        is_mention = event["type"] == "app_mention"
        if event.get("files") and (is_mention or inbound.is_direct or is_in_our_thread(intake, inbound)):
            asked = taken_with_files(intake, inbound, event)
            if asked is None:
                return
            if asked.text != inbound.text:
                intake.take(asked)
                return
        if is_mention:
            intake.take(inbound)
        else:
            hear(intake, inbound)


def _change(intake: Intake, event: Body, body: Body) -> None:
    message = {**event["message"], "channel": event["channel"]}
    if message.get("subtype") == "tombstone":
        intake.take_back(str(event["channel"]), str(message["ts"]))
        return
    inbound = intake.read(message, body)
    before = intake.read({**(event.get("previous_message") or {}), "channel": event["channel"]}, body)
    edited_ts = (message.get("edited") or {}).get("ts")
    if inbound is not None and edited_ts and (before is None or before.text != inbound.text):
        intake.revise(inbound, str(edited_ts))


def register(app: App, receive: Receive) -> None:
    @app.event("app_mention")
    def mentioned(body: Body) -> None:
        receive(body)

    @app.event("message")
    def said(body: Body) -> None:
        receive(body)
