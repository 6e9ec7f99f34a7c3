"""What the engine does while there is no room, and with a turn that gets nowhere."""

from threading import Barrier, Event

from ai.stopping import Stop
from ai.types import Step, ThreadKey
from bot.engine.lines import HANDFUL
from tests.unit.bot.engine.conftest import Run, thread, turn_id
from tests.wait import until


def test_those_with_more_than_a_handful_before_them_hear_it_once(run: Run) -> None:
    go, told = Event(), list[tuple[str, int]]()

    def turn(question: str, step: Step, stop: Stop) -> str:
        go.wait(20)
        return "answered"

    def tell(question: str, ahead: int) -> None:
        told.append((question, ahead))

    with run(turn, workers=1, on_wait=tell) as engine:
        for number in range(HANDFUL + 4):
            engine.enqueue(turn_id(thread(number)), thread(number), "U1")
        until(lambda: len(told) == 2, what="two people to be told")
        go.set()
        until(lambda: not engine.store.unfinished())
    assert sorted(told, key=lambda note: note[1]) == [
        (turn_id(thread(HANDFUL + 2)), HANDFUL + 1),
        (turn_id(thread(HANDFUL + 3)), HANDFUL + 2),
    ]


def test_a_turn_is_begun_in_a_channel_once_it_takes_answers_again(run: Run) -> None:
    held, begun = Event(), list[str]()
    held.set()

    def turn(question: str, step: Step, stop: Stop) -> str:
        begun.append(question)
        return "answered"

    elsewhere = ThreadKey("T1", "C2", "1700000001.000100")
    with run(turn, is_held=lambda channel: channel == "C1" and held.is_set()) as engine:
        engine.enqueue(turn_id(thread(1)), thread(1))
        engine.enqueue(turn_id(elsewhere), elsewhere)
        until(lambda: len(engine.store.unfinished()) == 1)
        assert begun == [turn_id(elsewhere)]
        held.clear()
        until(lambda: not engine.store.unfinished())


def test_a_turn_that_waits_for_its_database_leaves_its_place_to_another(run: Run) -> None:
    slow, quick, go = turn_id(thread(1)), turn_id(thread(2)), Event()

    def turn(question: str, step: Step, stop: Stop) -> str:
        if question == slow:
            with stop.interrupting(go.set):
                go.wait(20)
        return "answered"

    with run(turn, workers=1) as engine:
        engine.enqueue(slow, thread(1))
        engine.enqueue(quick, thread(2))
        until(lambda: len(engine.store.unfinished()) == 1, what="the quick one to overtake")
        assert engine.store.unfinished(thread(1)) == [slow]
        go.set()


def test_between_two_steps_a_turn_gives_way_to_that_of_somebody_with_fewer(run: Run) -> None:
    crowd, other = [turn_id(thread(number)) for number in (1, 2)], turn_id(thread(3))
    inside, at_step, go, rest, done = Barrier(3), Event(), Event(), Event(), list[str]()

    def turn(question: str, step: Step, stop: Stop) -> str:
        inside.wait(20)
        if question == other:
            go.wait(20)
            done.append(question)
        elif question == crowd[0]:
            at_step.set()
            step("more", lambda: done.append(question))
        else:
            rest.wait(20)
        return "answered"

    with run(turn) as engine:
        for number in (1, 2):
            engine.enqueue(crowd[number - 1], thread(number), "U1")
        engine.enqueue(other, thread(3), "U2")
        at_step.wait(20)
        assert done == []
        go.set()
        until(lambda: len(done) == 2, what="both to go on")
        rest.set()
    assert done == [other, crowd[0]]


def test_a_turn_that_hangs_is_begun_anew_and_its_first_run_comes_to_nothing(run: Run) -> None:
    stuck, ends = Event(), list[str]()

    def turn(question: str, step: Step, stop: Stop) -> str:
        again = step("claim", lambda: "first") != "first"
        if not again:
            stuck.wait(60)
        step("answer", lambda: ends.append("second" if again else "first"))
        return "answered"

    with run(turn, hang_seconds=0.0) as engine:
        engine.enqueue(turn_id(thread(1)), thread(1))
        until(lambda: not engine.store.unfinished(), 30, "the second run to end")
        stuck.set()
    assert ends == ["second"]
