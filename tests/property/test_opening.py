"""A new store that several processes open at the same moment is opened by all of them."""

from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from pathlib import Path

from ai.memory.opening import open_engine

PROCESSES, STORES = 6, 12


def open_together(folder: Path, together: Barrier) -> None:
    for number in range(STORES):
        together.wait(60)
        open_engine(f"sqlite:///{folder / f'{number}.sqlite'}").dispose()


def test_a_new_store_is_opened_by_all(tmp_path: Path) -> None:
    context = get_context("spawn")
    together = context.Barrier(PROCESSES)
    openers = [context.Process(target=open_together, args=(tmp_path, together)) for _ in range(PROCESSES)]
    for opener in openers:
        opener.start()
    for opener in openers:
        opener.join(120)
    assert [opener.exitcode for opener in openers] == [0] * PROCESSES
