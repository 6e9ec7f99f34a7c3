"""What the engine promises while nothing dies: once, in order, side by side, and a clean stop."""

import json
import logging
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from threading import Barrier, Event, Lock, Thread

import psycopg
import pytest
from sqlalchemy.exc import OperationalError

from ai.errors import ConfigError, SourceUnavailable, UserError
from ai.stopping import Stop
from ai.types import Step, ThreadKey
from bot.engine import Engine
from bot.engine.crashes import GUILTY_BLAME
from tests.unit.bot.engine.conftest import Run, thread, turn_id
from tests.wait import until


class Diary:
    """What turns did, in the order in which they did it."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._lock = Lock()

    def note(self, line: str) -> None:
        with self._lock:
            self.lines.append(line)

    def has(self, lines: int) -> bool:
        return len(self.lines) == lines

    def turn(self, turn_id: str, step: Step, stop: Stop) -> str:
        step("answer", lambda: self.note(turn_id))
        return "answered"


@pytest.fixture
def diary() -> Diary:
    return Diary()


def finished(engine: Engine) -> None:
    until(lambda: not engine.store.unfinished(), what="all turns to end")


def test_a_question_that_arrives_twice_is_answered_once(run: Run, diary: Diary) -> None:
    question = turn_id(thread(1))
    with run(diary.turn) as engine:
        engine.enqueue(question, thread(1))
        engine.enqueue(question, thread(1))
        finished(engine)
        engine.enqueue(question, thread(1))
        finished(engine)
    assert diary.lines == [question]


def test_waiting_questions_of_a_thread_are_answered_one_by_one_in_the_order_of_slack(run: Run, diary: Diary) -> None:
    early = ThreadKey("T1", "C1", "999999998.000100")  # its later questions come first in the order of the alphabet
    first, *rest = [turn_id(early, tenths) for tenths in range(0, 60, 10)]
    begun, go = Event(), Event()

    def turn(question: str, step: Step, stop: Stop) -> str:
        begun.set()
        go.wait(20)
        step("begin", lambda: diary.note(question))
        step("end", lambda: diary.note(question))
        return "answered"

    with run(turn) as engine:
        engine.enqueue(first, early)
        assert begun.wait(20)
        for question in reversed(rest):
            engine.enqueue(question, early)
        go.set()
        finished(engine)
    assert diary.lines == [question for question in (first, *rest) for _ in ("begin", "end")]


def test_threads_are_answered_side_by_side_up_to_the_number_of_workers(run: Run) -> None:
    together, lock = Barrier(2), Lock()
    running: list[str] = []
    most: list[int] = []

    def turn(question: str, step: Step, stop: Stop) -> str:
        with lock:
            running.append(question)
            most.append(len(running))
        together.wait(20)
        with lock:
            running.remove(question)
        return "answered"

    with run(turn, workers=2) as engine:
        for number in range(4):
            engine.enqueue(turn_id(thread(number)), thread(number))
        finished(engine)
    assert max(most) == 2


def test_an_error_that_the_turn_lets_through_is_logged_and_holds_nobody_up(
    run: Run, diary: Diary, caplog: pytest.LogCaptureFixture
) -> None:
    bad, good = turn_id(thread(1)), turn_id(thread(1), 10)

    def turn(question: str, step: Step, stop: Stop) -> str:
        if question == bad:
            raise ZeroDivisionError
        return diary.turn(question, step, stop)

    with run(turn) as engine, caplog.at_level(logging.ERROR):
        engine.enqueue(bad, thread(1))
        engine.enqueue(good, thread(1))
        finished(engine)
    assert diary.lines == [good]
    assert bad in caplog.text


def test_what_a_step_raises_reaches_the_turn(run: Run, diary: Diary) -> None:
    def refuse() -> None:
        raise UserError("Ask for less.")

    def turn(question: str, step: Step, stop: Stop) -> str:
        try:
            step("refuse", refuse)
        except UserError as error:
            diary.note(str(error))
        return "answered"

    with run(turn) as engine:
        engine.enqueue(turn_id(thread(1)), thread(1))
        finished(engine)
    assert diary.lines == ["Ask for less."]


def test_closing_ends_a_turn_at_its_next_step_and_launching_goes_on_from_there(run: Run, diary: Diary) -> None:
    pause = Event()

    def turn(question: str, step: Step, stop: Stop) -> str:
        for number in range(40):
            step(f"step {number}", partial(slowly, str(number)))
        return "answered"

    def slowly(line: str) -> None:
        diary.note(line)
        pause.wait(0.1)

    with run(turn) as engine:
        engine.enqueue(turn_id(thread(1)), thread(1))
        until(lambda: diary.lines)
    done = len(diary.lines)
    pause.set()
    with run(turn) as engine:
        finished(engine)
    assert done < 40
    assert diary.lines == [str(number) for number in range(40)]


def test_a_turn_that_is_stopped_again_and_again_is_no_killer(run: Run, diary: Diary) -> None:
    def turn(question: str, step: Step, stop: Stop) -> str:
        diary.note("begin")
        go.wait(20)
        return diary.turn(question, step, stop)

    for times in range(1, GUILTY_BLAME + 2):
        go = Event()
        with run(turn, on_poison=diary.note) as engine:
            engine.enqueue(turn_id(thread(1)), thread(1))
            until(partial(diary.has, times))
            stopping(engine, go)
    with run(turn, on_poison=diary.note) as engine:
        finished(engine)
    assert diary.lines == ["begin"] * (GUILTY_BLAME + 2) + [turn_id(thread(1))]


def test_an_error_that_comes_from_closing_is_not_the_turns_to_answer(run: Run, diary: Diary) -> None:
    go = Event()

    def fail() -> None:
        diary.note("try")
        go.wait(20)
        raise ZeroDivisionError

    def turn(question: str, step: Step, stop: Stop) -> str:
        try:
            step("fail", fail)
        except ZeroDivisionError as error:
            diary.note(repr(error))
        return "failed"

    with run(turn) as engine:
        engine.enqueue(turn_id(thread(1)), thread(1))
        until(lambda: diary.lines)
        stopping(engine, go)
    with run(turn) as engine:
        finished(engine)
    assert diary.lines == ["try", "try", "ZeroDivisionError()"]


def stopping(engine: Engine, go: Event) -> None:
    """Close the engine in the middle of a turn, and let the turn go on only then."""
    closer = Thread(target=engine.close)
    closer.start()
    until(lambda: engine._dispatcher._is_closing)
    go.set()
    closer.join()


def test_a_turn_whose_end_was_never_written_down_is_taken_up_again(run: Run, folder: Path, diary: Diary) -> None:
    with run(diary.turn) as engine:
        engine.enqueue(turn_id(thread(1)), thread(1))
        finished(engine)
        with sqlite3.connect(folder / "engine.sqlite") as database:
            database.execute("UPDATE engine_turns SET state = 'running'")
        database.close()
        assert len(engine.store.unfinished()) == 1
        finished(engine)
    assert diary.lines == [turn_id(thread(1))] * 2


def test_what_is_stored_of_a_step_is_json_and_goes_with_the_end_of_its_turn(run: Run, folder: Path) -> None:
    go = Event()

    def turn(question: str, step: Step, stop: Stop) -> str:
        step("first", lambda: "found")
        go.wait(20)
        return "answered"

    def stored() -> list[str | None]:
        with closing(sqlite3.connect(folder / "engine.sqlite")) as database:
            return [steps for (steps,) in database.execute("SELECT steps FROM engine_turns")]

    with run(turn) as engine:
        engine.enqueue(turn_id(thread(1)), thread(1))
        until(lambda: stored() != [None])
        assert json.loads(str(stored()[0])) == {"first": '{"value": "found"}'}
        go.set()
        finished(engine)
        assert stored() == [None]


def test_a_database_that_cannot_hold_the_queue_is_refused(tmp_path: Path, diary: Diary) -> None:
    with pytest.raises(ConfigError, match="use sqlite:/// or postgresql://"):
        Engine("duckdb:///engine.duckdb", tmp_path, diary.turn)


def test_a_database_that_is_not_there_is_named_in_a_sentence(tmp_path: Path, diary: Diary) -> None:
    engine = Engine("postgresql://bot:secret@127.0.0.1:1/queue", tmp_path, diary.turn)
    with pytest.raises(SourceUnavailable, match=r"ENGINE_URL names .*, which cannot be opened") as found:
        engine.launch()
    assert "secret" not in str(found.value)


def test_closing_interrupts_what_takes_long_and_the_turn_goes_on_at_the_next_launch(run: Run, diary: Diary) -> None:
    """As a query that takes minutes does: it ends by its interrupt alone, and that is no answer."""
    outcomes: list[str] = []

    def turn(question: str, step: Step, stop: Stop) -> str:
        outcomes.append(step("query", partial(query, stop)))
        return "answered"

    def query(stop: Stop) -> str:
        diary.note("query")
        interrupted = Event()
        with stop.interrupting(interrupted.set):
            assert len(diary.lines) > 1 or interrupted.wait(60)
        stop.check()
        return "found"

    with run(turn) as engine:
        engine.enqueue(turn_id(thread(1)), thread(1))
        until(lambda: diary.lines)
    with run(turn) as engine:
        finished(engine)
    assert (diary.lines, outcomes) == (["query", "query"], ["found"])


def test_a_turn_whose_database_is_away_is_run_again_with_its_recorded_steps(run: Run, diary: Diary) -> None:
    def turn(question: str, step: Step, stop: Stop) -> str:
        step("first", lambda: diary.note("first"))
        step("second", away)
        return "answered"

    def away() -> None:
        diary.note("second")
        if diary.lines.count("second") == 1:
            raise OperationalError("", {}, psycopg.errors.AdminShutdown())

    with run(turn) as engine:
        engine.enqueue(turn_id(thread(1)), thread(1))
        finished(engine)
    assert diary.lines == ["first", "second", "second"]
