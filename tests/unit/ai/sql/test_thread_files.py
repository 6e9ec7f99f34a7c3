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
    with pytest.raises(UserError, match="does not read as a table"):
        files.add(HERE, "t1", "UANA", "x.csv", content)
    assert files.source_of(HERE) is None


@pytest.mark.parametrize("name", ["other", "files-0123456789abcdef", "files-../../etc", ""])
def test_what_is_no_source_of_a_thread_is_not_opened(files: ThreadFiles, name: str) -> None:
    with pytest.raises(KeyError):
        files[name]


def test_a_thread_holds_few_tables(files: ThreadFiles) -> None:
    for number in range(5):
        files.add(HERE, "t", "UANA", f"n{number}.csv", b"a\n1\n")
    with pytest.raises(UserError, match="5 tables"):
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
