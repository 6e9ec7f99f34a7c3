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


BREAKS_DUCKDB = """
SELECT DISTINCT x1.id AS c0, x1.name AS c1, coalesce(x1.name, 'none') AS c2
FROM customers AS x1, LATERAL (WITH RECURSIVE secrets AS (SELECT 1 AS id UNION ALL SELECT id + 1
FROM secrets WHERE id < 3)
SELECT DISTINCT (SELECT count(*) FROM customers AS x6
LEFT JOIN orders AS x7 ON CASE WHEN x7.region > '5' THEN
abs(-9223372036854775807 - CAST(x7.region AS INTEGER)) ELSE 1 END = 1
WHERE CASE WHEN x1.name > '5' THEN CAST(x6.name AS INTEGER) ELSE 1 END = 1) AS c0,
(SELECT count(*) FROM secrets AS x8 WHERE NOT x1.id = x3.c1) AS c1, x3.c1 AS c2
FROM (SELECT x5.name AS c0, x5.id AS c1, x5.name AS c2 FROM customers AS x4
JOIN customers AS x5 ON x4.id IS NOT NULL WHERE NOT x5.name = x5.name) AS x3) AS x11
"""


@pytest.mark.parametrize("twins", ["duckdb"], indirect=True)
def test_an_internal_error_is_told_alike_and_the_engine_opened_anew(twins: Twins) -> None:
    one, two = twins.run(BREAKS_DUCKDB)
    assert one == two
    assert one.startswith("InternalException: INTERNAL Error: ")
    assert "\n" not in one
    assert twins.run("SELECT count(*) FROM customers") == ("['(2,)']", "['(2,)']")
