"""The app's own pages: the conversation with us opens with questions that the data answers."""

import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from slack_bolt import Ack, App
from slack_sdk import WebClient

from ai.errors import NotAllowed, SourceUnavailable
from ai.types import ThreadKey
from bot.delivery import FAILURES, error_name
from bot.inbound import Inbound
from bot.listeners.intake import Intake
from bot.people import AuthorOrigin

MOST_PROMPTS = 4
PROMPTS_TITLE = "Ask about the data, for example:"
log = logging.getLogger(__name__)


def register(app: App, intake: Intake) -> None:
    tabs: Mapping[str, Callable[[Intake, WebClient, Inbound], None]] = {"messages": offer_prompts}

    def at_once(ack: Ack) -> None:
        ack()

    def opened(event: Mapping[str, Any], client: WebClient) -> None:
        show = tabs.get(str(event.get("tab")))
        if show is None:
            return
        try:
            show(intake, client, visitor(intake, event))
        except FAILURES as error:
            log.warning("the app's page is not shown: %s", error_name(error))

    app.event("app_home_opened")(ack=at_once, lazy=[opened])


def visitor(intake: Intake, event: Mapping[str, Any]) -> Inbound:
    """Return whoever opened a page of the app, as a message without words."""
    channel, ts = str(event["channel"]), str(event["event_ts"])
    return Inbound(
        turn_id=f"{intake.team}:{channel}:{ts}",
        thread=ThreadKey(intake.team, channel, ts),
        text="",
        user=str(event["user"]),
        sent_at=datetime.now(UTC),
        is_direct=True,
        is_reply=False,
        origin=AuthorOrigin(),
        mentions=(),
    )


def offer_prompts(intake: Intake, client: WebClient, who: Inbound) -> None:
    try:
        intake.access.admit(who.thread.channel, intake.people.standing(who.user, who.origin))
        examples = intake.overview.examples(intake.request(who), MOST_PROMPTS)
    except (NotAllowed, SourceUnavailable) as refusal:
        log.info("no prompts are offered: %s", refusal)
        return
    prompts = [{"title": example, "message": example} for example in examples]
    if prompts:
        client.assistant_threads_setSuggestedPrompts(
            channel_id=who.thread.channel, title=PROMPTS_TITLE, prompts=prompts
        )
