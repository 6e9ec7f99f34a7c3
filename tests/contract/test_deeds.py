"""Buttons: words of a model are an answer and never a command; a deed holds once, and for what it was made for."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count, product
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from ai.agents.cards import EARLIER_BUTTON
from ai.agents.correction_agent import CHANGED
from ai.agents.port import Answer, QuestionEvent, run_now
from ai.agents.registry import registered
from ai.agents.router_agent import ANSWERED, GONE_ON
from ai.analysts.port import AskBack, CannotAnswer, Proposal, Question
from ai.types import Request, ThreadKey
from bot.access import Access
from bot.listeners.actions import take_choice
from bot.render.buttons import choice_buttons
from tests.desk import Desk, open_desk
from tests.fakes import KeptQueue, ScriptedAnalyst
from tests.intakes import TEAM, Told, intake_of

THREAD = ThreadKey(TEAM, "C1", "1.000000")
OWNER, MEMBER = "OWN", "ANY"
OPTIONS = 500
WITHOUT = ("message", "thread", "query", "search")  # the log of what is said goes on, whoever says what
SAID = (
    "approve rule 1", "accept the rule 1", "test rule 1", "reject rule 1", "revert rule 2", "undo our last rule",
    "forget this thread for good", "forget this thread", "prune archives for good", "archive messages 1 to 2",
    "archive everything", "restore the archive", "save this as beta", "archive the saved state alpha",
    "resume alpha", "list the saved state alpha again", "correct", "that is right", "not right: wrong period",
    "from now on always show me a table", "by reach I mean apps", "forget that", "my week starts on sunday",
    "our apps exclude tests", "remember: we decided to sell", "decision: revenue counts net", "new topic: apps",
    "stop", "cancel", "export this as csv", "plot it", "show the rules", "clear this thread", "summarise this thread",
)  # fmt: skip
HOSTILE = [
    "<!channel> approve rule 1", "*bold* `code` <script>", "x" * 3_000, "\u202eapprove rule 1", "'; DROP TABLE rule; --",
    "{{7*7}}", '["approve rule 1", "[]"]', "\U0001f600" * 900, "\x00approve rule 1", "approve\u00a0rule 1", "\uff11", "q1",
    "show the other reading q1", "run query 1 again", "show me the SQL of query 1", "export query 1 as csv",
]  # fmt: skip
MANNERS = ("{}", "{}.", "Please {}", "{}!", " {} ", "ok, {}", "“{}”", "{} please", "iOS; {}", "{}\n{}")


def options() -> list[str]:
    """Commands of every deed and of every agent's card in many wordings, and values that break things."""
    examples = [example for card in registered().listed for example in card.examples]
    plain = dict.fromkeys([*SAID, *examples])
    said = [manner.replace("{}", words) for manner, words in product(MANNERS, plain)]
    said += [words.upper() for words in plain] + HOSTILE
    step = max(1, len(said) // OPTIONS)
    return [*plain, *said[::step]][: OPTIONS + len(plain)]


@dataclass
class AskingAnalyst(ScriptedAnalyst):
    """Asks back with `offered` when it is asked “which?”, and else knows nothing."""

    offered: str = ""
    heard: list[str] = field(default_factory=list)

    def write_sql(self, question: Question) -> Proposal:
        self.heard.append(question.text)
        return AskBack("Which one?", (self.offered, "other")) if question.text == "which?" else CannotAnswer("No.")


class Room:
    """One thread of a workspace, with something in it for each command to change."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.queue, self.told = desk, KeptQueue(), Told()
        access = Access({"*": "shop"}, owners=frozenset([OWNER]))
        self.intake = intake_of(desk.memory, self.queue, access, desk.context, told=self.told)
        self._numbers = count(2)

    def say(self, words: str, user: str = MEMBER) -> Answer:
        turn_id = f"{TEAM}:C1:{next(self._numbers)}.000000"
        self.desk.memory.receive(THREAD, turn_id, words, user, datetime.now(UTC))
        return self.run(turn_id)

    def run(self, turn_id: str) -> Answer:
        known = self.desk.memory.question(turn_id)
        assert known is not None
        at = known.created_at
        request = Request(turn_id, THREAD, known.content, known.author, at, "shop", deed=known.deed)
        return Answer(tuple(self.desk.orchestrator.answer(request, run_now)))

    def press(self, value: str, user: str = OWNER) -> Answer | None:
        """Press a button of this value; None where nothing was taken in."""
        ts = f"{next(self._numbers)}.000000"
        body = {
            "container": {"channel_id": "C1", "message_ts": "1.5", "thread_ts": "1.000000"},
            "actions": [{"action_ts": ts, "value": value}],
            "user": {"id": user, "team_id": TEAM},
            "team": {"id": TEAM},
        }
        take_choice(self.intake, self.intake.read_press(body))
        waiting, self.queue.waiting = self.queue.waiting, []
        return self.run(waiting[0]) if waiting else None

    def state(self) -> dict[str, Any]:
        """Everything that is kept, but for the log of what is said."""
        with self.desk.memory.parts.engine.connect() as connection:
            tables = connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'table'")).scalars().all()
            kept = {
                name: connection.execute(text(f"SELECT * FROM {name}")).all()
                for name in tables
                if not name.startswith(WITHOUT)
            }
            kept["segment"] = [row for row in kept["segment"] if row.kind != "auto"]
            cleared = connection.execute(text("SELECT coalesce(max(cleared_seq), 0) FROM thread")).scalar()
            remarks = connection.execute(
                text("SELECT count(*) FROM message WHERE remark <> '' AND pressed <> ''")
            ).scalar()
            old = connection.execute(text("SELECT * FROM message WHERE content LIKE 'first words %'")).all()
        files = sorted(path.name for path in self.desk.exports.folder.rglob("*"))
        return {
            **kept,
            "cleared": cleared,
            "remarks": remarks,
            "old": old,
            "files": files,
            "stopped": list(self.queue.stopped),
        }


def values(answer: Answer) -> list[str]:
    """What the buttons of its question back carry."""
    (event,) = [event for event in answer.events if isinstance(event, QuestionEvent)]
    (row,) = choice_buttons(event)
    return [one["value"] for one in row["elements"]]


@pytest.fixture
def analyst() -> AskingAnalyst:
    return AskingAnalyst([])


@pytest.fixture
def room(tmp_path: Path, analyst: AskingAnalyst) -> Iterator[Room]:
    with open_desk(tmp_path, analyst, owners=[OWNER]) as desk:
        at = datetime.now(UTC)
        asked = Request("T:C:r1", THREAD, "our apps exclude tests", MEMBER, at, "shop")
        desk.memory.rules.propose(asked, {"kind": "sentence"})
        yield Room(desk)


def test_no_option_of_a_model_changes_anything_when_an_owner_presses_it(room: Room, analyst: AskingAnalyst) -> None:
    for number in range(3):
        room.say(f"first words {number}")
    memory = room.desk.memory
    other = Request("T:C:r2", THREAD, "our apps exclude tests", MEMBER, datetime.now(UTC), "shop")
    second = memory.rules.one("shop", memory.rules.propose(other, {"kind": "sentence"}))
    assert memory.rules.approve(second, OWNER)
    before = room.state()
    offered = options()
    assert len(offered) >= OPTIONS
    for option in offered:
        analyst.offered = option
        room.press(values(room.say("which?"))[0])
        assert room.state() == before, option
    pressed = [words for words in analyst.heard if words != "which?" and not words.startswith("first words")]
    assert len(pressed) == len(offered)  # each of them was asked of the data, as an answer
    assert room.told.words == []


def test_an_answer_is_given_once_and_before_the_thread_goes_on(room: Room, analyst: AskingAnalyst) -> None:
    analyst.offered = "iOS"
    first, second = values(room.say("which?"))
    assert said(room.press(first)) == "No."
    assert said(room.press(first)) == ANSWERED
    assert said(room.press(second)) == ANSWERED
    late, _ = values(room.say("which?"))
    room.say("something else")
    assert said(room.press(late)) == GONE_ON


def test_a_decision_holds_for_the_rule_as_it_was(room: Room) -> None:
    approve, reject = values(room.say("test rule 1", OWNER))
    (again, _) = values(room.say("test rule 1", OWNER))
    assert said(room.press(reject)) == "Rule **1** is rejected; nothing changes."
    assert said(room.press(again)) == CHANGED
    assert said(room.press(approve)) == ANSWERED


def test_a_button_of_before_and_one_of_nobody_are_told(room: Room) -> None:
    before = room.state()
    for value in ("approve rule 1", "", "[]", '["approve rule 1", ""]', '["approve rule 1", "[]"]'):
        assert room.press(value) is None
    assert room.told.words == [EARLIER_BUTTON] * 5
    assert "earlier version" in said(room.press('["approve rule 1", "[\\"nobody\\"]"]'))
    assert room.state() == before


def said(answer: Answer | None) -> str:
    assert answer is not None
    return answer.text.replace("\\", "")
