"""Results in the shape of seed 004."""

from typing import Any

import pytest

from ai.memory.compatible import as_results, columns_of, headline, rows_of
from ai.results.table import ResultColumn


def test_no_column_is_lost() -> None:
    columns = [ResultColumn("name"), ResultColumn("name")]
    assert as_results(columns, [("app", "team")]) == {"success": True, "data": [{"name": "app", "name_2": "team"}]}


def test_rows_with_different_keys_become_one_table() -> None:
    data: list[dict[str, Any]] = [{"a": 1}, {"b": 2, "a": None}]
    columns = columns_of(data)
    assert [column.name for column in columns] == ["a", "b"]
    assert rows_of(data, columns) == [(1, None), (None, 2)]


@pytest.mark.parametrize(("rows", "value"), [([(49,)], "49"), ([(1, 2)], ""), ([(1,), (2,)], ""), ([], "")])
def test_the_headline_is_the_only_value(rows: list[tuple[int, ...]], value: str) -> None:
    assert headline(rows) == value
