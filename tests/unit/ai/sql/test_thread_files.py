"""Files of threads become tables that only their thread reads, and that go when they are forgotten."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ai.errors import SqlRefused, UserError
from ai.sql.thread_files import ThreadFiles
from ai.types import ThreadKey

HERE, THERE = ThreadKey("T", "C", "1.1"), ThreadKey("T", "C", "2.2")
CSV = b"Name,Order Date,2026 total,name\nAda,2026-10-01,10,x\n"


@pytest.fixture
def files(tmp_path: Path) -> Iterator[ThreadFiles]:
    with closing(ThreadFiles(tmp_path / "files", {})) as opened:
        yield opened


def test_columns_are_spelled_as_people_say_them_and_only_the_thread_reads_them(files: ThreadFiles) -> None:
    assert files.add(HERE, "t1", "UANA", "My Leads.csv", CSV) == "my_leads"
    assert files.add(HERE, "t2", "UBEN", "more.csv", b"a\n1\n") == "more"
    source = files.source_of(HERE)
    assert source is not None
    assert files.source_of(THERE) is None
    seen = files[source].seen_by((source,))
    columns = {table.name: [column.name for column in table.columns] for table in seen.catalog().tables}
    assert columns == {"my_leads": ["name", "order_date", "n_2026_total", "name_1"], "more": ["a"]}
    assert files[source].seen_by(("finance",)).catalog().tables == ()
    with pytest.raises(SqlRefused):
        files[source].seen_by(()).check("SELECT * FROM my_leads")


@pytest.mark.parametrize("content", [b"", b"\x00\x01\x02\xff\xfe"])
def test_what_is_no_table_is_refused_and_changes_nothing(files: ThreadFiles, content: bytes) -> None:
    with pytest.raises(
        UserError, match=r"^“x\.csv” does not read as a table: save it as CSV in UTF-8, with the names of"
    ):
        files.add(HERE, "t1", "UANA", "x.csv", content)
    assert files.source_of(HERE) is None


@pytest.mark.parametrize("name", ["other", "files-0123456789abcdef", "files-../../etc", ""])
def test_what_is_no_source_of_a_thread_is_not_opened(files: ThreadFiles, name: str) -> None:
    with pytest.raises(KeyError):
        files[name]


def test_a_thread_holds_few_tables(files: ThreadFiles) -> None:
    for number in range(5):
        files.add(HERE, "t", "UANA", f"n{number}.csv", b"a\n1\n")
    with pytest.raises(UserError, match=r"^This thread holds 5 tables already; drop the file in a new thread\.$"):
        files.add(HERE, "t", "UANA", "n6.csv", b"a\n1\n")


@pytest.mark.parametrize("which", [{"threads": [str(HERE)]}, {"person": "UANA"}, {"turn_id": "t1"}])
def test_files_are_forgotten(files: ThreadFiles, which: dict[str, Any]) -> None:
    files.add(HERE, "t1", "UANA", "a.csv", CSV)
    files.add(THERE, "t2", "UBEN", "b.csv", CSV)
    files.forget(**which)
    assert [key for key, _ in files.kept()] == [THERE]
    assert files.source_of(HERE) is None


def test_a_file_that_is_expected_is_looked_at_once_and_forgotten_with_its_turn(files: ThreadFiles) -> None:
    for turn, name in (("t1", "a.csv"), ("t1", "a.csv"), ("t2", "b.csv")):
        files.expect(HERE, turn, "UANA", name, {"name": name})
    assert files.source_of(HERE) is None  # nothing is there to ask yet
    assert [(one.turn_id, one.where["name"]) for one in files.expected(HERE)] == [("t1", "a.csv"), ("t2", "b.csv")]
    assert not list(files.expected(HERE))
    files.expect(HERE, "t3", "UANA", "c.csv", {"name": "c.csv"})
    files.forget(turn_id="t3")
    assert not list(files.expected(HERE))


def test_tables_are_called_like_their_files_and_columns_never_the_same(files: ThreadFiles) -> None:
    names = {"My Leads.csv": "my_leads", "2026.csv": "n_2026", "___.csv": "file", "größe (1).CSV": "größe_1"}
    assert {name: files.add(HERE, "t1", "UANA", name, b"--,a,a!\nx,2,3\n") for name in names} == names
    source = str(files.source_of(HERE))
    tables = files[source].seen_by((source,)).catalog().tables
    assert {table.name for table in tables} == {*names.values()}
    assert {tuple(column.name for column in table.columns) for table in tables} == {("column_1", "a", "a_3")}


def test_a_file_of_the_same_name_takes_the_place_of_the_one_before(files: ThreadFiles) -> None:
    for number in range(5):
        files.add(HERE, "t", "UANA", f"n{number}.csv", b"a\n1\n")
    source = str(files.source_of(HERE))
    before = files[source]
    assert files[source] is before
    files.add(HERE, "t", "UANA", "n1.csv", b"b\n2\n3\n")
    assert files[source] is not before
    seen = files[source].seen_by((source,))
    assert {table.name: table.columns[0].name for table in seen.catalog().tables}["n1"] == "b"
    with seen.run(seen.check("SELECT sum(b) FROM n1")) as stream:
        assert [row for batch in stream.batches for row in batch] == [(5,)]


def test_what_another_process_adds_is_read(files: ThreadFiles) -> None:
    files.add(HERE, "t1", "UANA", "a.csv", CSV)
    source = str(files.source_of(HERE))
    assert len(files[source].seen_by((source,)).catalog().tables) == 1
    with closing(ThreadFiles(files.folder, {})) as other:
        other.add(HERE, "t2", "UANA", "b.csv", CSV)
    assert len(files[source].seen_by((source,)).catalog().tables) == 2


def test_given_sources_come_before_those_of_threads(files: ThreadFiles) -> None:
    files.add(HERE, "t1", "UANA", "a.csv", CSV)
    source = str(files.source_of(HERE))
    with closing(ThreadFiles(files.folder, {"shop": files[source]})) as both:
        assert (list(both), len(both), both["shop"]) == (["shop"], 1, files[source])
        assert both[source] is not files[source]


def test_files_are_kept_from_other_accounts_and_all_can_go(files: ThreadFiles) -> None:
    files.add(HERE, "t1", "UANA", "a.csv", CSV)
    files.expect(HERE, "t1", "UANA", "b", {})
    (home,) = files.folder.iterdir()
    assert home.stat().st_mode & 0o777 == 0o700
    assert {file.stat().st_mode & 0o777 for file in home.iterdir()} == {0o600}
    files.forget_everything()
    assert not files.folder.exists()
    assert not list(files.kept())


def test_files_of_whom_nobody_knows_are_forgotten_with_the_next(files: ThreadFiles) -> None:
    files.add(HERE, "t1", "UANA", "a.csv", CSV)
    (home,) = files.folder.iterdir()
    (home / "facts.json").write_text("{", "utf-8")
    assert not list(files.kept())
    files.forget(person="UBEN")
    assert files.source_of(HERE) is None


def test_a_thread_is_of_all_who_dropped_something(files: ThreadFiles) -> None:
    files.add(HERE, "t1", "UANA", "a.csv", CSV)
    ((_, since),) = files.kept()
    files.add(HERE, "t2", "UBEN", "b.csv", CSV)
    assert list(files.kept()) == [(HERE, since)]
    files.forget(person="UCYD", turn_id="t3", threads=[str(THERE)])
    assert files.source_of(HERE) is not None
    files.forget(turn_id="t1")
    assert files.source_of(HERE) is None
