"""What running turns report is written down in time, in order, and not lost where it cannot be written."""

import pytest

from bot.engine.notebook import RECORD_SECONDS, Notebook
from bot.engine.shares import Places
from bot.engine.store import News, TurnRun

ONE, TWO = TurnRun("T:C:1.1", 1), TurnRun("T:C:2.2", 1)
STEPS, MORE = {"route": "1"}, {"route": "1", "run": "2"}
NOTHING = News({}, {}, {})


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def notebook(clock: Clock) -> Notebook:
    return Notebook(clock)


def test_steps_wait_a_moment_unless_they_are_worth_it(notebook: Notebook, clock: Clock) -> None:
    assert notebook.waits() is None
    notebook.record(ONE, STEPS, now=False)
    assert (notebook.waits(), notebook.take()) == (RECORD_SECONDS, NOTHING)
    clock.now += 0.1
    notebook.record(ONE, MORE, now=False)
    assert notebook.waits() == pytest.approx(RECORD_SECONDS - 0.1)
    clock.now += RECORD_SECONDS
    assert notebook.waits() == 0
    assert notebook.take() == News({ONE: MORE}, {}, {})
    assert (notebook.waits(), notebook.take()) == (None, NOTHING)
    notebook.record(TWO, STEPS, now=True)
    assert (notebook.waits(), notebook.take()) == (0, News({TWO: STEPS}, {}, {}))


def test_steps_that_are_due_leave_the_others_waiting(notebook: Notebook) -> None:
    notebook.record(ONE, STEPS, now=True)
    notebook.record(TWO, STEPS, now=False)
    assert notebook.take() == News({ONE: STEPS}, {}, {})
    assert notebook.waits() == RECORD_SECONDS


def test_an_end_is_written_at_once_without_its_steps(notebook: Notebook) -> None:
    notebook.record(ONE, STEPS, now=True)
    notebook.end(ONE, "answered")
    assert (notebook.holds(ONE.turn_id), notebook.holds(TWO.turn_id), notebook.waits()) == (True, False, 0)
    assert notebook.take() == News({}, {ONE: "answered"}, {})
    assert not notebook.holds(ONE.turn_id)


def test_what_is_put_off_is_written_at_once_with_its_steps(notebook: Notebook) -> None:
    notebook.put_off(ONE, 7.0, STEPS)
    assert (notebook.holds(ONE.turn_id), notebook.waits()) == (True, 0)
    assert notebook.take() == News({ONE: STEPS}, {}, {ONE: 7.0})
    assert not notebook.holds(ONE.turn_id)


def test_what_could_not_be_written_is_kept_and_newer_reports_win(notebook: Notebook) -> None:
    three = TurnRun("T:C:3.3", 1)
    notebook.record(ONE, MORE, now=True)
    notebook.end(TWO, "failed")
    notebook.give_back(News({ONE: STEPS, TWO: STEPS, three: STEPS}, {TWO: "answered"}, {three: 7.0}))
    assert notebook.take() == News({ONE: MORE, three: STEPS}, {TWO: "failed"}, {three: 7.0})


@pytest.mark.parametrize("news", [News({ONE: STEPS}, {}, {}), News({}, {ONE: ""}, {}), News({}, {}, {ONE: 1.0})])
def test_news_are_something(news: News) -> None:
    assert (bool(news), bool(NOTHING)) == (True, False)


@pytest.mark.parametrize("places", [Places(1), Places(0, 1)])
def test_places_are_something(places: Places) -> None:
    assert (bool(places), bool(Places(0))) == (True, False)
