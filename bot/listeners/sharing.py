"""“Share in channel” under a private answer: the question is answered again where it was asked, for all to read."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from slack_bolt import Ack, App
from slack_sdk import WebClient

from ai.errors import NotAllowed, SourceUnavailable, UserError
from ai.memory_store import AccessEntry
from ai.types import AnsweredQuery, LoggedMessage
from bot.inbound import Inbound
from bot.listeners.actions import redraw
from bot.listeners.earlier import known_press
from bot.listeners.intake import Intake
from bot.render.private_view import SHARE, share_pressed, shared

GONE = "That question is no longer kept; ask it again in its channel."
NOT_YOURS = "Only who asked, as an owner of the bot or in a role that may share there, can share this answer."


def register(app: App, intake: Intake) -> None:
    def pressed(ack: Ack, body: Mapping[str, Any], client: WebClient) -> None:
        press = known_press(intake, ack, body, share_pressed)
        if press is None or (named := share_pressed(press.text)) is None:
            return
        try:
            share(intake, press, *named)
        except (UserError, SourceUnavailable) as refusal:
            intake.tell(press, str(refusal))
            ack()
            return
        ack()
        redraw(client, press.thread.channel, body["message"], shared(body["message"]["blocks"], press.user))

    app.action(SHARE)(pressed)


def share(intake: Intake, press: Inbound, hidden: int, turn_id: str) -> None:
    """Log the decision and answer again. Raises NotAllowed; more people than were named are asked about again."""
    question = intake.memory.question(turn_id)
    if question is None:
        raise NotAllowed(GONE)
    _check(intake, press, question)
    queries = [query for query in intake.memory.turn_queries(turn_id) if isinstance(query, AnsweredQuery)]
    roles = intake.access.roles_of(press.user)
    for query in queries:
        intake.overview.context.audience.check_rows(query, roles)
    intake.memory.access.add(
        AccessEntry(
            at=datetime.now(UTC),
            thread=question.thread,
            turn_id=turn_id,
            person=press.user,
            outcome="shared",
            surface="button",
            source=queries[-1].source if queries else intake.access.source_for(question.thread.channel),
            right="owner" if intake.access.is_owner(press.user) else ", ".join(roles),
            hidden_from=hidden,
        )
    )
    edited_ts = press.turn_id.rpartition(":")[2]
    intake.queue.revise(turn_id, edited_ts, question.thread, press.user)


def _check(intake: Intake, press: Inbound, question: LoggedMessage) -> None:
    """Raise NotAllowed unless the presser asked, is still in the channel, and may share there."""
    channel = question.thread.channel
    intake.access.admit(channel, intake.people.standing(press.user, press.origin))
    is_asker = press.user == question.author and intake.is_member(channel, press.user)
    if not (is_asker and intake.access.may_share(press.user, channel)):
        raise NotAllowed(NOT_YOURS)
