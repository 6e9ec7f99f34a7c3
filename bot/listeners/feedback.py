"""“Correct” and “Not right” under an answer. The presser hears the result; the message shows who pressed."""

from collections.abc import Callable, Mapping
from typing import Any

from slack_bolt import Ack, App
from slack_sdk import WebClient

from ai.agents.querying.verdicts import Person
from ai.errors import SourceUnavailable, UserError
from bot.inbound import Inbound
from bot.listeners.actions import redraw
from bot.listeners.intake import Intake
from bot.render.buttons import RIGHT, WRONG, judged, pressed


def register(app: App, intake: Intake) -> None:
    def person(press: Inbound) -> Person:
        standing = intake.people.standing(press.user, press.origin)
        intake.access.require(standing, "Only people of this workspace may judge an answer.")
        workspace = intake.access.workspace_for(press.thread.channel)
        return Person(press.user, intake.access.roles_of(press.user), workspace)

    def accept(press: Inbound) -> str:
        return intake.verdicts.accept(*pressed(press.text), person(press))

    def reject(press: Inbound) -> str:
        return intake.verdicts.reject(pressed(press.text)[0], person(press))

    def judge(verdict: Callable[[Inbound], str], ack: Ack, body: Mapping[str, Any], client: WebClient) -> None:
        press = intake.read_press(body)
        try:
            sentence, blocks = verdict(press), judged(body["message"]["blocks"], verdict is accept, press.user)
        except (UserError, SourceUnavailable) as refusal:
            sentence, blocks = str(refusal), []
        ack()
        intake.tell(press, sentence)
        if blocks:
            redraw(body, client, blocks)

    @app.action(RIGHT)
    def right(ack: Ack, body: Mapping[str, Any], client: WebClient) -> None:
        judge(accept, ack, body, client)

    @app.action(WRONG)
    def wrong(ack: Ack, body: Mapping[str, Any], client: WebClient) -> None:
        judge(reject, ack, body, client)
