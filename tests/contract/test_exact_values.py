"""From each database to the stored result and the CSV: every value stays what it was, as one line of data says."""

import csv
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ai.results.csv import Lines, plain
from ai.results.files import FileRules, write_csv_files, write_files
from ai.results.store import ResultStore
from ai.sql.database import Database
from ai.sql.guard import Checked
from tests.cases import cases
from tests.databases import Databases

CASES = [json.loads(line) for line in Path(__file__).with_name("exact.jsonl").read_text("utf-8").splitlines()]
BY_US = ("ARRAY[", "::time AS")  # types that the server is not asked to write
SERVER_WRITTEN = [
    case | {"lines": not any(word in case["sql"] for word in BY_US)} for case in CASES if case["kind"] == "postgres"
] + cases(Path(__file__).with_name("server_csv.jsonl"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("exact")


@pytest.mark.parametrize(
    "case", CASES, ids=[f"{case['kind'].replace('mysql', 'mariadb')}-{n}" for n, case in enumerate(CASES)]
)
def test_a_value_stays_what_it_was(machine: Databases, folder: Path, tmp_path: Path, case: dict[str, Any]) -> None:
    url = machine.make(case["kind"], folder, "SELECT 1")
    store, sql = ResultStore(tmp_path), f"SELECT x, x AS x FROM ({case['sql']}) AS q"
    with closing(Database("exact", url)) as database, database.run(Checked(sql, sql, ())) as stream:
        stored = store.keep("q1", stream.columns, stream.blocks, max_rows=100, max_bytes=10**6)
    assert [column.name for column in stored.columns] == ["x", "x"]
    cells = [None if first is None else plain(first) for first, _ in store.head("q1").rows]
    assert cells == case["cells"]
    *_, done = write_files("csv", tmp_path / "q1", stored.columns, store.blocks("q1"), FileRules(formula_guard=False))
    with done.paths[0].open(newline="", encoding="utf-8") as file:
        header, *lines = csv.reader(file)
    assert header == ["x", "x_2"]
    assert [first for first, _ in lines] == [cell or "" for cell in case["cells"]]


@pytest.fixture(scope="module")
def server(machine: Databases, folder: Path) -> Iterator[Database]:
    with closing(Database("exact", machine.make("postgres", folder, "SELECT 1"))) as database:
        yield database


@pytest.mark.parametrize("formula_guard", [True, False])
@pytest.mark.parametrize("case", SERVER_WRITTEN, ids=lambda case: case["sql"][:40])
def test_a_server_writes_the_csv_that_we_would(
    server: Database, tmp_path: Path, case: dict[str, Any], formula_guard: bool
) -> None:
    sql, rules = f"SELECT x, x AS x FROM ({case['sql']}) AS q", FileRules(formula_guard=formula_guard)
    checked = Checked(sql, sql, ())
    with server.run(checked) as ours:
        *_, expected = write_files("csv", tmp_path / "ours", ours.columns, ours.blocks, rules)
    with server.run_for_csv(checked, formula_guard=formula_guard) as theirs:
        blocks = list(theirs.blocks)
    *_, found = write_csv_files(tmp_path / "theirs", theirs.columns, blocks, rules)
    assert all(isinstance(block, Lines) for block in blocks) is case["lines"]
    assert found.paths[0].read_bytes() == expected.paths[0].read_bytes()
    assert found.rows == expected.rows
