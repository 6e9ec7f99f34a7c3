"""Read Slack message events: author, place, thread, clean text. Name turns.

A question is `team:channel:ts`, its edited wording `team:channel:ts~edited_ts`, its retraction
`team:channel:ts~-shown_ts`.
"""

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from ai.types import Deed, ThreadKey
from bot.people import AuthorOrigin

ANSWERED_SUBTYPES = (None, "file_share", "thread_broadcast")
MENTION = re.compile(r"<@([UW][A-Z0-9]+)(?:\|[^>]*)?>")
CHANNEL = re.compile(r"<#[CG][A-Z0-9]+(?:\|([^>]*))?>")
GROUP = re.compile(r"<!subteam\^[A-Z0-9]+(?:\|([^>]*))?>")
DATE = re.compile(r"<!date\^[^|>]*\|([^>]*)>")
BROADCAST = re.compile(r"<!(?:here|channel|everyone)(?:\|[^>]*)?>")
STOP = re.compile(r"(please )?(stop|cancel|abort)( (it|that|this|now|please))*[.!]*", re.IGNORECASE)
SLACK_TS = re.compile(r"\d+\.\d+")
EDITED = "~"
TAKEN_AWAY = f"{EDITED}-"  # no wording: its turn takes the answer away
LINK = re.compile(r"<((?:https?|mailto):[^>|]+)(?:\|([^>]*))?>")


class NewTurn(NamedTuple):
    """A question for the queue; quick where it asks no database."""

    turn_id: str
    thread: ThreadKey
    person: str = ""
    is_quick: bool = False


@dataclass(frozen=True, slots=True)
class Inbound:
    """One message of a person. Every delivery of it has the same `turn_id`."""

    turn_id: str
    thread: ThreadKey
    text: str
    user: str
    sent_at: datetime
    is_direct: bool
    is_reply: bool
    origin: AuthorOrigin
    mentions: tuple[str, ...]
    deed: Deed | None = None


def read_message(message: Mapping[str, Any], body: Mapping[str, Any], team: str, bot_user: str) -> Inbound | None:
    """Return the message of an event with the wrapper `body`, None unless a person said something.

    `team` is the app's own: in shared channels the event may name another.
    """
    user = message.get("user") or ""
    is_of_app = message.get("bot_id") or message.get("subtype") not in ANSWERED_SUBTYPES
    if is_of_app or user in ("", bot_user, "USLACKBOT"):
        return None
    channel, ts = str(message["channel"]), str(message["ts"])
    thread_ts = str(message.get("thread_ts") or ts)
    raw = message.get("text") or ""
    return Inbound(
        turn_id=f"{team}:{channel}:{ts}",
        thread=ThreadKey(team, channel, thread_ts),
        text=clean(raw, bot_user),
        user=user,
        sent_at=datetime.fromtimestamp(float(ts), UTC),
        is_direct=message.get("channel_type") == "im",
        is_reply=thread_ts != ts,
        origin=AuthorOrigin.of_message(message, body),
        mentions=tuple(MENTION.findall(raw)),
    )


def said_in(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the message that an event is about: itself, or the one edited or deleted."""
    return event.get("message") or event.get("previous_message") or event


def read_press(body: Mapping[str, Any], team: str) -> Inbound:
    """Return a press as a message: the value of the button or of the chosen option, in its thread."""
    place, (action,), person = body["container"], body["actions"], body["user"]
    channel, ts = str(place["channel_id"]), str(action["action_ts"])
    return Inbound(
        turn_id=f"{team}:{channel}:{ts}",
        thread=ThreadKey(team, channel, str(place.get("thread_ts") or place["message_ts"])),
        text=str(action.get("value") or (action.get("selected_option") or {}).get("value") or ""),
        user=str(person["id"]),
        sent_at=datetime.fromtimestamp(float(ts), UTC),
        is_direct=channel.startswith("D"),
        is_reply=True,
        origin=AuthorOrigin.of_press(body),
        mentions=(),
    )


def read_submission(body: Mapping[str, Any], team: str, channel: str, thread_ts: str) -> Inbound:
    """Return a sent modal as a message without words, in the thread it was opened from."""
    return Inbound(
        turn_id=f"{team}:{channel}:{body['view']['id']}",
        thread=ThreadKey(team, channel, thread_ts),
        text="",
        user=str(body["user"]["id"]),
        sent_at=datetime.now(UTC),
        is_direct=channel.startswith("D"),
        is_reply=True,
        origin=AuthorOrigin.of_press(body),
        mentions=(),
    )


def is_stop(text: str) -> bool:
    """Whether a message only asks the bot to stop."""
    return STOP.fullmatch(text) is not None


def clean(text: str, bot_user: str) -> str:
    """Return the words of a message: the bot's mention removed, everything else by its name."""
    words = MENTION.sub(lambda found: "" if found[1] == bot_user else found[0], text)
    words = CHANNEL.sub(lambda found: f"#{found[1]}" if found[1] else "that channel", words)
    words = GROUP.sub(lambda found: f"@{found[1].lstrip('@')}" if found[1] else "that group", words)
    words = DATE.sub(r"\1", words)
    words = BROADCAST.sub("", words)
    words = LINK.sub(lambda found: found[2] or found[1], words)
    return html.unescape(" ".join(words.split()))


def revised(turn_id: str, edited_ts: str) -> str:
    return f"{turn_id}{EDITED}{edited_ts}"


def retraction(turn_id: str, shown_ts: str) -> str:
    """Name the turn that takes an answer away."""
    return f"{turn_id}{TAKEN_AWAY}{shown_ts}"


def is_retraction(turn: str) -> bool:
    return TAKEN_AWAY in turn


def question_of(turn: str) -> str:
    """Return the question of a turn, as the memory knows it."""
    return turn.partition(EDITED)[0]


def said_at(turn: str) -> float:
    """Return the Slack time of a turn's wording, 0 if its name holds none."""
    ts = re.split(rf"[:{EDITED}]", turn)[-1]
    return float(ts) if SLACK_TS.fullmatch(ts) else 0.0
