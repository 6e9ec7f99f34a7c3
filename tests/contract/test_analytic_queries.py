"""Queries of analysts on live engines: the guard lets them through, and they give the same rows; attacks it refuses."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from ai.errors import SqlRefused
from ai.sql.catalog import Catalog
from ai.sql.database import Database
from ai.sql.guard import check
from ai.sql.rights import EVERYTHING, Rights
from tests.databases import databases
from tests.fuzz.twins import RUNS, Run

HERE = Path(__file__).parent / "analytic"
KINDS = ["sqlite", "duckdb", "postgres", pytest.param("mysql", marks=pytest.mark.slow)]
JSON = {"sqlite": "TEXT", "postgres": "JSONB"}  # JSON elsewhere
ALL_ROWS = {"orders": "id > 0", "products": "id > 0", "customers": "id > 0", "items": "qty > 0"}
KEPT = Rights(tables=frozenset({"customers", "orders", "products"}), denied={"customers": frozenset({"email"})})
OF_TABLES = "TABLESAMPLE"  # PostgreSQL samples tables alone, and a restricted one becomes a query


@pytest.fixture(scope="module", params=KINDS)
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Catalog, Run]]:
    kind = request.param
    script = (HERE / "schema.sql").read_text("utf-8").format(json=JSON.get(kind, "JSON"))
    with databases() as made, ExitStack() as opened:
        url = made.make(kind, tmp_path_factory.mktemp(kind), script)
        database = opened.enter_context(closing(Database("analytic", url)))
        yield database.catalog(), opened.enter_context(RUNS[kind](url))


def queries_for(kind: str) -> list[str]:
    return [sql for name in ("common", kind) for sql in (HERE / f"{name}.sql").read_text("utf-8").splitlines()]


def other(sql: str, catalog: Catalog, run: Run, rights: Rights) -> str:
    """Return how a query is refused or gives other rows, "" if it does not."""
    plain = run(sql)
    assert plain.startswith("["), (sql, plain)
    try:
        found = run(check(sql, catalog, rights).sql)
    except SqlRefused as refusal:
        return f"{sql}: {refusal}"
    return "" if found == plain else f"{sql}: {found} instead of {plain}"


@pytest.mark.parametrize("restricted", [False, True])
def test_queries_of_analysts_give_their_rows(engine: tuple[Catalog, Run], *, restricted: bool) -> None:
    catalog, run = engine
    rights = Rights(rows=ALL_ROWS, schema=catalog.schema) if restricted else EVERYTHING
    tried = [sql for sql in queries_for(catalog.dialect) if not (restricted and OF_TABLES in sql)]
    assert len(tried) > 40
    assert [said for sql in tried if (said := other(sql, catalog, run, rights))] == []


def test_attacks_on_what_is_kept_back_are_refused(engine: tuple[Catalog, Run]) -> None:
    catalog, _ = engine
    rights, passed = replace(KEPT, schema=catalog.schema), []
    lines = map(json.loads, (HERE / "attacks.jsonl").read_text("utf-8").splitlines())
    attacks = [line["sql"] for line in lines if line["kind"] in ("any", catalog.dialect)]
    for sql in attacks:
        with suppress(SqlRefused):
            passed.append(check(sql, catalog, rights).sql)
    assert passed == []
    assert len(attacks) > 50
