"""A turn that lost its process at any moment goes on where it was: same steps, same answer, nothing paid twice."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from ai.agents.port import Answer, NoteEvent
from ai.analysts.port import AskBack, CannotAnswer, Draft, Proposal
from ai.types import Request, ThreadKey
from tests.desk import Desk
from tests.fakes import PowerCut, RecordedSteps, ScriptedAnalyst

THREAD = ThreadKey("T", "C", "1.0")
SCRIPT = [Draft("SELECT nothing FROM apps", "first"), Draft("SELECT name FROM apps", "second")]
STEPS = ["route", "write_sql", "repair_sql:0", "run_sql:1"]


def request() -> Request:
    return Request("T:C:1.0", THREAD, "which apps?", "U1", datetime.now(UTC), "shop")


def asked(desk: Desk, steps: RecordedSteps) -> Answer:
    return Answer(tuple(desk.orchestrator.answer(request(), steps)))


@pytest.mark.parametrize("after_effect", [False, True], ids=["before the effect", "before the record"])
@pytest.mark.parametrize("cut_after", range(len(STEPS)), ids=STEPS)
def test_a_power_cut_at_any_step(open_desk: Callable[..., Desk], cut_after: int, after_effect: bool) -> None:
    first = RecordedSteps(cut_after=cut_after, after_effect=after_effect)
    before = open_desk(ScriptedAnalyst(list(SCRIPT)))
    before.memory.receive(THREAD, request().turn_id, "which apps?", "U1", datetime.now(UTC))
    with pytest.raises(PowerCut):
        asked(before, first)

    paid = [name for name, _ in first.recorded]
    proposals = sum(name in paid for name in ("write_sql", "repair_sql:0"))
    after = open_desk(ScriptedAnalyst(list(SCRIPT[proposals:])))
    second = first.again()
    answer = asked(after, second)

    assert [*paid, *second.effects] == STEPS
    assert answer.text == "3 rows"
    (note,) = [event for event in answer.events if isinstance(event, NoteEvent)]
    assert after.memory.query(note.query_id).sql == "SELECT name FROM apps"
    assert len(after.memory.queries(THREAD)) == 1


def test_a_finished_turn_that_runs_again_says_the_same_once(open_desk: Callable[..., Desk]) -> None:
    desk, steps = open_desk(ScriptedAnalyst(list(SCRIPT))), RecordedSteps()
    desk.memory.receive(THREAD, request().turn_id, "which apps?", "U1", datetime.now(UTC))
    answer = asked(desk, steps)
    assert asked(desk, steps.again()) == answer
    assert [message.content for message in desk.memory.history(THREAD)] == ["which apps?", "3 rows"]


@pytest.mark.parametrize("later", [*SCRIPT, AskBack("Which ones?"), CannotAnswer("I cannot say.")])
@pytest.mark.parametrize(
    ("kept", "told"),
    [
        (AskBack("Which date?", ("order date",)), "Which date?\n- order date"),
        (CannotAnswer("There is no weather here."), "There is no weather here."),
        (Draft("SELECT name FROM apps", "names"), "3 rows"),
    ],
)
def test_what_was_proposed_before_a_power_cut_stands(
    open_desk: Callable[..., Desk], kept: Proposal, told: str, later: Proposal
) -> None:
    steps = RecordedSteps(cut_after=1, after_effect=True)
    before = open_desk(ScriptedAnalyst([kept]))
    before.memory.receive(THREAD, request().turn_id, "which apps?", "U1", datetime.now(UTC))
    with pytest.raises(PowerCut):
        asked(before, steps)
    after = open_desk(ScriptedAnalyst([later, later, later]))
    assert asked(after, steps.again()).text == told
