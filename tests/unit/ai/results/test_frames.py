"""Results as data frames and Parquet files: what goes in comes out."""

from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ai.errors import NoResult, UserError
from ai.results.cells import Block
from ai.results.files import FileRules, write_files
from ai.results.store import ResultStore
from ai.results.table import ResultColumn

BIG = 2**53 + 1
MOMENT = datetime(2026, 11, 22, 9, 30, tzinfo=UTC)
COLUMNS: dict[str, list[Any]] = {
    "whole": [BIG, None],
    "number": [0.1, None],
    "text": ["<b>", None],
    "flag": [True, None],
    "day": [date(1, 1, 1), None],
    "local": [datetime(9999, 12, 31, 23, 59), None],  # noqa: DTZ001 - of a column without a time zone
    "moment": [MOMENT, None],
    "amount": [Decimal("12.340"), None],
    "huge": [Decimal("1E+60"), None],
    "beyond": [2**80, None],
    "mixed": [1, "two"],
    "raw": [b"\x00", None],
    "nothing": [None, None],
}
ROWS = list(zip(*COLUMNS.values(), strict=True))


@pytest.fixture
def store(tmp_path: Path) -> ResultStore:
    store = ResultStore(tmp_path)
    store.write("q1", list(map(ResultColumn, COLUMNS)), [ROWS[:1], ROWS[1:]], max_rows=9, max_bytes=10**6)
    return store


def test_a_data_frame_has_exact_types(store: ResultStore) -> None:
    frame = store.kept("q1").to_pandas()
    kinds = {name: str(kind) for name, kind in frame.dtypes.items()}
    assert kinds == {
        "whole": "Int64", "number": "Float64", "text": "string", "flag": "boolean", "day": "object",
        "local": "datetime64[us]", "moment": "datetime64[us, UTC]", "amount": "object", "huge": "object",
        "beyond": "object", "mixed": "object", "raw": "object", "nothing": "object",
    }  # fmt: skip
    first = dict(zip(COLUMNS, frame.iloc[0].tolist(), strict=True))
    assert first["whole"] == BIG
    assert [first[name] for name in ("day", "amount", "beyond", "raw")] == [
        date(1, 1, 1),
        Decimal("12.340"),
        2**80,
        b"\x00",
    ]
    assert (first["local"].year, first["moment"]) == (9999, MOMENT)
    assert frame["whole"].isna().tolist() == [False, True]
    assert frame["whole"].sum() == BIG


def test_equal_names_and_no_rows_are_kept(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    store.write("q2", [ResultColumn("n"), ResultColumn("n")], [[(1, 2)]], max_rows=9, max_bytes=999)
    frame = store.kept("q2").to_pandas()
    assert (frame.columns.tolist(), frame.iloc[0].tolist()) == (["n", "n"], [1, 2])
    assert store.kept("q2").to_arrow().column_names == ["n", "n_2"]
    store.write("q3", [ResultColumn("n")], [], max_rows=9, max_bytes=999)
    assert store.kept("q3").to_pandas().shape == (0, 1)
    with pytest.raises(NoResult):
        store.kept("q4")


def test_a_parquet_file_has_exact_types(store: ResultStore, tmp_path: Path) -> None:
    store.kept("q1").to_parquet(tmp_path / "rows.parquet")
    table = pq.read_table(tmp_path / "rows.parquet")
    kinds = dict(zip(table.column_names, table.schema.types, strict=True))
    assert kinds["whole"] == pa.int64()
    assert kinds["moment"] == pa.timestamp("us", "UTC")
    assert kinds["amount"] == pa.decimal128(5, 3)
    assert kinds["beyond"] == pa.decimal128(25, 0)
    assert kinds["huge"] == kinds["mixed"] == pa.string()
    assert table.column("whole").to_pylist() == [BIG, None]
    assert table.column("mixed").to_pylist() == ["1", "two"]


def test_a_parquet_export_is_bounded(tmp_path: Path) -> None:
    blocks = [Block.of([(number,)]) for number in range(3)]
    *_, done = write_files("parquet", tmp_path / "rows", [ResultColumn("n")], blocks, FileRules())
    assert (done.rows, done.paths[0].name) == (3, "rows.parquet")
    with pytest.raises(UserError, match="ask for CSV"):
        list(write_files("parquet", tmp_path / "rows", [ResultColumn("n")], blocks, FileRules(file_bytes=10)))
