"""The entries in a message's menu: “Explain this answer” and “Ask about this message”."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from slack_bolt import Ack, App
from slack_sdk import WebClient

from ai.types import AnsweredQuery
from bot.delivery import FAILURES, part_of, seen
from bot.inbound import Inbound, clean
from bot.listeners.asking import ask, words_of
from bot.listeners.earlier import known_form
from bot.listeners.intake import Intake
from bot.render.asked_view import ASK, QUESTION, QuestionPlace, question_sent, question_view
from bot.render.translated import in_words

EXPLAIN, ABOUT = "explain_answer", "ask_about_message"
NO_ANSWER = "That message is no answer from the data. Use this on one of my answers."
NOT_OPENED = "Slack did not open the form; choose “Ask about this message” once more, or ask in this thread."


def register(app: App, intake: Intake) -> None:
    @app.shortcut(EXPLAIN)
    def explain(ack: Ack, body: Mapping[str, Any], client: WebClient) -> None:
        inbound = _chosen(intake, body)
        if intake.is_admitted(inbound):
            query = answer_of(intake, client, inbound, body["message"])
            if query is None:
                intake.tell(inbound, NO_ANSWER)
            else:
                intake.take(replace(inbound, text=f"explain query {query.id}"))
        ack()

    @app.shortcut(ABOUT)
    def about(ack: Ack, body: Mapping[str, Any], client: WebClient) -> None:
        inbound, message = _chosen(intake, body), body["message"]
        if intake.is_admitted(inbound):
            is_ours = message.get("user") == intake.bot_user
            words = "" if is_ours else clean(str(message.get("text") or ""), intake.bot_user)
            place = QuestionPlace(inbound.thread.channel, inbound.thread.thread_ts)
            try:
                client.views_open(
                    trigger_id=body.get("trigger_id", ""),
                    view=in_words(question_view(place, words), intake.people.texts_for(inbound.user)),
                )
            except FAILURES:
                intake.tell(inbound, NOT_OPENED)
        ack()

    @app.view(ASK)
    def sent(ack: Ack, body: Mapping[str, Any], client: WebClient) -> None:
        found = known_form(ack, body, question_sent)
        if found is None:
            return
        place, question = found
        user = body["user"]
        inbound = words_of(intake, user["id"], place.channel, question, place.thread_ts, user.get("team_id", ""))
        if refusal := ask(intake, client, inbound):
            ack(response_action="errors", errors={QUESTION: intake.people.texts_for(inbound.user)(refusal)})
        else:
            ack()


def answer_of(intake: Intake, client: WebClient, inbound: Inbound, message: Mapping[str, Any]) -> AnsweredQuery | None:
    """Return the last query behind one of our messages."""
    found = message if message.get("metadata") else seen(client, inbound.thread, message["ts"])
    part = part_of(found or {})
    if part is None:
        return None
    queries = intake.memory.turn_queries(part.turn_id)
    return next((query for query in reversed(queries) if isinstance(query, AnsweredQuery)), None)


def _chosen(intake: Intake, body: Mapping[str, Any]) -> Inbound:
    message, user = body["message"], body["user"]
    thread_ts = str(message.get("thread_ts") or message["ts"])
    return words_of(intake, user["id"], body["channel"]["id"], "", thread_ts, user.get("team_id", ""))
