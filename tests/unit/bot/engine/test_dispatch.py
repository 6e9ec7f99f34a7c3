"""One look at the queue after another: when it is written, who is begun, and when it is looked at again."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import monotonic

import pytest

from ai.stopping import Stop
from ai.types import Step
from bot.engine.dispatch import AGAIN_SECONDS, AWAY_SECONDS, COMPUTING, REPEAT_STOP_SECONDS, Dispatcher, Room
from bot.engine.shares import Party, Places, WaitingTurn
from bot.engine.store import Begun, News, TurnRun
from bot.engine.workflow import Running
from tests.wait import until

ANA, BEN = ("T", "C", "ANA"), ("T", "C", "BEN")
Choose = Callable[[Sequence[WaitingTurn], Sequence[Party]], Sequence[WaitingTurn]]


@dataclass
class Book:
    """A store in memory, which may be away."""

    waiting: list[WaitingTurn] = field(default_factory=list)
    looks: list[tuple[News, Places]] = field(default_factory=list)
    is_away: bool = False

    def advance(self, news: News, free: Places, choose: Choose) -> list[Begun]:
        self.looks.append((news, free))
        if self.is_away:
            raise OSError(28, "no room")
        picked = list(choose(self.waiting, ())) if free and self.waiting else []
        self.waiting = [turn for turn in self.waiting if turn not in picked]
        return [Begun(TurnRun(turn.turn_id, 1), turn.party, {}, is_stopped=False) for turn in picked]


def answers(turn_id: str, step: Step, stop: Stop) -> str:
    return "answered"


@pytest.fixture
def book() -> Book:
    return Book()


@pytest.fixture
def dispatcher(book: Book) -> Dispatcher:
    return Dispatcher(book, answers, Room(workers=2))  # type: ignore[arg-type]


def running(number: int, party: Party = ANA, *, long: bool = False) -> Running:
    return Running(TurnRun(f"T:C:{number}.0", 1), party, {}, 0.0 if long else monotonic())


def begun(dispatcher: Dispatcher, *turns: Running) -> None:
    dispatcher._running.update({turn.run: turn for turn in turns})


def waits(number: int, party: Party = ANA) -> WaitingTurn:
    return WaitingTurn(f"T:C:{number}.0", party, number, float(number))


def test_nothing_is_written_where_nothing_happened(dispatcher: Dispatcher, book: Book) -> None:
    dispatcher._advance()
    assert [bool(free) for _, free in book.looks] == [True]  # the first look
    dispatcher._advance()
    assert len(book.looks) == 1
    assert dispatcher._pause() is None
    dispatcher.ring()
    dispatcher._advance()
    assert len(book.looks) == 2


def test_where_there_is_no_room_it_looks_again_soon(dispatcher: Dispatcher, book: Book) -> None:
    begun(dispatcher, running(1), running(2, BEN))
    for turn in dispatcher.running:
        turn.is_quick = False
    quick = [running(number, BEN) for number in (3, 4)]
    for turn in quick:
        turn.is_quick = True
    begun(dispatcher, *quick)
    dispatcher._advance()
    assert (book.looks, dispatcher.is_full, dispatcher._pause()) == ([], True, AGAIN_SECONDS)


def test_who_finds_no_place_is_looked_at_again(dispatcher: Dispatcher, book: Book) -> None:
    book.waiting = [waits(number) for number in range(1, 7)]
    dispatcher._advance()
    assert dispatcher.is_full
    assert dispatcher._pause() == pytest.approx(AGAIN_SECONDS, abs=0.05)
    until(lambda: not dispatcher.running, what="the turns to end")
    dispatcher._hands.close()


def test_what_cannot_be_written_is_known_and_written_later(dispatcher: Dispatcher, book: Book) -> None:
    begun(dispatcher, one := running(1))
    dispatcher.end(one, "answered")
    book.is_away = True
    dispatcher._advance()
    assert (dispatcher.running, dispatcher.knows(one.run.turn_id), dispatcher.knows("T:C:9.0")) == ([], True, False)
    assert dispatcher._pause() == AWAY_SECONDS
    book.is_away = False
    dispatcher._advance()
    assert book.looks[-1][0].ended == {one.run: "answered"}
    assert (dispatcher.knows(one.run.turn_id), dispatcher._pause()) == (False, None)


def test_a_run_that_was_handed_on_ends_nothing(dispatcher: Dispatcher, book: Book) -> None:
    begun(dispatcher, one := running(1))
    dispatcher.hand_on(one)
    dispatcher.end(one, "answered")
    dispatcher._advance()
    assert (book.looks[0][0].ended, book.looks[0][0].put_off) == ({}, {one.run: 0.0})


def test_a_stop_is_repeated_until_it_is_heeded(dispatcher: Dispatcher) -> None:
    begun(dispatcher, one := running(1), other := running(2))
    dispatcher._advance()
    dispatcher.stop([one.run.turn_id])
    until(lambda: one.stop.is_called, what="the signal")
    assert not other.stop.is_called
    assert dispatcher._pause() is not None
    dispatcher._again = None
    assert dispatcher._pause() == REPEAT_STOP_SECONDS


@pytest.mark.parametrize(
    ("own", "others", "is_behind"), [(1, 0, False), (1, 1, False), (2, 0, False), (2, 1, True), (2, 2, False)]
)
def test_who_has_more_turns_gives_way(dispatcher: Dispatcher, own: int, others: int, *, is_behind: bool) -> None:
    turns = [running(number) for number in range(own)]
    begun(dispatcher, *turns, *(running(9 + number, BEN) for number in range(others)))
    assert dispatcher._is_behind(turns[0]) is is_behind
    turns[0].is_over = True
    assert not dispatcher._is_behind(turns[0])


def test_who_waits_for_a_database_holds_up_nobody(dispatcher: Dispatcher) -> None:
    mine, also, other = running(1), running(2), running(3, BEN)
    begun(dispatcher, mine, also, other)
    with other.stop.interrupting(lambda: None):
        assert not dispatcher._is_behind(mine)
    assert dispatcher._is_behind(mine)


def test_places_by_what_runs() -> None:
    room = Room(workers=3)
    assert room.free([]) == Places(3, 2)
    quick = running(7)
    quick.is_quick = True
    assert room.free([running(1), quick]) == Places(2, 1)
    slow = running(2, long=True)
    assert room.free([slow, running(3)]) == Places(1, 2)
    with slow.stop.interrupting(lambda: None):
        assert room.free([slow, running(3)]) == Places(2, 2)
    assert Room(workers=16).free([running(number) for number in range(COMPUTING)]) == Places(0, 2)
