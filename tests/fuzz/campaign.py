"""Break promises for as long as there is time: `python -m tests.fuzz.campaign [--seconds 600] [--only twins]`.

Each item of a job grows from its number alone: a campaign goes on where the last one stopped, and a fault is made
again by its number. What ran is kept in artifacts/fuzz, a file for each job.
"""

import gc
import json
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

import click

from tests.fuzz.jobs import JOBS, Job
from tests.fuzz.outcome import Outcome
from tests.paths import ARTIFACTS

KEPT = ARTIFACTS / "fuzz"
BATCH_SECONDS = 5.0
SHOWN = 5  # faults of a job
COLLECTING = 10_000  # objects made between two collections


class Record:
    """How many items of a job ran, what became of them, and the numbers of those that broke its promise."""

    def __init__(self, job: Job, folder: Path | None, begin: int = 0) -> None:
        self._job = job
        self._begin = begin
        self._path = folder and folder / f"{job.name.replace(' ', '-')}.json"
        known = json.loads(self._path.read_text("utf-8")) if self._path and self._path.exists() else {}
        self.ran: int = known.get("ran", 0)
        self.kinds: Counter[str] = Counter(known.get("kinds", {}))
        self.faults: dict[str, str] = known.get("faults", {})

    @property
    def is_full(self) -> bool:
        return self.ran >= self._job.aim

    @property
    def number(self) -> int:
        """Return the number of the next item."""
        return self._begin + self.ran

    def note(self, outcome: Outcome) -> None:
        if outcome.fault:
            self.faults[str(self.number)] = outcome.fault
        self.kinds[outcome.kind] += 1
        self.ran += 1

    def keep(self) -> None:
        if self._path:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            kept = {"ran": self.ran, "kinds": self.kinds, "faults": self.faults}
            self._path.write_text(json.dumps(kept, indent=1), "utf-8")

    def told(self) -> Iterator[str]:
        job = self._job
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in self.kinds.most_common())
        yield f"{job.name:18} {self.ran:>7,} of {job.aim:,} {job.what}, {len(self.faults)} faults ({kinds})"
        yield from (f"  number {number}: {fault}" for number, fault in list(self.faults.items())[:SHOWN])


@click.command()
@click.option("--seconds", default=600.0, help="How long to go on.")
@click.option("--only", default="", help="Jobs whose names begin so.")
@click.option("--anew", is_flag=True, help="Begin at --begin, stop at the first fault, and keep nothing.")
@click.option("--begin", default=0, help="The first number of --anew; a great one passes by the known cases.")
def campaign(seconds: float, only: str, begin: int, *, anew: bool) -> None:
    """Go on with all jobs by turns; exit status 1 when anything ever broke."""
    jobs = [job for job in JOBS if job.name.startswith(only)]
    records = {job.name: Record(job, None, begin) if anew else Record(job, KEPT) for job in jobs}
    end = monotonic() + seconds
    with ExitStack() as opened:
        tries = {
            job.name: opened.enter_context(job.opened(Path(opened.enter_context(TemporaryDirectory())))) for job in jobs
        }
        gc.freeze()  # as a running bot does
        gc.set_threshold(COLLECTING)
        for name in cycle(tries):
            record, until = records[name], min(end, monotonic() + BATCH_SECONDS)
            while monotonic() < until and not record.is_full:
                record.note(tries[name](record.number))
                if anew and record.faults:
                    until = end = 0.0
            record.keep()
            if monotonic() >= end or all(one.is_full for one in records.values()):
                break
    click.echo("\n".join(line for record in records.values() for line in record.told()))
    sys.exit(any(record.faults for record in records.values()))


if __name__ == "__main__":
    campaign()
