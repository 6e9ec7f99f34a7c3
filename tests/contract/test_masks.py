"""A mask follows its column: it may be shown, and nothing is computed, sorted or counted with it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ai.errors import Masked
from ai.sql.catalog import Catalog, Column, Table
from ai.sql.guard import check
from ai.sql.rights import Rights
from ai.types import ThreadKey
from bot.product import Product, open_product
from config import load
from tests.cases import cases
from tests.fuzz import mutations
from tests.memories import store_in

COLUMNS = {"staff": ("id", "name", "salary", "dept"), "orders": ("id", "staff_id", "amount")}
RIGHTS = Rights(masks={"staff": {"salary": "null", "name": "stars"}})
STAFF = """
CREATE TABLE staff (id INTEGER PRIMARY KEY, name TEXT, salary INTEGER, department TEXT);
INSERT INTO staff VALUES (1, 'Ada', 777001, 'Sales'), (2, 'Bo', 777002, 'Sales'), (3, 'Cy', 777003, 'Legal');
"""
CONFIG = """
sources: {shop: {url: "sqlite:///shop.db", rights: {masks: {staff: {salary: "null", name: stars}}}}}
channels: {"*": {source: shop}}
"""


@pytest.mark.parametrize("dialect", ["sqlite", "postgres", "mysql", "duckdb"])
@pytest.mark.parametrize("case", cases(Path(__file__).parent / "masked_sql.jsonl"))
def test_what_is_masked_is_only_shown(case: dict[str, Any], dialect: str) -> None:
    tables = (Table(name, tuple(Column(one, "", "other") for one in columns)) for name, columns in COLUMNS.items())
    catalog = Catalog("shop", dialect, tuple(tables))
    if case["runs"]:
        assert check(case["sql"], catalog, RIGHTS).mark or not case.get("reads_masked", True)
    else:
        with pytest.raises(Masked):
            check(case["sql"], catalog, RIGHTS)


@pytest.fixture
def product(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Product]:
    monkeypatch.chdir(tmp_path)
    with closing(sqlite3.connect("shop.db")) as connection:
        connection.executescript(STAFF)
    Path("shop.yaml").write_text(CONFIG, "utf-8")
    store_in(tmp_path)
    with open_product(load(config_file=Path("shop.yaml"), data_dir=tmp_path)) as opened:
        yield opened


@pytest.mark.parametrize(
    "question",
    [
        "what is the average salary?",
        "how many staff have a salary of 777002?",
        "total salary by department",
        "staff with salary above 700000",
        "highest salary",
        "staff by salary",
    ],
)
def test_a_question_about_masked_figures_is_told_so(question: str, product: Product) -> None:
    answer = product.orchestrator.process_message(question, ThreadKey("", "cli", "1"))
    assert answer.text.startswith("I cannot compute with salary, which is masked for you;")


@pytest.mark.parametrize("case", cases(Path(__file__).parent / "masked_replies.jsonl"))
def test_a_reply_with_masked_cells_says_so(case: dict[str, Any], tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection:
        connection.executescript(mutations.STAFF)
    (tmp_path / "shop.yaml").write_text(mutations.MASKED.format(folder=tmp_path), "utf-8")
    with open_product(load(config_file=tmp_path / "shop.yaml", data_dir=tmp_path / "data")) as product:
        for said in case["says"]:
            answer = product.orchestrator.process_message(said, ThreadKey("", "cli", "1"))
    assert answer.text.split("\n")[0] == case["text"]


def test_what_is_not_masked_is_answered(product: Product) -> None:
    answer = product.orchestrator.process_message("how many staff per department?", ThreadKey("", "cli", "1"))
    assert "2 for Sales" in answer.text
