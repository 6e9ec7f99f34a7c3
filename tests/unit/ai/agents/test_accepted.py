"""An accepted answer is used again for the same question alone, while it holds, for whoever may run its SQL."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from ai.agents.learning.accepted import hangs_on_its_day, normal
from ai.agents.learning.golden import Examiner, Golden
from ai.agents.learning.trials import Trial, report, trial_from
from ai.agents.port import FeedbackEvent, NoteEvent, run_now
from ai.agents.querying.verdicts import Acceptance, Person, Verdicts
from ai.analysts.port import CannotAnswer, Draft, Proposal
from ai.errors import NotAllowed
from ai.sql.rights import EVERYTHING, Rights, SourceRights
from ai.sql.semantics import NO_SEMANTICS
from ai.types import Request, ThreadKey
from tests.cases import cases
from tests.desk import Desk
from tests.fakes import ScriptedAnalyst

HERE = Path(__file__).parent
DAY = datetime(2026, 1, 7, 12, tzinfo=UTC)
COUNT = Draft("SELECT COUNT(*) AS n FROM apps", "the number of apps")
LISTED = Draft("SELECT name FROM apps", "the apps")
DATED = Draft("SELECT COUNT(*) AS n FROM apps WHERE name < '2026-01-01'", "December")
ANA = Person("U1", (), "default", is_owner=True)
BEN, CY = Person("U2", (), "default"), Person("U3", (), "default")


@pytest.mark.parametrize("case", cases(HERE / "accepted.jsonl"))
def test_two_questions_are_the_same_or_not(case: dict[str, Any]) -> None:
    assert (normal(case["one"]) == normal(case["other"])) is case["same"]


@pytest.mark.parametrize("case", cases(HERE / "days_of_answers.jsonl"))
def test_sql_that_follows_from_the_day_is_known(case: dict[str, Any]) -> None:
    assert hangs_on_its_day(case["question"], case["sql"]) is case["hangs"]


class Talk:
    """Questions at a desk, each in a thread of its own unless it is told."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.verdicts = Verdicts(desk.memory, desk.context)
        self.asked = 0

    def ask(self, text: str, at: datetime = DAY, thread: str = "", **who: Any) -> tuple[NoteEvent, FeedbackEvent]:
        """What is said of the answer, and what may be said of it."""
        self.asked += 1
        key = ThreadKey("T", "C", thread or f"{self.asked}.0")
        request = Request(f"T:C:{self.asked}", key, text, "U9", at, "shop", **who)
        self.desk.memory.receive(key, request.turn_id, text, "U9", at)
        events = list(self.desk.orchestrator.answer(request, run_now))
        (note,) = [event for event in events if isinstance(event, NoteEvent)]
        (feedback,) = [event for event in events if isinstance(event, FeedbackEvent)]
        return note, feedback

    def by(self, text: str, **how: Any) -> str:
        """Who answered."""
        return self.ask(text, **how)[0].analyst

    def accept(self, feedback: FeedbackEvent, person: Person = ANA) -> Acceptance:
        return self.verdicts.accept(feedback.query_id, feedback.day, person)


@pytest.fixture
def talk(open_desk: Callable[..., Desk]) -> Callable[..., Talk]:
    def begin(*script: Proposal, **how: Any) -> Talk:
        return Talk(open_desk(ScriptedAnalyst(list(script)), **how))

    return begin


def test_an_answer_is_used_again_until_it_is_rejected(talk: Callable[..., Talk]) -> None:
    here = talk(COUNT, COUNT)
    note, feedback = here.ask("how many apps?")
    assert note.analyst == "scripted analyst"
    here.accept(feedback)
    note, again = here.ask("How many apps are there?", DAY + timedelta(days=400))
    assert note.analyst.startswith("verified by U1 on ")
    assert "no longer used" in here.verdicts.reject(again.query_id, again.day, ANA)
    assert here.by("how many apps?") == "scripted analyst"


def test_one_person_makes_an_example_and_a_second_the_answer(talk: Callable[..., Talk]) -> None:
    here = talk(COUNT, COUNT)
    _, feedback = here.ask("how many apps?")
    assert not here.accept(feedback, BEN).is_for_all
    assert not here.accept(feedback, BEN).is_for_all
    note, again = here.ask("how many apps?")
    assert note.analyst == "scripted analyst"
    assert here.accept(again, CY).is_for_all
    assert here.by("how many apps?").startswith("verified by U2 on ")


def test_an_objection_names_tables_of_this_database_and_can_be_taken_back(talk: Callable[..., Talk]) -> None:
    here = talk(COUNT, COUNT, COUNT)
    _, feedback = here.ask("how many apps?")
    here.accept(feedback)
    said = here.verdicts.reject(feedback.query_id, feedback.day, BEN, "period")
    assert "which period" in said
    assert "we mean apps." in said
    assert here.by("how many apps?") == "scripted analyst"
    with pytest.raises(NotAllowed):
        here.verdicts.take_back(feedback.query_id, CY)
    assert "taken back" in here.verdicts.take_back(feedback.query_id, BEN)
    assert here.by("how many apps?").startswith("verified by U1 on ")


@pytest.mark.parametrize(
    "other",
    [{"at": DAY + timedelta(days=1)}, {"workspace": "D1"}],
    ids=["another-day", "another-workspace"],
)
def test_an_answer_stays_in_its_day_and_place(talk: Callable[..., Talk], other: dict[str, Any]) -> None:
    here = talk(DATED, DATED)
    here.accept(here.ask("how many apps last month?")[1])
    assert here.by("how many apps last month?", **other) == "scripted analyst"
    assert here.by("how many apps last month?").startswith("verified")


def test_a_rule_that_was_not_tested_on_it_sets_an_answer_aside(talk: Callable[..., Talk]) -> None:
    here = talk(COUNT, COUNT)
    here.accept(here.ask("how many apps?")[1])
    book = here.desk.memory.rules
    request = Request("T:C:x", ThreadKey("T", "C", "x"), "apps exclude tests", "U1", DAY, "shop")
    rule = book.one("shop", book.propose(request, {"kind": "sentence", "text": "apps exclude tests"}))
    book.approve(rule, "U1")
    assert here.by("how many apps?") == "scripted analyst"
    book.revert(rule, "U1")
    assert here.by("how many apps?").startswith("verified")


def test_a_follow_up_cannot_be_accepted(talk: Callable[..., Talk]) -> None:
    here = talk(COUNT, COUNT)
    here.ask("how many apps?", thread="1.1")
    _, feedback = here.ask("and iOS?", thread="1.1")
    with pytest.raises(NotAllowed):
        here.accept(feedback)


def test_rights_hold_for_who_judges_and_for_who_asks_again(talk: Callable[..., Talk]) -> None:
    rights = SourceRights(Rights(rows={"apps": "platform = 'iOS'"}), (("boss", EVERYTHING),))
    here = talk(LISTED, rights=rights)
    _, feedback = here.ask("which apps?", roles=("boss",))
    with pytest.raises(NotAllowed):
        here.accept(feedback)
    here.verdicts.accept(feedback.query_id, feedback.day, replace(ANA, roles=("boss",)))
    note, _ = here.ask("which apps?")
    assert (note.analyst[:8], note.row_count) == ("verified", 2)


def test_golden_questions_are_compared_row_by_row(talk: Callable[..., Talk]) -> None:
    here = talk()
    golden = Golden("1", "how many apps?", COUNT.sql, date(2026, 1, 7))
    answers = (
        COUNT,
        replace(COUNT, sql="SELECT 4 AS n"),
        CannotAnswer("No."),
        replace(COUNT, sql="SELECT no FROM apps"),
    )
    again = (replace(COUNT, sql="SELECT no FROM apps"),) * 2
    examiner = Examiner(ScriptedAnalyst([*answers, *again]), here.desk.database, NO_SEMANTICS)
    outcomes = [examiner.outcome(golden) for _ in answers]
    assert [outcome.state for outcome in outcomes] == ["same", "changed", "unanswered", "unanswered"]
    stale = examiner.outcome(replace(golden, sql="SELECT no FROM apps"))
    assert (stale.state, stale.sql) == ("stale", "")
    trial = Trial.of("0", outcomes[:3])
    assert trial_from(trial.as_json()) == trial
    assert report(trial).splitlines()[0] == "Tested on 3 accepted questions: **1** unchanged, **2** changed."
    assert "3 becomes 4" in report(trial)
