"""The folder of stored results stays within its budget."""

import os
from collections.abc import Iterator
from pathlib import Path
from time import time

import pytest

from ai.errors import NoResult
from ai.results.places import FolderFiles
from ai.results.places.folder import LEFT_AFTER
from ai.results.store import ResultStore
from ai.results.table import ResultColumn
from ai.results.upkeep import EXPORT_LEFT_AFTER, LOOK_SECONDS, DiskBudget, Upkeep, sweep_exports

NOW = 1_000_000.0


def put(root: Path, name: str, age: float, size: int = 100) -> None:
    path = root / name
    path.write_bytes(b"x" * size)
    os.utime(path, (NOW - age, NOW - age))


def tidy(root: Path, budget: DiskBudget, now: float, spare: str = "") -> None:
    Upkeep(FolderFiles(root), root, budget, lambda: now).look(spare)


def left(root: Path) -> set[str]:
    return {path.name for path in root.iterdir()}


@pytest.mark.parametrize(
    ("budget", "kept"),
    [
        (DiskBudget(1000, 1000), {"q1.arrow", "q2.arrow", "q3.arrow", "state-1.arrow", ".q4.part"}),
        (DiskBudget(1000, 25), {"q1.arrow", "q2.arrow", "state-1.arrow", ".q4.part"}),
        (DiskBudget(300, 1000), {"q1.arrow", "q2.arrow", "state-1.arrow", ".q4.part"}),
        (DiskBudget(0, 1000), {"state-1.arrow", ".q4.part"}),
    ],
)
def test_the_least_recently_read_goes_first(tmp_path: Path, budget: DiskBudget, kept: set[str]) -> None:
    put(tmp_path, ".q4.part", 5)
    put(tmp_path, ".q5.part", LEFT_AFTER + 1)
    put(tmp_path, "q1.arrow", 10)
    put(tmp_path, "q2.arrow", 20)
    put(tmp_path, "q3.arrow", 30)
    put(tmp_path, "state-1.arrow", 10_000)
    tidy(tmp_path, budget, NOW)
    assert left(tmp_path) == kept


def test_what_is_being_written_is_no_leftover_however_far_the_clock_jumps(tmp_path: Path) -> None:
    def rows() -> Iterator[list[tuple[int]]]:
        for number in range(3):
            yield [(number,)]
            tidy(tmp_path, DiskBudget(), time() + 30 * 86_400)

    put(tmp_path, ".q5.part", LEFT_AFTER + 1)
    store = ResultStore(tmp_path)
    store.write("q1", [ResultColumn("a")], rows(), max_rows=10, max_bytes=10_000)
    assert [row for block in store.batches("q1") for row in block] == [(0,), (1,), (2,)]
    tidy(tmp_path, DiskBudget(), time())
    assert left(tmp_path) == {"q1.arrow"}


def test_one_that_cannot_go_makes_the_others_go(tmp_path: Path) -> None:
    put(tmp_path, "q1.arrow", 10, 1000)
    put(tmp_path, "q2.arrow", 5)
    tidy(tmp_path, DiskBudget(500), NOW, spare="q1.arrow")
    assert left(tmp_path) == {"q1.arrow"}


def test_files_that_no_turn_sent_go_after_a_day(tmp_path: Path) -> None:
    for turn, age in (("t1", EXPORT_LEFT_AFTER + 1), ("t2", 10.0)):
        (tmp_path / turn).mkdir()
        put(tmp_path / turn, "r.csv", age)
    sweep_exports(tmp_path, NOW)
    assert left(tmp_path) == {"t2"}


def test_a_folder_that_is_not_there_is_tidy(tmp_path: Path) -> None:
    tidy(tmp_path / "none", DiskBudget(), NOW)
    assert left(tmp_path) == set()


def test_what_is_read_stays_and_what_is_new_is_never_refused(tmp_path: Path) -> None:
    def write(handle: str) -> None:
        store.write(handle, [ResultColumn("a")], [[(1,)]], max_rows=10, max_bytes=10_000)

    store = ResultStore(tmp_path)
    write("q1")
    store = ResultStore(tmp_path, DiskBudget(2 * store.size("q1")))
    write("q2")
    os.utime(tmp_path / "q1.arrow", (0, 0))
    os.utime(tmp_path / "q2.arrow", (1, 1))
    store.head("q1")
    write("q3")
    assert left(tmp_path) == {"q1.arrow", "q3.arrow"}
    with pytest.raises(NoResult):
        store.head("q2")


def test_a_folder_is_looked_through_when_it_may_be_full_or_a_minute_has_passed(tmp_path: Path) -> None:
    now = [NOW]
    upkeep = Upkeep(FolderFiles(tmp_path), tmp_path, DiskBudget(total_bytes=250), lambda: now[0])

    def looks(number: int) -> bool:
        """Whether a write of 100 bytes looks through the folder: an old leftover goes then."""
        put(tmp_path, ".left.part", LEFT_AFTER + 1)
        put(tmp_path, f"q{number}.arrow", -number)
        upkeep.wrote(f"q{number}.arrow", 100)
        return ".left.part" not in left(tmp_path)

    assert looks(1)  # nothing is known yet
    assert not looks(2)
    assert looks(3)  # 300 bytes
    assert left(tmp_path) == {"q2.arrow", "q3.arrow"}
    (tmp_path / "q2.arrow").unlink()
    upkeep.look()
    assert not looks(4)
    (tmp_path / "q3.arrow").unlink()
    now[0] += LOOK_SECONDS
    assert looks(5)
