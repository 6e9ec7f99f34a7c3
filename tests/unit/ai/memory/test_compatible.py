"""Results in the shape of seed 004."""

from pathlib import Path
from typing import Any

import pytest

from ai.memory.compatible import as_results, columns_of, headline, rows_of
from ai.memory.limits import MemoryLimits
from ai.results.table import ResultColumn
from tests.memories import opened


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


def test_the_names_of_the_seed_read_one_memory(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        memory.add_user_message("1.1", "how many apps?")
        assert memory.get_last_sql_query("1.1") is None
        assert memory.get_last_query_results("1.1") is None
        assert ([*memory._store], [*memory._sql_queries]) == (["1.1"], [])
        memory.store_sql_query("1.1", "SELECT 49", "how many apps?", {"data": [{"n": 49}]})
        memory.store_sql_query("1.1", "SELECT oops", "how many?", {"success": False})
        memory.store_sql_query("1.1", "SELECT 1", "one?")
        (counted, unseen) = memory.get_sql_queries("1.1")
        assert (counted["sql"], counted["question"]) == ("SELECT 49", "how many apps?")
        assert counted["results"] == {"success": True, "data": [{"n": 49}]}
        assert (unseen["sql"], unseen["results"]) == ("SELECT 1", None)
        assert memory.get_last_sql_query("1.1") == unseen
        assert memory._sql_queries["1.1"] == [counted, unseen]
        memory.add_assistant_message("1.1", "There are 49.")
        assert [message.content for message in memory._store["1.1"].messages] == ["how many apps?", "There are 49."]
        assert (len(memory._store), "2.2" in memory._store) == (1, False)
        memory.add_user_message("T1/C1/2.2", "and users?")
        assert [*memory._store] == ["1.1", "T1/C1/2.2"]
        assert memory._estimate_message_tokens(memory.get_messages("1.1")) == 14 // 4 + 13 // 4
        memory.clear("1.1")
        assert memory.get_messages("1.1") == []


def test_a_thread_keeps_as_many_queries_as_its_limit(tmp_path: Path) -> None:
    with opened(tmp_path, MemoryLimits(queries=2)) as memory:
        for number in range(3):
            memory.store_sql_query("1.1", f"SELECT {number}", f"question {number}", {"data": [{"n": number}]})
        assert [query["question"] for query in memory.get_sql_queries("1.1")] == ["question 1", "question 2"]
