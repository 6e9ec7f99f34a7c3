"""The names of turns in the queue: a question is `team:channel:ts`, its edited wording `team:channel:ts~edited_ts`.

The memory and the message in Slack know a question by the first alone, however often it is edited: its answer is one.
"""

import re

SLACK_TS = re.compile(r"\d+\.\d+")
EDITED = "~"


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
