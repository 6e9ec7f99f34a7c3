"""Threads about small companies, a script, a file of readings and mostly a semantics file each.

`academy`: states beside days, revenue without a column called so, people by one name, who is behind a thing. `bank`:
states that are words of grammar, joins by parents, two figures at once. `bazaar`: a table of codes, people who sell and
buy, days of trials, means of daily figures. `box_office`: shortened names and coded
states, short names of firms and shows, what points at nothing. `cycle`: keys without a mark, several owners of a place,
test rows, days of states, earners, two values together. `practice`: words within names, no-shows, what is late
or overdue, ages, the worth of lines with a discount. `roastery`: keys called like others, who did it, pence, the days of
an order, days picked by their rows, slips, why people leave.
"""

from pathlib import Path
from typing import Any

import pytest

from ai.nl2sql.reader import Doubt
from ai.sql.database import Database
from ai.sql.semantics import NO_SEMANTICS, Semantics, fitting, read_semantics
from tests.cases import cases
from tests.unit.ai.nl2sql.store import assert_read_as, open_store, read_thread

HERE = Path(__file__).parent
COMPANIES = ("academy", "bank", "bazaar", "box_office", "cycle", "practice", "roastery")


@pytest.fixture(scope="module")
def companies(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Database, Semantics]]:
    folder = tmp_path_factory.mktemp("companies")
    opened = {name: open_store(folder, HERE / f"{name}.sql") for name in COMPANIES}
    return {name: (database, defined(name, database)) for name, database in opened.items()}


def defined(name: str, database: Database) -> Semantics:
    file = HERE / f"{name}.yaml"
    return fitting(read_semantics(file).semantics, database.catalog()) if file.exists() else NO_SEMANTICS


@pytest.mark.parametrize(
    ("name", "case"),
    [
        pytest.param(name, *case.values, id=f"{name} {case.id}")
        for name in COMPANIES
        for case in cases(HERE / f"{name}_readings.jsonl")
    ],
)
def test_a_small_company_is_asked_about(
    name: str, case: dict[str, Any], companies: dict[str, tuple[Database, Semantics]]
) -> None:
    database, semantics = companies[name]
    found = read_thread(case["asked"], database.catalog(), semantics)
    if "says" in case:
        assert isinstance(found, Doubt), found
        assert found.reason == case["says"]
    else:
        assert_read_as(case, found, database)
