"""Whose question is begun next."""

import pytest

from bot.engine.dispatch import never
from bot.engine.shares import OF_ONE_PERSON, Load, Party, Places, Rules, WaitingTurn, ahead, chosen

ANA, BEN, MIRA = ("T1", "C1", "ana"), ("T1", "C1", "ben"), ("T2", "C9", "mira")


def line(party: Party, count: int, since: float = 0.0) -> list[WaitingTurn]:
    return [WaitingTurn(f"{party[2]}-{nth}", party, nth, since + nth) for nth in range(1, count + 1)]


def picked(
    waiting: list[WaitingTurn], free: int, load: Load | None = None, weights: dict[str, float] | None = None
) -> list[str]:
    return [turn.turn_id for turn in chosen(waiting, load or Load(), Places(free), Rules(never, weights or {}))]


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


@pytest.mark.parametrize(
    ("weights", "of_ana"),
    [({}, 4), ({"ana": 3.0}, 6), ({"ana": 1 / 3}, 2), ({"C1": 9.0}, 4)],
    ids=["equal", "three to one", "one to three", "one channel"],
)
def test_a_weight_gives_so_many_times_the_places(weights: dict[str, float], of_ana: int) -> None:
    waiting, begun = [*line(ANA, 8), *line(BEN, 8)], list[WaitingTurn]()
    for _ in range(8):
        (turn,) = chosen(waiting, Load([one.party for one in begun]), Places(1), Rules(never, weights))
        waiting.remove(turn)
        begun.append(turn)
    assert sum(turn.party[2] == "ana" for turn in begun) == of_ana


def test_a_channel_and_a_workspace_weigh_too() -> None:
    others = [*line(ANA, 1), *line(("T1", "C2", "ben"), 1, since=500.0), *line(MIRA, 1, since=900.0)]
    assert picked(others, 1, weights={"T2": 2.0}) == ["mira-1"]
    assert picked(others, 1, weights={"C2": 2.0}) == ["ben-1"]


def test_quick_turns_have_places_that_slow_ones_never_take() -> None:
    quick = [WaitingTurn(f"quick-{nth}", ANA, nth, 900.0 + nth, is_quick=True) for nth in range(1, 4)]
    begun = chosen([*line(BEN, 9), *quick], Load(), Places(0, 2), Rules(never))
    assert [turn.turn_id for turn in begun] == ["quick-1", "quick-2"]


def test_a_channel_that_takes_no_more_answers_holds_up_nobody_else() -> None:
    waiting = [*line(ANA, 3), *line(MIRA, 1, since=500.0)]
    assert [turn.turn_id for turn in chosen(waiting, Load(), Places(4), Rules(lambda one: one == "C1"))] == ["mira-1"]


@pytest.mark.parametrize(("nth", "of_others", "before"), [(1, [], 0), (7, [], 6), (1, [500], 1), (3, [1, 500], 6)])
def test_how_many_come_before(nth: int, of_others: list[int], before: int) -> None:
    assert ahead(nth, of_others) == before
