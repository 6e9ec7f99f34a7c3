"""What a store of results must do: give back exactly what was written, bounded, and never half of it."""

import math
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import text

from ai.errors import NoResult, RowsAway
from ai.memory.log.database import writing
from ai.memory.log.kept_files import DatabaseFiles
from ai.memory.opening import open_engine
from ai.results.places import FolderFiles, KeptFiles
from ai.results.places.bucket import BucketFiles
from ai.results.store import ResultStore, StoredResult
from ai.results.table import ResultColumn, Row
from tests.buckets import Buckets, buckets
from tests.memories import store_in

UNBOUNDED = 10**12
moment = datetime.fromisoformat
NAIVE = moment("2024-01-01")
VALUES: dict[str, list[Any]] = {
    "whole numbers": [0, -1, 2**53 + 1, 2**63 - 1, -(2**63), None],
    "whole numbers beyond 64 bits": [2**63, 10**40, None, 1],
    "numbers": [0.1, -0.0, math.inf, -math.inf, 5e-324, None],
    "whole and broken numbers": [1, 1.0, 2**60 + 1, 0.5, None],
    "decimals": [Decimal("1.10"), Decimal("1.1"), Decimal("-0"), Decimal("1E+30"), Decimal("NaN"), None],
    "texts": ["", " ", "a", "Ünïcode 🌍", "a\nb", 'q"', "\x00", None],
    "binary": [b"", b"\x00\xff", None],
    "booleans": [True, False, None],
    "booleans and numbers": [True, 1, 0, False],
    "dates": [date(1, 1, 1), date(9999, 12, 31), None],
    "moments": [moment("0001-01-01"), moment("9999-12-31T23:59:59.999999"), None],
    "moments with an offset": [
        datetime(2024, 1, 1, tzinfo=UTC),
        datetime(2024, 1, 1, tzinfo=timezone(-timedelta(hours=5))),
    ],
    "moments with and without": [NAIVE, datetime(2024, 1, 1, tzinfo=UTC)],
    "dates and moments": [date(2024, 1, 1), NAIVE],
    "times": [time(1, 2, 3, 4), timedelta(days=-1, microseconds=1), None],
    "json": [{"a": [1, None, "x"]}, [], [1.5], None],
    "json within json": [[Decimal("1.10"), {1: date(2024, 1, 1)}], {"n": None, "l": [b"1", NAIVE]}],
    "moments in UTC": [NAIVE.replace(tzinfo=UTC), None, datetime(1, 1, 1, tzinfo=UTC)],
    "broken text": ["\ud800", "x"],
    "first nothing": [None, None, 5, None],
    "first nothing, then anything": [None, 5, "five", None],
    "ids": [UUID(int=7), None],
    "everything": [1, 1.5, "1", b"1", True, None, Decimal("1"), date(1, 2, 3), "", math.inf],
    "nothing": [None, None],
}


@pytest.fixture(scope="module")
def s3() -> Iterator[Buckets]:
    with buckets() as running:
        yield running


@pytest.fixture(params=["folder", "sqlite", "postgresql", "file", "s3"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[KeptFiles]:
    """Every place where results may be kept."""
    kind: str = request.param
    if kind in ("sqlite", "postgresql"):
        engine = open_engine(store_in(tmp_path) if kind == "sqlite" else request.getfixturevalue("state_url"))
        yield DatabaseFiles(engine)
        with writing(engine) as connection:
            connection.execute(text("DELETE FROM kept_chunk"))
            connection.execute(text("DELETE FROM kept_file"))
        engine.dispose()
    elif kind == "folder":
        yield FolderFiles(tmp_path / "results")
    else:
        yield BucketFiles(f"file://{tmp_path}/elsewhere" if kind == "file" else request.getfixturevalue("s3").new_url())


@pytest.fixture
def store(place: KeptFiles, tmp_path: Path) -> ResultStore:
    return ResultStore(tmp_path / "results", files=place)


def kept(store: ResultStore) -> list[str]:
    """The names of all that is kept or left, where results are kept and where they are made."""
    made = {path.name for path in store.root.iterdir()}
    return sorted({file.name for file in store.files.listed()} | made)


def columns(*names: str) -> tuple[ResultColumn, ...]:
    return tuple(ResultColumn(name, "TYPE") for name in names)


def write(store: ResultStore, handle: str, *batches: Sequence[Row], names: Sequence[str] = ("a",)) -> StoredResult:
    return store.write(handle, columns(*names), batches, max_rows=UNBOUNDED, max_bytes=UNBOUNDED)


def rows_of(store: ResultStore, handle: str) -> list[Row]:
    return [row for batch in store.batches(handle) for row in batch]


def told(rows: Sequence[Row]) -> list[str]:
    """Rows with their types, so that 1, 1.0 and True differ, and -0.0 from 0.0."""
    return [repr(row) for row in rows]


@pytest.mark.parametrize("kind", VALUES)
def test_values_come_back_exactly(store: ResultStore, kind: str) -> None:
    rows = [(value,) for value in VALUES[kind]]
    write(store, "r", rows)
    assert told(rows_of(store, "r")) == told(rows)


@pytest.mark.parametrize("kind", VALUES)
def test_values_come_back_exactly_when_each_comes_later(store: ResultStore, kind: str) -> None:
    batches = [[(value, number)] for number, value in enumerate(VALUES[kind])]
    write(store, "r", *batches, names=("a", "n"))
    assert told(rows_of(store, "r")) == told([row for batch in batches for row in batch])


def test_not_a_number_is_not_null(store: ResultStore) -> None:
    write(store, "r", [(math.nan,), (None,)])
    (first,), (second,) = rows_of(store, "r")
    assert math.isnan(first)
    assert second is None


def test_names_may_repeat(store: ResultStore) -> None:
    write(store, "r", [(1, "x", None)], names=("id", "id", ""))
    assert store.head("r").columns == columns("id", "id", "")
    assert store.head("r").rows == ((1, "x", None),)


def test_a_result_without_rows_keeps_its_columns(store: ResultStore) -> None:
    stored = write(store, "r", [], names=("a", "b"))
    assert (stored.row_count, stored.truncated) == (0, False)
    assert store.head("r").columns == columns("a", "b")
    assert rows_of(store, "r") == []


def test_what_was_written_is_described(store: ResultStore) -> None:
    stored = write(store, "r", [(1,)] * 700, [(2,)] * 300)
    assert stored == store.describe("r")
    assert stored.row_count == 1000
    assert 0 < stored.size < 5000


def test_a_replaced_result_is_described_anew(store: ResultStore) -> None:
    write(store, "r", [(1,)])
    assert store.describe("r").rights == ""
    again = write(store.under("narrow"), "r", [(2,)])
    assert store.describe("r") == again
    store.delete("r")
    with pytest.raises(NoResult):
        store.describe("r")


def test_the_head_is_short_and_knows_the_whole(store: ResultStore) -> None:
    write(store, "r", *([(n,)] * 100 for n in range(5)))
    head = store.head("r", 150)
    assert head.rows == ((0,),) * 100 + ((1,),) * 50
    assert head.row_count == 500
    assert store.head("r", 0).rows == ()


def test_rows_beyond_the_bound_are_left_out_and_that_is_said(store: ResultStore) -> None:
    stored = store.write("r", columns("a"), [[(1,), (2,)], [(3,), (4,)]], max_rows=3, max_bytes=UNBOUNDED)
    assert (stored.row_count, stored.truncated) == (3, True)
    assert rows_of(store, "r") == [(1,), (2,), (3,)]
    assert store.head("r").truncated


def test_exactly_as_many_rows_as_allowed_are_the_whole(store: ResultStore) -> None:
    assert not store.write("r", columns("a"), [[(1,), (2,)]], max_rows=2, max_bytes=UNBOUNDED).truncated


def test_bytes_beyond_the_bound_are_left_out_and_that_is_said(store: ResultStore) -> None:
    text = "x" * 1000
    stored = store.write("r", columns("a"), [[(text,)] * 5, [(text,)] * 5], max_rows=UNBOUNDED, max_bytes=7500)
    assert (stored.row_count, stored.truncated) == (7, True)


def test_an_endless_stream_is_left_at_the_bound(store: ResultStore) -> None:
    def endless() -> Iterator[list[Row]]:
        while True:
            yield [(1,)] * 100

    assert store.write("r", columns("a"), endless(), max_rows=1000, max_bytes=UNBOUNDED).row_count == 1000


def test_writing_again_replaces(store: ResultStore) -> None:
    write(store, "r", [(1,)])
    reading = store.batches("r")
    write(store, "r", [(2,)])
    assert rows_of(store, "r") == [(2,)]
    assert list(reading) in ([[(1,)]], [[(2,)]])


def test_a_stream_that_fails_leaves_what_was_there(store: ResultStore) -> None:
    def failing() -> Iterator[list[Row]]:
        yield [(2,)]
        yield [("text",)]
        raise RuntimeError("the database went away")

    write(store, "r", [(1,)])
    with pytest.raises(RuntimeError, match="went away"):
        store.write("r", columns("a"), failing(), max_rows=UNBOUNDED, max_bytes=UNBOUNDED)
    assert rows_of(store, "r") == [(1,)]
    assert kept(store) == ["r.arrow"]


def test_what_is_deleted_is_gone(store: ResultStore) -> None:
    store.delete("r")
    write(store, "r", [(1,)])
    (store.root / ".r.0.part").write_text("left by a process that was killed")
    store.delete("r")
    assert kept(store) == []
    for ask in (store.head, store.describe, store.batches):
        with pytest.raises(NoResult):
            ask("r")


@pytest.mark.parametrize("handle", ["", ".", "..", "../r", "a/b", "a\\b", ".hidden", "r\n", "ü", "x" * 300])
def test_a_handle_is_a_plain_word(store: ResultStore, handle: str) -> None:
    with pytest.raises(NoResult):
        write(store, handle, [(1,)])
    with pytest.raises(NoResult):
        store.delete(handle)


def test_a_damaged_file_counts_as_gone(store: ResultStore) -> None:
    write(store, "r", [("x" * 10_000,)])
    with store.files.open("r.arrow") as file:
        whole = file.read()
    for damaged in (b"", b"not arrow", whole[:-200]):
        (part := store.root / ".damaged").write_bytes(damaged)
        store.files.put("r.arrow", part)
        with pytest.raises(NoResult, match="cannot be read any more; ask the question again"):
            store.head("r")


def test_the_file_is_smaller_than_its_rows(store: ResultStore) -> None:
    stored = write(store, "r", [("the same words again", n) for n in range(5000)], names=("a", "n"))
    assert stored.size < 30_000


def test_a_copy_outlives_what_it_is_a_copy_of(store: ResultStore) -> None:
    write(store, "q1", [(1,), (2,)])
    store.copy("q1", "state-1")
    store.copy("q1", "state-1")
    write(store, "q1", [(3,)])
    store.delete("q1")
    assert rows_of(store, "state-1") == [(1,), (2,)]
    assert kept(store) == ["state-1.arrow"]


@pytest.mark.slow
def test_a_place_that_is_away_is_named_and_found_again(tmp_path: Path) -> None:
    with buckets() as server:
        url = server.new_url()
        store = ResultStore(tmp_path / "results", files=BucketFiles(url))
        write(store, "r", [(1,)])
        store.ping()
        server.stop()
        for ask in (store.ping, lambda: store.head("other"), lambda: write(store, "r", [(2,)])):
            with pytest.raises(RowsAway, match=r"s3://rows/.* does not answer"):
                ask()
        assert [path.name for path in store.root.iterdir()] == []
        server.start()
        assert write(store, "r", [(2,)]).row_count == 1


def test_nothing_is_copied_from_what_is_not_there(store: ResultStore) -> None:
    with pytest.raises(NoResult):
        store.copy("q1", "state-1")
