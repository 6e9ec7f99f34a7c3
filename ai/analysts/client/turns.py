"""Conversations as chat templates take them.

Mistral's and Gemma's refuse two messages of one role in a row, Gemma's any system message.
"""

from collections.abc import Sequence
from itertools import groupby

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

BETWEEN = "\n\n"


def as_turns(messages: Sequence[BaseMessage], *, system: bool) -> list[BaseMessage]:
    """Merge neighbours of one role. Without `system`, the user says the system's words."""
    said = messages if system else [HumanMessage(m.text) if isinstance(m, SystemMessage) else m for m in messages]
    turns: list[BaseMessage] = []
    for kind, group in groupby(said, key=type):
        same = list(group)
        if len(same) > 1 and kind in (HumanMessage, SystemMessage):
            turns.append(kind(BETWEEN.join(str(message.text) for message in same)))
        else:
            turns += same
    return turns
