"""Names of columns."""

import pytest

from ai.results.table import ResultColumn, titles


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["a", "b"], ["a", "b"]),
        (["a", "a"], ["a", "a_2"]),
        (["a", "a", "a"], ["a", "a_2", "a_3"]),
        (["a", "a_2", "a"], ["a", "a_2", "a_3"]),
        (["a", "a", "a_2"], ["a", "a_3", "a_2"]),
        ([], []),
    ],
)
def test_columns_of_one_name_are_told_apart(names: list[str], told: list[str]) -> None:
    assert titles([ResultColumn(name) for name in names]) == told
