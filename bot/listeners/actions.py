"""Buttons under the bot's messages: an answer asks what it stands for, Stop ends the turn that it stands under."""

import logging
import re
from collections.abc import Mapping
from typing import Any

from slack_bolt import Ack, App
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.inbound import read_press
from bot.listeners.desk import Desk
from bot.render.choices import CHOICE, STOP, chosen

CHOICES = re.compile(rf"^{CHOICE}:\d+$")
log = logging.getLogger(__name__)


def register(app: App, desk: Desk) -> None:
    """Take every choice as a question, and every Stop as what it is."""

    def take(ack: Ack, body: Mapping[str, Any], client: WebClient) -> None:
        desk.take(read_press(body), client)
        ack()

    def stop(ack: Ack, body: Mapping[str, Any]) -> None:
        desk.queue.stop(read_press(body).text)
        ack()

    app.action(STOP)(stop)
    app.action(CHOICES)(ack=take, lazy=[show_the_choice])


def show_the_choice(body: Mapping[str, Any], client: WebClient) -> None:
    """Let the message say what was chosen, so that nobody presses twice. Done after the acknowledgement: it may fail."""
    message, (action,) = body["message"], body["actions"]
    blocks = chosen(message["blocks"], action["text"]["text"], body["user"]["id"])
    metadata = {"metadata": message["metadata"]} if message.get("metadata") else {}
    try:
        client.chat_update(
            channel=body["container"]["channel_id"], ts=message["ts"], text=message["text"], blocks=blocks, **metadata
        )
    except SlackApiError as error:
        log.warning("could not show what was chosen: %s", error.response.get("error"))
