"""Messages as LangChain types: lines of the view, marked summaries, and any list of messages compressed."""

from collections.abc import Mapping, Sequence

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from ai.memory.log.compression import recent, summary
from ai.memory.log.segments import is_copy, is_summary
from ai.types import LoggedMessage

SUMMARY, COPY = "summary", "copy"


def as_langchain(message: LoggedMessage) -> BaseMessage:
    """A line of the view as LangChain's message. A summary speaks as the user, as seed 004 has it, but is marked, and so is a copy."""
    if is_summary(message):
        return summary_message(message.content, message.turn_id)
    kind = HumanMessage if message.role == "user" else AIMessage
    mark = {"memory": COPY, "handle": message.turn_id.partition("#")[0]} if is_copy(message) else {}
    return kind(message.content, additional_kwargs=mark)


def summary_message(text: str, handle: str | None = None) -> HumanMessage:
    """A summary line; `handle` names the segment of the log that it stands for."""
    mark = {"memory": SUMMARY} if handle is None else {"memory": SUMMARY, "handle": handle}
    return HumanMessage(text, additional_kwargs=mark)


def is_summary_message(message: BaseMessage) -> bool:
    """Whether this is a summary line of ours."""
    return message.additional_kwargs.get("memory") == SUMMARY


def compress_messages(messages: Sequence[BaseMessage], keep_recent: int, facts: Mapping[str, str]) -> list[BaseMessage]:
    """One summary line per old turn, then the turns of the last `keep_recent` messages word for word.

    Turns stay whole, and a line that is a summary already stays as it is. `facts` are figures by question.
    """
    turns = turns_of(messages)
    keep = recent([len(turn) for turn in turns], keep_recent) if keep_recent > 0 else 0
    old, kept = turns[: len(turns) - keep], turns[len(turns) - keep :]
    lines = [turn[0] if is_summary_message(turn[0]) else _line(turn, facts) for turn in old]
    return lines + [message for turn in kept for message in turn]


def turns_of(messages: Sequence[BaseMessage]) -> list[list[BaseMessage]]:
    """A turn begins with what a person says; a summary is a turn of its own."""
    turns: list[list[BaseMessage]] = []
    for message in messages:
        if not turns or isinstance(message, HumanMessage) or is_summary_message(turns[-1][-1]):
            turns.append([])
        turns[-1].append(message)
    return turns


def _line(turn: Sequence[BaseMessage], facts: Mapping[str, str]) -> BaseMessage:
    asked = str(turn[0].text) if isinstance(turn[0], HumanMessage) else ""
    told = " ".join(str(message.text) for message in turn[1 if asked else 0 :])
    return summary_message(summary(asked, told, facts.get(asked, "")))
