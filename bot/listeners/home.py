"""The app's own pages: the App Home of a person, and the prompts of the conversation with us."""

import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from slack_bolt import Ack, App
from slack_sdk import WebClient

from ai.errors import NotAllowed, SourceUnavailable
from bot.access import ANYWHERE, DIRECT, FOREIGNER
from bot.delivery import FAILURES, error_name
from bot.inbound import Inbound
from bot.listeners.asking import ask, words_of
from bot.listeners.intake import Intake
from bot.render.home_view import EXAMPLE, FORGET, HomePage, home_view
from bot.render.translated import in_words

MOST_PROMPTS = 4
PROMPTS_TITLE = "Ask about the data, for example:"
FORGOTTEN = "Your questions, my answers to them and what you saved are forgotten."
NO_SOURCE = "The data cannot be reached now; ask again in a few minutes, and tell an owner if it stays so."
EXAMPLES = re.compile(rf"^{EXAMPLE}:\d+$")
log = logging.getLogger(__name__)


def register(app: App, intake: Intake) -> None:
    tabs: Mapping[str, Callable[[Intake, WebClient, Inbound], None]] = {"home": show_home, "messages": offer_prompts}

    def at_once(ack: Ack) -> None:
        ack()

    def opened(event: Mapping[str, Any], client: WebClient) -> None:
        if (show := tabs.get(str(event.get("tab")))) is not None:
            at_best(lambda: show(intake, client, words_of(intake, event["user"], event["channel"])))

    def asked(body: Mapping[str, Any], client: WebClient) -> None:
        def put() -> None:
            user = body["user"]
            channel = client.conversations_open(users=user["id"])["channel"]["id"]
            who = words_of(intake, user["id"], channel, team=user.get("team_id", ""))
            refusal = ask(intake, client, replace(who, text=str(body["actions"][0]["value"])))
            show_home(intake, client, who, refusal or "Your question and its answer are in Messages.")

        at_best(put)

    def forget(body: Mapping[str, Any], client: WebClient) -> None:
        def forgotten() -> None:
            user = body["user"]["id"]
            intake.forget(user)
            channel = client.conversations_open(users=user)["channel"]["id"]
            show_home(intake, client, words_of(intake, user, channel), FORGOTTEN)

        at_best(forgotten)

    app.event("app_home_opened")(ack=at_once, lazy=[opened])
    app.action(EXAMPLES)(ack=at_once, lazy=[asked])
    app.action(FORGET)(ack=at_once, lazy=[forget])


def at_best(show: Callable[[], None]) -> None:
    """Show what a page needs no acknowledgement for; a failure is logged."""
    try:
        show()
    except FAILURES as error:
        log.warning("the app's page is not shown: %s", error_name(error))


def offer_prompts(intake: Intake, client: WebClient, who: Inbound) -> None:
    page = home_of(intake, who, MOST_PROMPTS)
    prompts = [{"title": example, "message": example} for example in page.examples]
    if prompts:
        client.assistant_threads_setSuggestedPrompts(
            channel_id=who.thread.channel, title=intake.people.texts_for(who.user)(PROMPTS_TITLE), prompts=prompts
        )


def show_home(intake: Intake, client: WebClient, who: Inbound, note: str = "") -> None:
    page = home_of(intake, who)
    view = home_view(replace(page, note=note) if note else page)
    client.views_publish(user_id=who.user, view=in_words(view, intake.people.texts_for(who.user)))


def home_of(intake: Intake, who: Inbound, examples: int = 5) -> HomePage:
    """Return the Home of a person; whoever may not ask reads why."""
    access, overview = intake.access, intake.overview
    try:
        access.require(intake.people.standing(who.user, who.origin), FOREIGNER)
    except NotAllowed as refusal:
        return HomePage(intake.site, note=str(refusal), is_known=False)
    use = overview.use(datetime.now(UTC)) if access.is_owner(who.user) else None
    try:
        request = intake.request(who)
    except (NotAllowed, SourceUnavailable) as refusal:
        channels = [one for one in access.channels if one != ANYWHERE and not one.startswith(DIRECT)]
        return HomePage(intake.site, note="" if channels else str(refusal), channels=channels, use=use)
    page = HomePage(intake.site, questions=overview.questions(request), states=overview.states(request), use=use)
    try:
        return replace(page, examples=overview.examples(request, examples), definitions=overview.definitions(request))
    except SourceUnavailable as error:
        log.warning("%s", error)
        return replace(page, note=NO_SOURCE)
