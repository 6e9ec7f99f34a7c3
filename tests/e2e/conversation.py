"""A person talking to the bot in a thread of the local Slack, one message after the other."""

from dataclasses import dataclass, field
from typing import Any

from local_slack.testing import ANA, GENERAL, MENTION, SlackServer
from tests.wait import until

Json = dict[str, Any]
ACTIONS, NEXT = "actions", "next"  # the ids of the rows of what can be done with an answer, and asked next


@dataclass
class Conversation:
    """`ask` starts the thread with a mention and goes on in it without one, as people do."""

    slack: SlackServer
    channel: str = GENERAL
    user: str = ANA
    root: str = ""
    direct: bool = False
    _asked: int = field(default=0)

    def ask(self, text: str, ts: str | None = None) -> Json:
        """Say it and wait for the whole answer: the bot's message when it no longer is a status."""
        self.say(text, ts)
        return until(lambda: self.answers()[self._asked - 1 :], 60, f"an answer to {text!r}")[0]

    def say(self, text: str, ts: str | None = None) -> str:
        """Say it without waiting; the message's ts."""
        first = not self.root
        words = f"{MENTION} {text}" if first and not self.direct else text
        said = self.slack.say(self.user, self.channel, words, thread_ts=None if first else self.root, ts=ts)
        self.root = self.root or said
        self._asked += 1
        return said

    def press(self, message: Json, label: str) -> Json:
        """Press a button of the bot's message and wait for the whole answer."""
        place = {"channel": self.channel, "ts": message["ts"]}
        self.slack.act("action", self.user, message=place, action=button(message, label))
        self._asked += 1
        return until(lambda: self.answers()[self._asked - 1 :], 60, f"an answer to {label!r}")[0]

    def answers(self) -> list[Json]:
        """The bot's messages in this thread that are whole answers; files without words are none."""
        return [reply for reply in self.replies() if reply["text"] and not is_status(reply)]

    def replies(self) -> list[Json]:
        """All messages of the bot in this thread."""
        return self.slack.replies(self.channel, self.root)


def answer_to(slack: SlackServer, channel: str, thread_ts: str, count: int = 1, timeout: float = 60) -> Json:
    """The bot's `count`-th message in a thread that is no status."""

    def said() -> list[Json]:
        return [reply for reply in slack.replies(channel, thread_ts) if not is_status(reply)][count - 1 :]

    return until(said, timeout, f"{count} answers in {channel} {thread_ts}")[0]


def is_status(message: Json) -> bool:
    """Return whether a message only says what the bot is doing: in a plan, or in a line of context as 0.1 did."""
    kinds = [block["type"] for block in message.get("blocks", ())]
    return kinds in (["plan", "actions"], ["context", "actions"]) and _can_be_stopped(message)


def _can_be_stopped(message: Json) -> bool:
    return any(element.get("action_id") == "stop" for _, element in _buttons(message))


def labels(message: Json) -> list[str]:
    """What stands on the buttons of a message, without those of what can be done with any answer."""
    shown = [element for block, element in _buttons(message) if block["block_id"] not in (ACTIONS, NEXT)]
    return [one["text"]["text"] for element in shown for one in _pair(element) or [element]]


def next_questions(message: Json) -> list[str]:
    """The questions that an answer leads to."""
    return [element["text"]["text"] for block, element in _buttons(message) if block["block_id"] == NEXT]


def actions(message: Json) -> list[str]:
    """What can be done with an answer by one press, the folded ones last."""
    row = [element for block, element in _buttons(message) if block["block_id"] == ACTIONS]
    shown = [element["text"]["text"] for element in row if element["type"] == "button"]
    return shown + [option["text"]["text"] for element in row for option in element.get("options", ())]


def button(message: Json, label: str) -> Json:
    """The button with this label, as a press names it."""
    (found,) = [place for block, element in _buttons(message) for place in _places(block, element, label)]
    return found


def _places(block: Json, element: Json, label: str) -> list[Json]:
    """How a press of this label is named, where the element has it."""
    place = {"block_id": block["block_id"], "action_id": element["action_id"]}
    if pair := _pair(element):
        return [{**place, "value": one["value"]} for one in pair if one["text"]["text"] == label]
    if element["type"] == "button":
        return [place] if element["text"]["text"] == label else []
    return [{**place, "selected_option": one} for one in element["options"] if one["text"]["text"] == label]


def _pair(element: Json) -> list[Json]:
    """The two thumbs of Slack's feedback buttons."""
    names = ("positive_button", "negative_button")
    return [element[name] for name in names] if element["type"] == "feedback_buttons" else []


def _buttons(message: Json) -> list[tuple[Json, Json]]:
    rows = [block for block in message["blocks"] if block["type"] in ("actions", "context_actions")]
    return [(block, element) for block in rows for element in block["elements"]]


def code(message: Json) -> str:
    """The text of a message's code block."""
    (block,) = [
        element
        for block in message["blocks"]
        if block["type"] == "rich_text"
        for element in block["elements"]
        if element["type"] == "rich_text_preformatted"
    ]
    return "".join(element["text"] for element in block["elements"])


def table(message: Json) -> list[list[str]]:
    """The cells of a message's table, the header first."""
    (block,) = [block for block in message["blocks"] if block["type"] in ("table", "data_table")]
    return [[cell["text"] for cell in row] for row in block["rows"]]
