"""A wastebasket on an answer deletes it, when who asked or an owner puts it there."""

import logging
from collections.abc import Mapping
from typing import Any

from slack_bolt import Ack, App
from slack_sdk import WebClient

from ai.types import ThreadKey
from bot.delivery import FAILURES, error_name, part_of, seen
from bot.inbound import Inbound, question_of
from bot.listeners.asking import words_of
from bot.listeners.intake import Intake

WASTEBASKET = "wastebasket"
LOOKED_AT = 200  # messages of a thread
NOT_YOURS = "Only who asked, or an owner of the bot, can delete this answer."
log = logging.getLogger(__name__)


def register(app: App, intake: Intake) -> None:
    def at_once(ack: Ack) -> None:
        ack()

    def thrown_away(event: Mapping[str, Any], client: WebClient) -> None:
        item = event["item"]
        if event["reaction"] != WASTEBASKET or event.get("item_user") != intake.bot_user or item["type"] != "message":
            return
        channel, ts = str(item["channel"]), str(item["ts"])
        message = seen(client, ThreadKey(intake.team, channel, ts), ts)
        if message is not None:
            thread_ts = str(message.get("thread_ts") or ts)
            delete(intake, client, words_of(intake, event["user"], channel, thread_ts=thread_ts), message)

    app.event("reaction_added")(ack=at_once, lazy=[thrown_away])


def delete(intake: Intake, client: WebClient, who: Inbound, message: Mapping[str, Any]) -> None:
    """Delete the answer of a message, a file, or the line that shows a question, with its answer."""
    channel, ts, part = who.thread.channel, str(message["ts"]), part_of(message)
    turn_id = question_of(part.turn_id) if part else f"{intake.team}:{channel}:{ts}"
    question = intake.memory.question(turn_id)
    author = _only_asker(intake, who) if question is None else question.author
    if not (intake.access.is_owner(who.user) or who.user == author):
        intake.tell(who, NOT_YOURS)
    elif part is not None and question is not None:
        intake.withdraw(question, ts)
    else:
        intake.take_back(channel, ts)
        try:
            client.chat_delete(channel=channel, ts=ts)
        except FAILURES as error:
            log.warning("a message cannot be deleted: %s", error_name(error))


def _only_asker(intake: Intake, who: Inbound) -> str:
    """Return who alone asked in a thread: a file says nothing of its question."""
    said = intake.memory.transcripts.newest(intake.conversation(who), LOOKED_AT)
    asked = {message.author for message in said if message.role == "user"}
    return asked.pop() if len(asked) == 1 else ""
