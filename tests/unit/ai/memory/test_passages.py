"""Which messages a passage means."""

from pathlib import Path

import pytest
from sqlalchemy import func, select

from ai.memory.log.database import reading
from ai.memory.log.passages import Passage
from ai.memory.log.tables import MESSAGE
from tests.memories import ask, opened


@pytest.mark.parametrize(
    ("numbers", "intervals"),
    [
        ([], ()),
        ([4], ((4, 4),)),
        ([3, 1, 2], ((1, 3),)),
        ([1, 2, 5, 6, 9], ((1, 2), (5, 6), (9, 9))),
        ([2, 2, 3], ((2, 3),)),
    ],
)
def test_numbers_are_told_as_intervals(numbers: list[int], intervals: tuple[tuple[int, int], ...]) -> None:
    assert Passage.of(numbers) == Passage(intervals)
    assert Passage.stored(Passage.of(numbers).storable) == Passage(intervals)


def test_what_is_in_any_of_several_is_joined() -> None:
    assert Passage.all_of([Passage(((1, 3), (9, 9))), Passage(((2, 5),)), Passage(((6, 7),))]) == Passage(
        ((1, 7), (9, 9))
    )


def test_a_passage_of_very_many_pieces_can_be_asked_for(tmp_path: Path) -> None:
    count = select(func.count()).select_from(MESSAGE)
    with opened(tmp_path, url="sqlite://") as memory:
        ask(memory, 1, "one")
        ask(memory, 2, "two")
        with reading(memory.parts.conversations.engine) as connection:
            assert connection.execute(count.where(Passage.of(range(0, 6000, 2)).condition)).scalar() == 1
            assert connection.execute(count.where(Passage.of([1, 2, 7]).condition)).scalar() == 2
            assert connection.execute(count.where(Passage.of([]).condition)).scalar() == 0
