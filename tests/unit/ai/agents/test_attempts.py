"""Attempts at a question, one by one: what is kept of each, which of several counts, and what is said of it."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from ai.agents.port import Turn
from ai.agents.querying.attempts import AWAY, ENDED, FROM_DATABASE, Attempt, Attempts, headline
from ai.analysts.port import AskBack, CannotAnswer, Draft, Expected, Proposal
from ai.errors import RowsAway, SourceUnavailable, Stopped
from ai.results.store import ResultStore
from ai.results.table import ResultColumn, ResultTable, Row
from ai.sql.rights import Rights, rights_from
from ai.stopping import Stop
from ai.types import DraftQuery, FailedQuery
from tests.desk import Desk

ALL, COUNT, IOS = "SELECT name FROM apps", "SELECT count(*) FROM apps", "SELECT name FROM apps WHERE platform = 'iOS'"
TURNED = "SELECT name FROM apps ORDER BY name DESC"
NONE = "SELECT name FROM apps WHERE platform = 'Palm'"


class Room:
    """Attempts of one turn on the database of three apps."""

    def __init__(self, desk: Desk, candidates: int = 1, results: ResultStore | None = None) -> None:
        self.desk = desk
        self.turn: Turn = desk.context.lone_turn("which apps?", "1.0")
        self.attempts = Attempts(desk.memory, results or desk.memory.parts.results, desk.context, "me", candidates)
        self._steps = 0

    def writes(self, proposal: Proposal) -> Attempt:
        self._steps += 1
        return self.attempts.write(self.turn, f"write:{self._steps}", lambda: proposal)

    def runs(self, sql: str, expects: Expected = "") -> Attempt:
        return self.attempts.run(self.turn, f"run:{self._steps}", self.writes(Draft(sql, "", expects=expects)))


@pytest.fixture
def room(open_desk: Callable[..., Desk]) -> Room:
    return Room(open_desk())


@pytest.mark.parametrize(
    ("sql", "differs"), [(ALL, False), (TURNED, False), (COUNT, True), (IOS, True), ("SELECT platform FROM apps", True)]
)
def test_answers_differ_by_their_rows(room: Room, sql: str, *, differs: bool) -> None:
    first, second = room.runs(ALL), room.runs(sql)
    assert room.attempts.differs(first, second) is differs


def test_what_was_replaced_differs_from_nothing(room: Room) -> None:
    first, second = room.runs(ALL), room.runs(IOS)
    room.attempts.replace([first, second], second)
    assert not room.attempts.differs(first, second)
    assert not room.attempts.differs(second, first)


def test_what_has_no_sql_is_not_written_again(room: Room) -> None:
    asked, declined = room.writes(AskBack("Which?", ("a", "b"))), room.writes(CannotAnswer("No."))
    assert [asked.state, declined.state] == ["asked", "declined"]
    for attempt in (asked, declined):
        assert room.attempts.sql(attempt.query_id) == ""
        assert room.attempts.run(room.turn, "again", attempt) is attempt
        with pytest.raises(TypeError, match="has no SQL to write again"):
            room.attempts.draft(attempt)
    written = room.writes(Draft(ALL, "all"))
    assert room.attempts.draft(written).sql == room.attempts.sql(written.query_id) != ""


def test_nothing_proposed_is_no_attempt(room: Room) -> None:
    assert room.attempts.write_any(room.turn, "another", lambda: None) is None
    found = room.attempts.write_any(room.turn, "one", lambda: Draft(ALL, ""))
    assert found
    assert found.state == "ok"


@pytest.mark.parametrize(
    ("sql", "expects", "state", "problem"),
    [
        (ALL, "", "ok", ""),
        (NONE, "", "ok", ""),
        (ALL, "value", "doubtful", "One cell was expected, but it gives 3 rows of 1 columns."),
        (NONE, "row", "doubtful", "It gives no row, though one was expected."),
        (COUNT, "value", "ok", ""),
        ("SELECT name FROM nowhere", "value", "failed", "nowhere"),
        ("SELECT 1 / nothing FROM apps", "", "failed", "nothing"),
    ],
)
def test_a_result_is_held_to_what_was_expected(
    room: Room, sql: str, expects: Expected, state: str, problem: str
) -> None:
    attempt = room.runs(sql, expects)
    assert attempt.state == state
    said = room.attempts.problem(room.turn, attempt)
    assert problem in said
    assert bool(said) is bool(problem)
    assert attempt.expects == expects


def test_a_question_back_expects_nothing(room: Room) -> None:
    assert room.writes(AskBack("Which?", ("a",))).expects == ""
    assert room.writes(Draft(ALL, "", expects="rows")).expects == "rows"


@pytest.mark.parametrize(
    ("proposals", "chosen"),
    [
        ([ALL, COUNT, COUNT], COUNT),
        ([ALL, COUNT, IOS], ALL),
        (["SELECT name FROM nowhere", IOS, "SELECT x FROM apps"], IOS),
        (["SELECT 1 FROM nowhere", "SELECT 2 FROM nowhere", "SELECT 3 FROM nowhere"], "SELECT 1 FROM nowhere"),
    ],
)
def test_the_commonest_result_of_several_counts(
    open_desk: Callable[..., Desk], proposals: Sequence[str], chosen: str
) -> None:
    room = Room(open_desk(), candidates=3)
    drafts = iter([Draft(sql, "", expects="rows") for sql in proposals])
    attempt = room.attempts.first(room.turn, lambda: next(drafts))
    assert room.attempts.agrees(room.turn, attempt, chosen)
    answered = room.desk.memory.queries("1.0")
    assert len(answered) == (chosen != "SELECT 1 FROM nowhere")


def test_a_result_as_expected_outvotes_two_that_are_not(open_desk: Callable[..., Desk]) -> None:
    room = Room(open_desk(), candidates=3)
    drafts = iter([Draft(sql, "", expects="value") for sql in (ALL, TURNED, COUNT)])
    attempt = room.attempts.first(room.turn, lambda: next(drafts))
    assert (attempt.state, room.attempts.agrees(room.turn, attempt, COUNT)) == ("ok", True)


@pytest.mark.parametrize(
    ("rights", "said"),
    [
        (Rights(), "Running the query on 3 rows…"),
        (Rights(tables=frozenset({"apps"}), rows={"apps": "platform = 'iOS'"}), "Running the query…"),
        (rights_from({"masks": {"apps": {"name": "stars"}}}, "sqlite"), "Running the query…"),
    ],
)
def test_what_runs_is_said_with_its_rows_where_the_asker_may_know(
    open_desk: Callable[..., Desk], rights: Rights, said: str
) -> None:
    room = Room(open_desk(rights=rights))
    assert room.attempts.running(room.turn, room.writes(Draft(ALL, ""))) == said
    assert room.attempts.running(room.turn, room.writes(Draft("SELECT 1", ""))) == "Running the query…"


def test_a_stop_ends_a_query_and_its_turn(room: Room) -> None:
    stop = Stop()
    turn = Turn(room.turn.request, stop=stop)
    written = room.writes(Draft(ALL, ""))
    stop.call()
    with pytest.raises(Stopped):
        room.attempts.run(turn, "run", written)
    assert isinstance(room.desk.memory.outcome(written.query_id), FailedQuery)


class Fails(ResultStore):
    """A place for results that is away."""

    error: Exception = RowsAway("The bucket is away.")

    def under(self, rights: str) -> "Fails":
        return self

    def keep(self, *_: object, **_also: object) -> None:  # type: ignore[override]
        raise self.error


def test_a_query_whose_rows_cannot_be_kept_now_runs_again_later(open_desk: Callable[..., Desk], tmp_path: Path) -> None:
    room = Room(open_desk(), results=Fails(tmp_path / "away"))
    written = room.writes(Draft(ALL, ""))
    with pytest.raises(RowsAway):
        room.attempts.run(room.turn, "run", written)
    assert isinstance(room.desk.memory.outcome(written.query_id), DraftQuery)


def test_a_database_that_is_away_ends_the_attempt(open_desk: Callable[..., Desk], tmp_path: Path) -> None:
    away = Fails(tmp_path / "away")
    away.error = SourceUnavailable("no route")
    room = Room(open_desk(), results=away)
    attempt = room.runs(ALL)
    assert (attempt.state, room.attempts.problem(room.turn, attempt)) == ("ended", f"{ENDED}{AWAY}")


def test_the_words_of_the_database_are_kept_for_repair(room: Room) -> None:
    attempt = room.runs("SELECT abs(-9223372036854775807 - app_id) FROM apps")
    assert attempt.state == "failed"
    assert room.attempts.problem(room.turn, attempt) == f"{FROM_DATABASE}integer overflow"


@pytest.mark.parametrize(
    ("rows", "says"), [([(7,)], "7"), ([(None,)], ""), ([("",)], ""), ([], "0 rows"), ([(1,), (2,)], "2 rows")]
)
def test_the_headline_of_a_result(rows: list[Row], says: str) -> None:
    assert headline(ResultTable((ResultColumn("n", "integer"),), tuple(rows), len(rows))) == says
