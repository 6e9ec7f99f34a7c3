"""Whose question is begun next."""

import pytest

from bot.engine.dispatch import never
from bot.engine.shares import OF_ONE_PERSON, Load, Party, WaitingTurn, ahead, chosen

ANA, BEN, MIRA = ("T1", "C1", "ana"), ("T1", "C1", "ben"), ("T2", "C9", "mira")


def line(party: Party, count: int, since: float = 0.0) -> list[WaitingTurn]:
    return [WaitingTurn(f"{party[2]}-{nth}", party, nth, since + nth) for nth in range(1, count + 1)]


def picked(waiting: list[WaitingTurn], free: int, load: Load | None = None) -> list[str]:
    return [turn.turn_id for turn in chosen(waiting, load or Load(), free, never)]


def test_people_take_turns_however_many_questions_one_of_them_has() -> None:
    waiting = [*line(ANA, 100), *line(BEN, 2, since=500.0)]
    assert picked(waiting, 4) == ["ana-1", "ben-1", "ana-2", "ben-2"]


def test_whose_turns_run_already_waits_for_the_others() -> None:
    waiting = [*line(ANA, 3), *line(BEN, 3, since=500.0)]
    assert picked(waiting, 3, Load(running=[ANA, ANA])) == ["ben-1", "ben-2", "ana-1"]


def test_a_workspace_has_one_share_whoever_asks_in_it() -> None:
    waiting = [*line(ANA, 3), *line(BEN, 3), *line(MIRA, 3, since=500.0)]
    assert picked(waiting, 4) == ["ana-1", "mira-1", "ben-1", "mira-2"]


def test_one_person_computes_a_few_at_once_and_waits_for_databases_with_as_many_as_there_is_room() -> None:
    waiting = line(ANA, 40)
    assert len(picked(waiting, 40)) == OF_ONE_PERSON
    assert len(picked(waiting, 40, Load(running=[ANA] * 20, computing=[ANA]))) == OF_ONE_PERSON - 1


def test_a_channel_that_takes_no_more_answers_holds_up_nobody_else() -> None:
    waiting = [*line(ANA, 3), *line(MIRA, 1, since=500.0)]
    assert [turn.turn_id for turn in chosen(waiting, Load(), 4, lambda channel: channel == "C1")] == ["mira-1"]


@pytest.mark.parametrize(("nth", "of_others", "before"), [(1, [], 0), (7, [], 6), (1, [500], 1), (3, [1, 500], 6)])
def test_how_many_come_before(nth: int, of_others: list[int], before: int) -> None:
    assert ahead(nth, of_others) == before
