"""Questions without a message yet: show the question with its asker, then take it in that thread."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from time import time
from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from ai.errors import NotAllowed
from ai.types import ThreadKey
from bot.delivery import FAILURES, place_refused
from bot.inbound import Inbound
from bot.listeners.intake import Intake
from bot.people import AuthorOrigin
from bot.render.asked_view import asked

AWAY = "Slack could not show your question; please ask once more in a minute."
NOT_HERE = "{}: invite me with `/invite`, or ask me in a direct message."


def words_of(intake: Intake, user: str, channel: str, text: str = "", thread_ts: str = "", team: str = "") -> Inbound:
    """Return the words of somebody without a message; `team` is theirs, as Slack tells it."""
    ts = f"{time():.6f}"
    return Inbound(
        turn_id=f"{intake.team}:{channel}:{ts}",
        thread=ThreadKey(intake.team, channel, thread_ts or ts),
        text=text,
        user=user,
        sent_at=datetime.now(UTC),
        is_direct=channel.startswith("D"),
        is_reply=bool(thread_ts),
        origin=AuthorOrigin(frozenset(filter(None, [team]))),
        mentions=(),
    )


def ask(intake: Intake, client: WebClient, inbound: Inbound) -> str:
    """Post what somebody asks and take it in; return why not, "" if it is asked.

    Outside of a thread the posted line begins one.
    """
    try:
        intake.access.admit(inbound.thread.channel, intake.people.standing(inbound.user, inbound.origin))
        posted = _posted(client, inbound)
    except NotAllowed as refusal:
        return str(refusal)
    except SlackApiError as error:
        reason = place_refused(error)
        return NOT_HERE.format(reason) if reason else AWAY
    except FAILURES:
        return AWAY
    thread = inbound.thread if inbound.is_reply else replace(inbound.thread, thread_ts=posted)
    turn_id = f"{thread.team}:{thread.channel}:{posted}"
    intake.take(replace(inbound, turn_id=turn_id, thread=thread))
    return ""


def _posted(client: WebClient, inbound: Inbound) -> str:
    content: Mapping[str, Any] = asked(inbound.user, inbound.text)
    thread_ts = inbound.thread.thread_ts if inbound.is_reply else None
    answer = client.chat_postMessage(channel=inbound.thread.channel, thread_ts=thread_ts, unfurl_links=False, **content)
    return str(answer["ts"])
