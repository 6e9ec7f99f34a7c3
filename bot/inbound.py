"""Reads a Slack message event: who asks what, where, in which thread. Pure; knows no client and no storage.

Whether the bot is part of the thread is for the listener to look up; here it is only said what the event is.
"""

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from ai.types import ThreadKey

ANSWERED_SUBTYPES = (None, "file_share", "thread_broadcast")
MENTION = re.compile(r"<@([UW][A-Z0-9]+)(?:\|[^>]*)?>")
CHANNEL = re.compile(r"<#[CG][A-Z0-9]+\|([^>]*)>")
STOP = re.compile(r"(please )?(stop|cancel|abort)( (it|that|this|now|please))*[.!]*", re.IGNORECASE)
SLACK_TS = re.compile(r"\d+\.\d+")
EDITED = "~"
LINK = re.compile(r"<((?:https?|mailto):[^>|]+)(?:\|([^>]*))?>")


@dataclass(frozen=True, slots=True)
class Inbound:
    """One message of a person. `turn_id` is the same however often and in whatever event the message arrives."""

    turn_id: str
    thread: ThreadKey
    text: str
    user: str
    sent_at: datetime
    is_direct: bool
    is_reply: bool
    is_external: bool
    mentions: tuple[str, ...]


def read_message(event: Mapping[str, Any], team: str, bot_user: str) -> Inbound | None:
    """The message of a `message` or `app_mention` event; None when no person said something there.

    Own messages, those of other bots, edits, deletions and other notices are not messages of a person.
    """
    user = event.get("user", "")
    if event.get("bot_id") or event.get("subtype") not in ANSWERED_SUBTYPES or user in ("", bot_user, "USLACKBOT"):
        return None
    channel, ts = str(event["channel"]), str(event["ts"])
    thread_ts = str(event.get("thread_ts") or ts)
    raw = event.get("text") or ""
    return Inbound(
        turn_id=f"{team}:{channel}:{ts}",
        thread=ThreadKey(team, channel, thread_ts),
        text=clean(raw, bot_user),
        user=user,
        sent_at=datetime.fromtimestamp(float(ts), UTC),
        is_direct=event.get("channel_type") == "im",
        is_reply=thread_ts != ts,
        is_external=any(event.get(name, team) != team for name in ("team", "user_team", "source_team")),
        mentions=tuple(MENTION.findall(raw)),
    )


def read_press(body: Mapping[str, Any]) -> Inbound:
    """What somebody asks by pressing a button: its value, in the thread of the message that the button stands under."""
    place, (action,), person = body["container"], body["actions"], body["user"]
    team, channel, ts = str(body["team"]["id"]), str(place["channel_id"]), str(action["action_ts"])
    return Inbound(
        turn_id=f"{team}:{channel}:{ts}",
        thread=ThreadKey(team, channel, str(place.get("thread_ts") or place["message_ts"])),
        text=str(action["value"]),
        user=str(person["id"]),
        sent_at=datetime.fromtimestamp(float(ts), UTC),
        is_direct=channel.startswith("D"),
        is_reply=True,
        is_external=person.get("team_id", team) != team,
        mentions=(),
    )


def is_stop(text: str) -> bool:
    """Whether a message says no more than that the bot should stop."""
    return STOP.fullmatch(text) is not None


def clean(text: str, bot_user: str) -> str:
    """The words of a message: the bot's mention removed, links and channels by their names, entities decoded."""
    words = MENTION.sub(lambda found: "" if found[1] == bot_user else found[0], text)
    words = CHANNEL.sub(r"#\1", words)
    words = LINK.sub(lambda found: found[2] or found[1], words)
    return html.unescape(" ".join(words.split()))


def revised(turn_id: str, edited_ts: str) -> str:
    """The turn that answers a question anew after it was edited."""
    return f"{turn_id}{EDITED}{edited_ts}"


def question_of(turn: str) -> str:
    """The question that a turn answers, as the memory knows it."""
    return turn.partition(EDITED)[0]


def said_at(turn: str) -> float:
    """When a person said what the turn answers, in Slack's time; 0 where the name holds none."""
    ts = re.split(rf"[:{EDITED}]", turn)[-1]
    return float(ts) if SLACK_TS.fullmatch(ts) else 0.0
