"""A wish to stop: it reaches a running turn, waits for one that has not begun, and leaves later ones alone."""

from threading import Event

from ai.errors import Stopped
from ai.stopping import Stop
from ai.types import Step
from bot.engine import Engine
from bot.inbound import said_at
from tests.unit.bot.engine.conftest import Run, thread, turn_id
from tests.wait import until


class Diary:
    """Turns that run until they are stopped, and one kind that does not."""

    def __init__(self) -> None:
        self.begun = Event()
        self.stopped: list[str] = []

    def turn(self, question: str, step: Step, stop: Stop) -> str:
        self.begun.set()
        try:
            step("wait", lambda: waited(stop))
        except Stopped:
            self.stopped.append(question)
            return "stopped"
        return "answered"


def waited(stop: Stop) -> None:
    until(lambda: stop.is_called, 60.0)
    stop.check()


def finished(engine: Engine) -> None:
    until(lambda: not engine.store.unfinished(), what="all turns to end")


def test_stopping_a_thread_ends_what_was_asked_before_and_nothing_else(run: Run) -> None:
    diary = Diary()
    first, second, later = (turn_id(thread(1), tenths) for tenths in (0, 10, 30))
    elsewhere = turn_id(thread(50))
    with run(diary.turn) as engine:
        engine.enqueue(first, thread(1))
        assert diary.begun.wait(20)
        engine.enqueue(second, thread(1))
        engine.enqueue(elsewhere, thread(50))
        assert engine.stop_thread(thread(1), before=said_at(turn_id(thread(1), 20))) == 2
        until(lambda: len(diary.stopped) == 2, what="both turns to be stopped")
        engine.stop(elsewhere)
        engine.stop(elsewhere)
        finished(engine)
        engine.enqueue(later, thread(1))
        engine.stop(later)
        finished(engine)
        assert engine.stop_thread(thread(1), before=9e9) == 0
    assert sorted(diary.stopped) == sorted([first, second, elsewhere, later])


def test_an_interrupt_is_called_in_its_block_only() -> None:
    stop, heard = Stop(), []
    with stop.interrupting(lambda: heard.append("inside")):
        stop.call()
        stop.call()
    stop.call()
    assert heard == ["inside", "inside"]
