"""Buttons: a choice is an answer or a deed for one agent, Stop ends its turn, a decision is for owners alone.

The words of a choice may come from a model or from data: they are never read as a command.
"""

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from slack_bolt import Ack, App
from slack_sdk import WebClient

from ai.agents.cards import EARLIER_BUTTON
from bot.delivery import FAILURES
from bot.inbound import Inbound
from bot.listeners.intake import Intake
from bot.render.buttons import ACTION, CHOICE, DECISION, NEXT, STOP, chosen, press_from
from bot.render.text import Block

CHOICES, DECISIONS = re.compile(rf"^{CHOICE}:\d+$"), re.compile(rf"^{DECISION}:\d+$")
ACTIONS, NEXTS = re.compile(rf"^{ACTION}:(?:\d+|more)$"), re.compile(rf"^{NEXT}:\d+$")
FOR_OWNERS = "Only an owner of the bot may decide this; the settings file says who that is."
log = logging.getLogger(__name__)


def register(app: App, intake: Intake) -> None:
    def say(ack: Ack, body: Mapping[str, Any]) -> None:
        intake.take(intake.read_press(body))
        ack()

    def choose(ack: Ack, body: Mapping[str, Any]) -> None:
        take_choice(intake, intake.read_press(body))
        ack()

    def stop(ack: Ack, body: Mapping[str, Any]) -> None:
        press = intake.read_press(body)
        if intake.is_admitted(press):
            intake.queue.stop(press.text)
        ack()

    def decide(ack: Ack, body: Mapping[str, Any]) -> None:
        press = intake.read_press(body)
        if intake.access.is_owner(press.user):
            take_choice(intake, press)
        else:
            intake.tell(press, FOR_OWNERS)
        ack()

    def show_what_was_taken(body: Mapping[str, Any], client: WebClient) -> None:
        if intake.memory.question(intake.read_press(body).turn_id) is not None:
            show_the_choice(body, client)

    app.action(STOP)(stop)
    app.action(ACTIONS)(say)
    app.action(NEXTS)(choose)
    app.action(DECISIONS)(ack=decide, lazy=[show_what_was_taken])
    app.action(CHOICES)(ack=choose, lazy=[show_what_was_taken])


def take_choice(intake: Intake, press: Inbound) -> None:
    """Take a press as what its button was made for; its words are data."""
    try:
        says, deed = press_from(press.text)
    except ValueError:
        intake.tell(press, EARLIER_BUTTON)
        return
    intake.take(replace(press, text=says, deed=deed))


def show_the_choice(body: Mapping[str, Any], client: WebClient) -> None:
    """Replace the buttons by the choice. Runs after the acknowledgement: it may fail."""
    (action,) = body["actions"]
    words = (action.get("text") or {}).get("text") or "Chosen"
    blocks = chosen(body["message"]["blocks"], words, body["user"]["id"])
    redraw(client, body["container"]["channel_id"], body["message"], blocks)


def redraw(client: WebClient, channel: str, message: Mapping[str, Any], blocks: Sequence[Block]) -> None:
    metadata = {"metadata": message["metadata"]} if message.get("metadata") else {}
    try:
        client.chat_update(channel=channel, ts=message["ts"], text=message.get("text", ""), blocks=blocks, **metadata)
    except FAILURES as error:
        log.warning("could not show what was pressed: %s", type(error).__name__)
