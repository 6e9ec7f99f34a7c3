"""A meaning and its JSON."""

import json
from datetime import date

import pytest

from ai.nl2sql.meaning import (
    Field,
    Filter,
    Group,
    Having,
    Meaning,
    Measure,
    Order,
    Period,
    Presence,
    Scalar,
    from_json,
    to_json,
)
from ai.types import Json

REVENUE = Measure("sum", "metrics", "revenue")
EVERYTHING = Meaning(
    subject="apps",
    columns=(Field("apps", "name"),),
    measures=(REVENUE, Measure("count", "metrics")),
    groups=(Group("apps"), Group("metrics", "day", "month")),
    filters=(Filter(Field("apps", "price"), "in", (1, 1.5, "1", True)), Filter(Field("apps", "team"), "null")),
    periods=(Period(Field("metrics", "day"), date(2026, 1, 1), None),),
    presences=(Presence("reviews", present=False),),
    havings=(Having(REVENUE, ">", 10),),
    order=(Order(REVENUE, descending=True), Order(Field("apps", "name"))),
    limit=5,
    offset=1,
    distinct=True,
)


def test_json_gives_back_the_same_meaning() -> None:
    assert from_json(json.loads(json.dumps(to_json(EVERYTHING)))) == EVERYTHING


@pytest.mark.parametrize("value", [True, False, 0, 1, 1.0, 2**60, "1", "2026-01-01", ""])
def test_a_value_keeps_its_type(value: Scalar) -> None:
    meaning = Meaning("t", filters=(Filter(Field("t", "c"), "=", (value,)),))
    back = from_json(json.loads(json.dumps(to_json(meaning))))
    assert back is not None
    kept = back.filters[0].values[0]
    assert (type(kept), kept) == (type(value), value)


@pytest.mark.parametrize(
    "foreign", [None, [], "sql", {}, {"subject": 1}, {"subject": "t", "filters": [{"field": "x"}]}]
)
def test_json_of_somebody_else_is_no_meaning(foreign: Json) -> None:
    assert from_json(foreign) is None


def test_all_tables_that_are_spoken_of() -> None:
    assert EVERYTHING.tables == {"apps", "metrics"}
