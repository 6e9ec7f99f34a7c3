"""👍 and 👎 under an answer. The presser hears the result; the message names the presser.

👎 opens a modal with reasons; its verdict can be taken back.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from slack_bolt import Ack, App
from slack_sdk import WebClient

from ai.agents.querying.objections import REASONS
from ai.errors import SourceUnavailable, UserError
from ai.types import ThreadKey
from bot.delivery import FAILURES, seen
from bot.inbound import Inbound, read_submission
from bot.listeners.actions import redraw
from bot.listeners.earlier import known_form, known_press
from bot.listeners.intake import Intake
from bot.render.feedback import (
    RIGHT,
    THUMBS,
    UNDO,
    WRONG,
    Judged,
    accepted,
    names_answer,
    pressed,
    rejected,
    reopened,
    says_right,
)
from bot.render.objection_view import OBJECTION, Objected, objected, objection_view
from bot.render.text import Block
from bot.render.translated import in_words, translated

T = TypeVar("T")
Said = tuple[str, Callable[[Sequence[Block]], list[Block]]]
NOT_OPENED = "Slack did not open the form; press 👎 once more, or write “not right” in this thread."


def register(app: App, intake: Intake) -> None:
    def judge(ack: Ack, body: Mapping[str, Any], client: WebClient) -> None:
        press = known_press(intake, ack, body, names_answer)
        if press is not None and says_right(press.text):
            _judge_by_press(intake, body, client, ack, _accept)
        elif press is not None:
            _ask_why(intake, press, body, client)
            ack()

    for action in (THUMBS, RIGHT, WRONG):
        app.action(action)(judge)

    @app.view(OBJECTION)
    def sent(ack: Ack, body: Mapping[str, Any], client: WebClient) -> None:
        found = known_form(ack, body, objected)
        if found is None:
            return
        message, reason = found
        inbound = read_submission(body, intake.team, message.channel, message.thread_ts)
        told = _judged(intake, inbound, lambda: _reject(intake, inbound, pressed(message.value), reason))
        ack()
        thread = ThreadKey(intake.team, message.channel, message.thread_ts)
        shown = seen(client, thread, message.ts) if told else None
        if told and shown:
            texts = intake.people.texts_for(inbound.user)
            redraw(client, message.channel, shown, translated(told(shown["blocks"]), texts))

    @app.action(UNDO)
    def undo(ack: Ack, body: Mapping[str, Any], client: WebClient) -> None:
        _judge_by_press(intake, body, client, ack, _take_back)


def _ask_why(intake: Intake, press: Inbound, body: Mapping[str, Any], client: WebClient) -> None:
    """Open the form with the reasons, for whoever may object."""
    if _unless_refused(intake, press, lambda: intake.judge(press)) is None:
        return
    message = Objected(press.text, press.thread.channel, body["message"]["ts"], press.thread.thread_ts)
    view = in_words(objection_view(message, REASONS), intake.people.texts_for(press.user))
    try:
        client.views_open(trigger_id=body.get("trigger_id", ""), view=view)
    except FAILURES:
        intake.tell(press, NOT_OPENED)


def _judge_by_press(
    intake: Intake, body: Mapping[str, Any], client: WebClient, ack: Ack, judge: Callable[[Intake, Inbound], Said]
) -> None:
    """Take a verdict that is one press, and redraw the message after the acknowledgement."""
    press = known_press(intake, ack, body, names_answer)
    if press is None:
        return
    told = _judged(intake, press, lambda: judge(intake, press))
    ack()
    if told:
        blocks = translated(told(body["message"]["blocks"]), intake.people.texts_for(press.user))
        redraw(client, press.thread.channel, body["message"], blocks)


def _judged(
    intake: Intake, press: Inbound, judge: Callable[[], Said]
) -> Callable[[Sequence[Block]], list[Block]] | None:
    """Tell the person what came of a verdict; return how the message looks then, None after a refusal."""
    found = _unless_refused(intake, press, judge)
    if found is None:
        return None
    sentence, shown = found
    intake.tell(press, sentence)
    return shown


def _unless_refused(intake: Intake, press: Inbound, work: Callable[[], T]) -> T | None:
    """Return what `work` gives; None after the person was told why it is refused."""
    try:
        return work()
    except (UserError, SourceUnavailable) as refusal:
        intake.tell(press, str(refusal))
        return None


def _accept(intake: Intake, press: Inbound) -> Said:
    answer = pressed(press.text)
    found = intake.verdicts.accept(answer.query_id, answer.day, intake.judge(press))
    return found.said, lambda blocks: accepted(blocks, answer, press.user, is_for_all=found.is_for_all)


def _reject(intake: Intake, inbound: Inbound, answer: Judged, reason: str) -> Said:
    said = intake.verdicts.reject(answer.query_id, answer.day, intake.judge(inbound), reason)
    return said, lambda blocks: rejected(blocks, answer, inbound.user, REASONS.get(reason, REASONS["other"]))


def _take_back(intake: Intake, press: Inbound) -> Said:
    answer = pressed(press.text)
    said = intake.verdicts.take_back(answer.query_id, intake.judge(press))
    return said, lambda blocks: reopened(blocks, answer)
