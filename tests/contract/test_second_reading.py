"""A model beside the reader: which of the two answers, what is offered, and what is said when the model's SQL fails."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ai.agents.learning.golden import Examiner, Golden
from ai.agents.learning.golden_sets import judgement
from ai.agents.port import Answer, FeedbackEvent, NoteEvent, QuestionEvent, run_now
from ai.sql.semantics import NO_SEMANTICS, Semantics, Term
from ai.types import Request, Step, ThreadKey
from tests.cases import cases
from tests.desk import Desk, open_desk
from tests.fakes import PowerCut, RecordedSteps
from tests.memories import NOON
from tests.models import model_analyst
from tests.openai_server import Script

DESCRIBED = Semantics(terms=(Term("apple apps", "apps", "platform = 'iOS'"),))
THREAD = ThreadKey("T", "C", "1.0")
MODEL = "language model test-model"


@dataclass
class Talk:
    """A thread at a desk whose model follows a script."""

    desk: Desk
    turn: int = 0
    thread: ThreadKey = THREAD

    def ask(self, text: str, step: Step = run_now, *, again: bool = False) -> Answer:
        self.turn += not again
        thread = self.thread
        self.desk.memory.receive(thread, f"T/{self.turn}", text, "U1", NOON)
        request = Request(f"T/{self.turn}", thread, text, "U1", NOON, "shop")
        return Answer(tuple(self.desk.orchestrator.answer(request, step)))


@contextmanager
def open_talk(folder: Path, sql: str | dict[str, Any], semantics: Semantics = DESCRIBED) -> Iterator[Talk]:
    data = sql if isinstance(sql, dict) else {"kind": "sql", "sql": sql, "text": "as asked", "expects": "rows"}
    with (
        model_analyst(folder, Script([{"reply": {"data": data}}])) as (analyst, _),
        open_desk(folder, analyst, semantics={"shop": semantics}) as desk,
    ):
        yield Talk(desk)


def note(answer: Answer) -> NoteEvent:
    (found,) = [event for event in answer.events if isinstance(event, NoteEvent)]
    return found


def offers(answer: Answer) -> tuple[str, ...]:
    return tuple(text for event in answer.events if isinstance(event, QuestionEvent) for text in event.asks)


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("second_readings.jsonl")))
def test_who_answers(tmp_path: Path, case: dict[str, Any]) -> None:
    with open_talk(tmp_path, case["model"], DESCRIBED if case["described"] else NO_SEMANTICS) as talk:
        answer = talk.ask(case["question"])
    assert [words for words in case["says"] if words not in answer.text] == []
    assert [event.analyst for event in answer.events if isinstance(event, NoteEvent)] == case["by"]
    assert bool(offers(answer)) == case["offers"]


def test_the_model_is_one_press_away_and_leads_the_thread_from_then_on(tmp_path: Path) -> None:
    with open_talk(tmp_path, "SELECT COUNT(*) + 4 AS app_count FROM apps") as talk:
        first = talk.ask("how many apps do we have?")
        assert note(first).analyst.startswith("built-in reader, beside")
        assert isinstance(first.events[-1], FeedbackEvent)
        picked = talk.ask(offers(first)[0])
        assert "7" in picked.text
        assert note(picked).analyst == MODEL
        assert offers(picked) == ()
        assert talk.desk.memory.queries(THREAD)[0].sql.startswith("SELECT COUNT(*) + 4")


@pytest.mark.parametrize(
    "sql", ["SELECT COUNT(*) + 4 AS n FROM apps", "SELECT COUNT(app_id) AS n FROM apps", "DROP TABLE apps"]
)
@pytest.mark.parametrize("after_effect", [False, True])
def test_a_resumed_turn_decides_alike(tmp_path: Path, sql: str, after_effect: bool) -> None:
    question = "how many apps do we have?"
    with open_talk(tmp_path, sql) as talk:
        whole = RecordedSteps()
        expected = talk.ask(question, whole)
        for cut in range(len(whole.recorded)):
            talk.thread, steps = ThreadKey("T", "C", str(cut)), RecordedSteps(cut_after=cut, after_effect=after_effect)
            with pytest.raises(PowerCut):
                talk.ask(question, steps)
            resumed = talk.ask(question, steps.again(), again=True)
            assert (resumed.text.partition("\n")[0], note(resumed).analyst) == (
                expected.text.partition("\n")[0],
                note(expected).analyst,
            )


@pytest.mark.parametrize("sql", ["SELECT COUNT(*) + 4 AS n FROM apps", "SELECT COUNT(app_id) AS n FROM apps"])
def test_a_crash_that_loses_the_latest_steps_changes_no_answer(tmp_path: Path, sql: str) -> None:
    """Steps are written down together, a moment later; what they did to the memory is there at once."""
    question = "how many apps do we have?"
    with open_talk(tmp_path, sql) as talk:
        whole = RecordedSteps()
        expected = talk.ask(question, whole)
        for kept in range(len(whole.recorded)):
            resumed = talk.ask(question, RecordedSteps(whole.recorded[:kept]), again=True)
            assert (resumed.text, note(resumed)) == (expected.text, note(expected))


def test_eval_counts_who_was_right(tmp_path: Path) -> None:
    right, wrong = "SELECT COUNT(*) FROM apps", "SELECT COUNT(*) + 4 AS app_count FROM apps"
    with open_talk(tmp_path, wrong) as talk:
        examiner = Examiner(talk.desk.services.analyst, talk.desk.database, DESCRIBED)
        questions = {"reader": right, "model": wrong, "neither": "SELECT 99 + COUNT(*) FROM apps"}
        outcomes = [
            examiner.outcome(Golden(who, "how many apps do we have?", sql, NOON.date()))
            for who, sql in questions.items()
        ]
    assert [outcome.judged for outcome in outcomes] == list(questions)
    assert [outcome.state for outcome in outcomes] == ["same", "changed", "changed"]
    told = "Reader and language model differed on 3; right was: reader 1, model 1, neither 1."
    assert judgement(outcomes) == told
    assert judgement(()) == ""
