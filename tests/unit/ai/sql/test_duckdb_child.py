"""What the process of DuckDB answers, in this process: lines of `duckdb_child.jsonl`."""

import pickle
from collections.abc import Iterator
from contextlib import closing, nullcontext
from io import BytesIO
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from ai.sql.engines.duckdb import child
from ai.sql.engines.duckdb.worker import Worker
from tests.cases import cases

LIMITS = {"rows": 3, "cell_bytes": 40}


def replies(connection: duckdb.DuckDBPyConnection, sql: str) -> Iterator[Any]:
    """Answer one statement as the child does, batches read back."""
    schema = pa.schema([])
    kinds = child.streamed(connection, sql, **LIMITS) if child.judged(connection, sql) else child.whole(connection, sql)
    for kind, content in kinds:
        if kind == "schema":
            schema = pa.ipc.read_schema(pa.py_buffer(content))
        elif kind == "batch":
            yield from ([*row.values()] for row in pa.ipc.read_record_batch(content, schema).to_pylist())
        else:
            yield [list(each) for each in content]


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("duckdb_child.jsonl")))
def test_a_statement_is_answered_or_refused(case: dict[str, Any]) -> None:
    with closing(duckdb.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE t AS SELECT range AS n, 'name ' || range AS name FROM range(5)")
        refused = "says" in case
        with pytest.raises((ValueError, PermissionError), match=case["says"]) if refused else nullcontext():
            columns, *rows = replies(connection, case["sql"])
            assert columns == case.get("columns", columns)
            assert case["rows"] == (rows if "columns" in case else len(rows[0]) > 0)


def test_a_process_answers_one_query_after_another(tmp_path: Path) -> None:
    duckdb.connect(tmp_path / "shop.duckdb").close()
    request: dict[str, Any] = {"path": str(tmp_path / "shop.duckdb"), "memory": 2**27, "blind": False, **LIMITS}
    with closing(Worker()) as worker:
        for sql in ("SELECT 1", "SELECT 2"):
            assert worker.is_ready
            assert [kind for kind, _ in worker.ask(statements=(sql,), **request)] == ["columns", "schema", "batch"]
        assert worker.is_ready


def test_a_reply_stands_behind_its_length() -> None:
    sent = BytesIO()
    child.send(sent, ("end",))
    child.send(sent, {"n": 1})
    sent.seek(0)
    read = []
    while head := sent.read(child.LENGTH.size):
        read.append(pickle.loads(sent.read(*child.LENGTH.unpack(head))))
    assert read == [("end",), {"n": 1}]
