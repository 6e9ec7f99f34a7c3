"""Twin databases differ only in what is kept back: rows, columns, masked values. No query may tell them apart."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from tests.cases import cases
from tests.databases import databases
from tests.fuzz.twins import Twins, grown
from tests.fuzz.twins import twins as made_twins

KINDS = ["sqlite", "duckdb", "postgres", pytest.param("mysql", marks=pytest.mark.slow)]


@pytest.fixture(scope="module")
def twins(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twins]:
    with databases() as made, made_twins(made, request.param, tmp_path_factory.mktemp(request.param)) as found:
        yield found


@pytest.mark.parametrize("twins", KINDS, indirect=True)
@pytest.mark.parametrize("case", cases(Path(__file__).parent / "interference.jsonl"))
def test_what_is_kept_back_changes_nothing(case: dict[str, str], twins: Twins) -> None:
    one, two = twins.told(case["sql"])
    assert one == two


@pytest.mark.parametrize("twins", KINDS, indirect=True)
def test_no_grown_query_tells_twins_apart(twins: Twins) -> None:
    kind = twins.catalog.dialect
    different = [sql for sql in islice(grown(Random(11), kind), 150) if len(set(twins.told(sql))) > 1]
    assert different == []


@pytest.mark.parametrize("twins", ["duckdb"], indirect=True)
def test_the_first_row_of_each_group_is_found_without_statistics(twins: Twins) -> None:
    one, two = twins.told("SELECT id FROM orders QUALIFY row_number() OVER (PARTITION BY customer ORDER BY id) = 1")
    assert one == two == "['(1,)', '(2,)']"
