"""What is written down of a step comes back as it was, or is refused."""

from datetime import date
from typing import Any

import pytest

from ai.errors import DatathreadError, NoResult, QueryFailed, QueryTimeout, SqlRefused
from bot.engine.records import StepFailed, deserialize, serialize, small_json

OUR_ERRORS = [
    NoResult("There is nothing to export yet."),
    SqlRefused("Only SELECT may run.", "root"),
    QueryTimeout(2.5),
    QueryFailed("no such column: x"),
]


@pytest.mark.parametrize("value", [None, True, 0, 1.5, "naïve", [], [1, "a"], {"raised": {"name": "NoResult"}}])
def test_a_value_comes_back(value: Any) -> None:
    assert deserialize(serialize(value)) == value


@pytest.mark.parametrize("error", OUR_ERRORS, ids=lambda error: type(error).__name__)
def test_one_of_our_errors_comes_back_as_itself(error: DatathreadError) -> None:
    with pytest.raises(type(error)) as found:
        deserialize(serialize(error))
    again = found.value
    assert (type(again), again.args, vars(again)) == (type(error), error.args, vars(error))


def test_of_another_error_only_the_name_is_written() -> None:
    text = serialize(LookupError("Ada asked about her salary"))
    assert "Ada" not in text
    with pytest.raises(StepFailed, match="LookupError"):
        deserialize(text)


def test_a_long_fact_of_an_error_is_cut() -> None:
    assert len(serialize(QueryFailed("x" * 100_000))) < 4096


def test_a_step_sees_its_value_as_it_will_be_read_back() -> None:
    assert small_json("ids", (1, 2)) == [1, 2]


@pytest.mark.parametrize(
    "value", [{1, 2}, b"rows", date(2026, 1, 1), float("nan"), object()], ids=lambda value: type(value).__name__
)
def test_what_is_not_json_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="Step 'count' must return ids or small JSON"):
        small_json("count", value)


def test_what_is_not_small_is_refused() -> None:
    with pytest.raises(ValueError, match="Step 'rows' returned 5002 characters"):
        small_json("rows", "x" * 5000)
