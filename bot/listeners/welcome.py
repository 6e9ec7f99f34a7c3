"""Joining a channel: say what can be asked there, with two questions to press."""

import logging
from collections.abc import Mapping
from typing import Any

from slack_bolt import Ack, App
from slack_sdk import WebClient

from ai.agents.port import TextEvent
from ai.errors import NotAllowed, SourceUnavailable
from bot.delivery import FAILURES, error_name
from bot.listeners.asking import words_of
from bot.listeners.intake import Intake
from bot.render.message import SlackMessage, pages

log = logging.getLogger(__name__)


def register(app: App, intake: Intake) -> None:
    def at_once(ack: Ack, event: Mapping[str, Any]) -> None:
        moved(intake, event, is_in=True)
        ack()

    def joined(event: Mapping[str, Any], client: WebClient) -> None:
        if event["user"] != intake.bot_user:
            return
        message = greeting(intake, str(event["channel"]))
        try:
            client.chat_postMessage(channel=event["channel"], unfurl_links=False, **message.full.content)
        except FAILURES as error:
            log.warning("no greeting in %s: %s", event["channel"], error_name(error))

    @app.event("member_left_channel")
    def left(event: Mapping[str, Any]) -> None:
        moved(intake, event, is_in=False)

    app.event("member_joined_channel")(ack=at_once, lazy=[joined])


def moved(intake: Intake, event: Mapping[str, Any], *, is_in: bool) -> None:
    """Note a join or a leave, so that answers know their readers."""
    at = float(event.get("event_ts") or 0)
    intake.memory.moves.add(intake.team, str(event["channel"]), str(event["user"]), at, is_in=is_in)


def greeting(intake: Intake, channel: str) -> SlackMessage:
    """Return the greeting of a channel, or why nothing can be asked there. Its examples are those of no role."""
    texts = intake.people.texts_for("")
    try:
        return pages(intake.overview.introduction(intake.request(words_of(intake, "", channel))), texts=texts)[0]
    except (NotAllowed, SourceUnavailable) as refusal:
        return pages([TextEvent(str(refusal))], texts=texts)[0]
