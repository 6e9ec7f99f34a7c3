"""`/data QUESTION`: the question is shown in the channel and answered in the thread under it."""

from collections.abc import Mapping
from typing import Any

from slack_bolt import Ack, App
from slack_sdk import WebClient

from ai.errors import NotAllowed, SourceUnavailable
from bot.inbound import Inbound, clean, is_stop
from bot.listeners.asking import ask, words_of
from bot.listeners.intake import NOTHING_RUNS, Intake
from bot.render.text import escape

COMMAND = "/data"
USAGE = "Write the question behind the command, for example:\n{}"
HELP = ("", "help", "?")


def register(app: App, intake: Intake) -> None:
    @app.command(COMMAND)
    def asked(ack: Ack, body: Mapping[str, Any], client: WebClient) -> None:
        text = clean(str(body.get("text") or ""), intake.bot_user)
        inbound = words_of(intake, str(body["user_id"]), str(body["channel_id"]), text)
        if text.lower() in HELP:
            told = usage(intake, inbound)
        else:
            told = NOTHING_RUNS if is_stop(text) else ask(intake, client, inbound)
        if told:
            ack(intake.people.texts_for(inbound.user)(told))
        else:
            ack()


def usage(intake: Intake, inbound: Inbound) -> str:
    """Return how to ask, with questions that work here, or why nobody may."""
    try:
        intake.access.admit(inbound.thread.channel, intake.people.standing(inbound.user, inbound.origin))
        examples = intake.overview.examples(intake.request(inbound))
    except (NotAllowed, SourceUnavailable) as refusal:
        return str(refusal)
    return USAGE.format("\n".join(f"• `{COMMAND} {escape(example)}`" for example in examples))
