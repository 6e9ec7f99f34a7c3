"""Mutated bombs, judged within a bound on processor time and memory."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from time import thread_time

from ai.errors import SqlRefused
from ai.sql.catalog import Catalog, Column, Table
from ai.sql.grammars import OWN
from ai.sql.guard import check
from tests.fuzz import mutations
from tests.fuzz.outcome import Outcome, Try

MOST_SECONDS, MOST_KB = 0.25, 64 * 1024
AGAIN = 3  # judgements of one text that took too long: another process may have slowed it down
SALES = (Table("sales", (Column("id", "", "integer"), Column("a", "", "text"))),)
RESET_PEAK = "5"


class Meter:
    """Measures in this process, without another one for each text.

    Memory counts from the start, not from the text before: what one leaves behind is no room for the next.
    """

    def __init__(self) -> None:
        self._first = _kilobytes("VmRSS")

    def judged(self, sql: str, catalog: Catalog) -> tuple[float, int, str]:
        """Return processor seconds, kilobytes and what became of it."""
        Path("/proc/self/clear_refs").write_text(RESET_PEAK, "utf-8")
        began, kind = thread_time(), "allowed"
        try:
            check(sql, catalog)
        except SqlRefused as refusal:
            kind = f"refused by {refusal.layer}"
        return thread_time() - began, _kilobytes("VmHWM") - self._first, kind


def _kilobytes(name: str) -> int:
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))


@contextmanager
def bombs(_folder: Path) -> Iterator[Try]:
    catalogs = {dialect: Catalog("fuzz", dialect, SALES) for dialect in OWN}
    for catalog in catalogs.values():
        check("SELECT id FROM sales", catalog)
    meter = Meter()

    def tried(number: int) -> Outcome:
        sql, dialect = _chosen(number)
        seconds, kilobytes, kind = meter.judged(sql, catalogs[dialect])
        for _ in range(AGAIN - 1):
            if seconds <= MOST_SECONDS and kilobytes <= MOST_KB:
                return Outcome("", kind)
            gc.collect()
            again = meter.judged(sql, catalogs[dialect])
            seconds, kilobytes = min(seconds, again[0]), min(kilobytes, again[1])
        if seconds <= MOST_SECONDS and kilobytes <= MOST_KB:
            return Outcome("", kind)
        cost = f"{seconds * 1000:.0f} ms, {kilobytes:,} KB for {len(sql):,} characters"
        return Outcome(f"{dialect}: {cost}: {sql[:80]}", kind)

    yield tried


def _chosen(number: int) -> tuple[str, str]:
    """Choose a text and a dialect: first each bomb as it is in every dialect, then mutated ones."""
    chance = Random(f"bomb {number}")
    whole, turn = divmod(number, len(OWN))
    if whole < len(mutations.BOMBS):
        return mutations.BOMBS[whole], OWN[turn]
    return mutations.bomb(chance), chance.choice(OWN)
