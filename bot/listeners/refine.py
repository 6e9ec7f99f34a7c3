"""“Refine” under an answer: a modal with the answer's parts; what is sent from it is a message in the thread."""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from slack_bolt import Ack, App
from slack_sdk import WebClient

from ai.agents.port import QUESTION
from ai.agents.querying.refinements import NO_PARTS
from ai.errors import NoResult, SourceUnavailable, UserError
from bot.delivery import FAILURES
from bot.inbound import Inbound, read_submission
from bot.listeners.earlier import known_form, known_press
from bot.listeners.intake import Intake
from bot.render.buttons import REFINE
from bot.render.refine_view import REFINEMENT, Refining, chosen_parts, refine_view
from bot.render.translated import in_words

QUERY = re.compile(r"[0-9]{1,15}")
NOT_OPENED = "Slack did not open the form; press “Refine” once more, or say in the thread what to change."


def register(app: App, intake: Intake) -> None:
    @app.action(REFINE)
    def opened(ack: Ack, body: Mapping[str, Any], client: WebClient) -> None:
        if press := known_press(intake, ack, body, QUERY.fullmatch):
            _open(intake, press, body, client)
            ack()

    @app.view(REFINEMENT)
    def sent(ack: Ack, body: Mapping[str, Any]) -> None:
        found = known_form(ack, body, chosen_parts)
        if found is None:
            return
        place, picks = found
        inbound = read_submission(body, intake.team, place.channel, place.thread_ts)
        today = _today(intake, inbound.user)
        try:
            said = intake.refinements.message(place.query_id, picks, intake.person(inbound), today)
        except (UserError, SourceUnavailable) as refusal:
            ack(
                response_action="errors",
                errors={next(iter(picks)): intake.people.texts_for(inbound.user)(str(refusal))},
            )
            return
        # One press is one question, however often it is sent.
        turn_id = f"{intake.team}:{place.channel}:{place.action_ts}"
        intake.take(replace(inbound, text=said, turn_id=turn_id, deed=QUESTION))
        ack()


def _open(intake: Intake, press: Inbound, body: Mapping[str, Any], client: WebClient) -> None:
    """Open the form with the parts of an answer, or tell why not."""
    place = Refining(int(press.text), press.thread.channel, press.thread.thread_ts, body["actions"][0]["action_ts"])
    try:
        answer = intake.refinements.of(place.query_id, intake.person(press), _today(intake, press.user))
        view = refine_view(place, answer)
        if not any(block["type"] == "input" for block in view["blocks"]):
            raise NoResult(NO_PARTS)
        view = in_words(view, intake.people.texts_for(press.user))
        client.views_open(trigger_id=body.get("trigger_id", ""), view=view)
        intake.note(press, "told", "modal")
    except (UserError, SourceUnavailable) as refusal:
        intake.tell(press, str(refusal))
        intake.note(press, "refused", "modal")
    except FAILURES:
        intake.tell(press, NOT_OPENED)


def _today(intake: Intake, user: str) -> date:
    return datetime.now(ZoneInfo(intake.timezone_of(user))).date()
