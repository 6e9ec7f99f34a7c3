"""Every listener, dispatched by Bolt in this process: what Slack sends, what is taken, said, called and noted."""

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from slack_bolt import BoltRequest, BoltResponse
from slack_bolt.listener import Listener

from bot.listeners import Intake
from local_slack.testing import ANA, GENERAL
from tests.cases import cases
from tests.contract.test_presses import DAY, Body, Counter, chosen, counter
from tests.intakes import TEAM

__all__ = ["counter"]
CASES = cases(Path(__file__).with_name("listeners.jsonl"))


def name_of(listener: Listener) -> str:
    """Name its module and functions: `home.at_once asked`."""
    functions = [listener.ack_function, *listener.lazy_functions]
    module = functions[0].__module__.rpartition(".")[2]
    return f"{module}.{' '.join(one.__qualname__.rpartition('.')[2] for one in functions)}"


def filled(case: Body, counter: Counter) -> Body:
    """Put in what only this answer knows."""
    answer = f"{counter.query} {DAY}"
    place = {"channel": GENERAL, "ts": counter.message["ts"], "thread_ts": counter.thread.thread_ts}
    known = {
        '"$OBJECTED"': json.dumps({"value": answer, **place}),
        "$ANSWER": answer,
        "$QUERY": str(counter.query),
        "$ROOT": counter.thread.thread_ts,
        "$TURN": counter.turn_id,
        "$TS": counter.message["ts"],
    }
    text = json.dumps(case)
    for name, value in known.items():
        text = text.replace(name, value)
    filled_in: Body = json.loads(text)
    return filled_in


@dataclass
class Listening(Counter):
    """Keeps which listener Bolt runs for what is sent, and its answer."""

    ran: str = ""
    answer: str = ""

    def sends(self, body: Body, intake: Intake | None = None) -> Body:
        asked, answer = BoltRequest(body=body, mode="socket_mode"), BoltResponse(status=404)
        self.ran = next(name_of(one) for one in self.app()._listeners if one.matches(req=asked, resp=answer))
        told = super().sends(body, intake)
        self.answer = json.dumps(told, ensure_ascii=False)
        return told


def send(counter: Counter, case: Body) -> None:
    user = case.get("user", ANA)
    match case:
        case {"press": [action, value]}:
            counter.press(action, value, user)
        case {"submit": [form, about, values]}:
            counter.submits(form, about, values, user)
        case {"menu": callback}:
            chosen(counter, callback, counter.message, user)
        case _:
            counter.sends(case["body"])


@pytest.mark.parametrize("given", CASES)
def test_a_listener_does_what_is_sent_for(counter: Counter, given: Body, caplog: pytest.LogCaptureFixture) -> None:
    case, since = filled(given, counter), len(counter.slack.calls())
    counter.queue.waiting += [counter.turn_id] if "stops" in case else []
    room = Listening(**vars(counter))
    with caplog.at_level(logging.WARNING, "bot"):
        send(room, case)
    assert room.ran == case["listener"]
    calls = counter.slack.calls(since=since)
    assert [call["method"] for call in calls] == case.get("calls", [])
    assert begin(counter.told.words, case.get("hears", []))
    questions = [counter.desk.memory.question(turn) for turn in counter.queue.waiting]
    assert [one.content if one else "" for one in questions] == case.get("takes", [""] * case.get("waits", 0))
    assert case.get("shows", "") in json.dumps(calls, ensure_ascii=False)
    assert case.get("answers", "") in room.answer
    moves = counter.desk.memory.moves.after(TEAM, GENERAL, 0)
    assert [[move.person, move.at, move.is_in] for move in moves] == case.get("moves", [])
    assert (counter.desk.memory.question(counter.turn_id) is None) is case.get("forgotten", False)
    assert begin([one.getMessage() for one in caplog.records if one.name.startswith("bot")], case.get("logs", []))


def begin(texts: Sequence[str], beginnings: Sequence[str]) -> bool:
    """Whether each text has its beginning, and there are no more."""
    return len(texts) == len(beginnings) and all(map(str.startswith, texts, beginnings))


def test_every_listener_has_a_case(counter: Counter) -> None:
    registered = {name_of(listener) for listener in counter.app()._listeners}
    assert {case.values[0]["listener"] for case in CASES} == registered
