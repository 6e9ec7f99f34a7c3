"""Queries of one database wait for each other in a fair way."""

from threading import Event, Thread

import pytest

from ai.errors import Stopped
from ai.sql.gate import Gate
from ai.stopping import Stop
from tests.wait import until


def never() -> bool:
    return False


def test_a_long_query_steps_back_for_one_that_comes_new() -> None:
    gate, order, came = Gate(1), list[str](), Event()

    def quick() -> None:
        came.set()
        with gate.place():
            order.append("quick")

    with gate.place() as turnstile:
        other = Thread(target=quick)
        other.start()
        came.wait(20)

        def stepped_back() -> bool:
            turnstile.breathe(never)
            return order == ["quick"]

        until(stepped_back, what="the long one to let the quick one pass")
        order.append("long")
    other.join()
    assert order == ["quick", "long"]


def test_whoever_waits_for_a_place_can_be_stopped() -> None:
    gate, stop, waiting, outcome = Gate(1), Stop(), Event(), list[str]()

    def wait() -> None:
        waiting.set()
        with pytest.raises(Stopped), gate.place(stop):
            outcome.append("ran")
        outcome.append("stopped")

    with gate.place():
        other = Thread(target=wait)
        other.start()
        waiting.wait(20)
        stop.call()
        other.join()
    assert outcome == ["stopped"]
    with gate.place():
        outcome.append("free again")


def test_as_many_run_at_once_as_there_are_places() -> None:
    gate = Gate(2)
    with gate.place(), gate.place():
        stop = Stop()
        stop.call()
        with pytest.raises(Stopped), gate.place(stop):
            pass


def test_long_queries_leave_their_places_up_to_as_many_again() -> None:
    now = [0.0]
    gate, running, go_on = Gate(2, lambda: now[0], leaves_after=1.0), list[int](), Event()

    def run(number: int) -> None:
        with gate.place():
            running.append(number)
            go_on.wait(20)

    others = [Thread(target=run, args=(number,)) for number in range(6)]
    for other in others:
        other.start()
    until(lambda: len(running) == 2)
    now[0] = 2.0
    until(lambda: len(running) == 4)
    now[0] = 4.0
    assert len(running) == 4
    go_on.set()
    for other in others:
        other.join()
    assert len(running) == 6
