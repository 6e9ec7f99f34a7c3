"""Break promises for as long as there is time: `python -m tests.fuzz.campaign [--seconds 600] [--only twins]`.

Each item of a job has a number, and grows from it alone: a campaign goes on where the last one stopped, and a fault is made
again by its number. What ran is kept in artifacts/fuzz.json.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

import click

from tests.fuzz.jobs import JOBS, Job
from tests.paths import ROOT

STATE = ROOT / "artifacts" / "fuzz.json"
BATCH_SECONDS = 5.0
SHOWN = 5  # faults of a job


class Record:
    """How many items of each job ran, and the numbers of those that broke its promise."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        known = json.loads(path.read_text("utf-8")) if path and path.exists() else {}
        self.ran: dict[str, int] = known.get("ran", {})
        self.faults: dict[str, dict[str, str]] = known.get("faults", {})

    def note(self, job: str, fault: str) -> None:
        number = self.ran.get(job, 0)
        self.ran[job] = number + 1
        if fault:
            self.faults.setdefault(job, {})[str(number)] = fault

    def keep(self) -> None:
        if self._path:
            self._path.parent.mkdir(exist_ok=True)
            self._path.write_text(json.dumps({"ran": self.ran, "faults": self.faults}, indent=1), "utf-8")

    def told(self, job: Job) -> Iterator[str]:
        faults = self.faults.get(job.name, {})
        yield f"{job.name:18} {self.ran.get(job.name, 0):>7,} of {job.aim:,} {job.what}, {len(faults)} faults"
        yield from (f"  number {number}: {fault}" for number, fault in list(faults.items())[:SHOWN])


@click.command()
@click.option("--seconds", default=600.0, help="How long to go on.")
@click.option("--only", default="", help="Jobs whose names begin so.")
@click.option("--anew", is_flag=True, help="Begin at number 0, stop at the first fault, and keep nothing.")
def campaign(seconds: float, only: str, *, anew: bool) -> None:
    """Go on with all jobs by turns; exit status 1 when anything ever broke."""
    jobs = [job for job in JOBS if job.name.startswith(only)]
    record = Record(None if anew else STATE)
    end = monotonic() + seconds
    with ExitStack() as opened:
        tries = {
            job.name: opened.enter_context(job.opened(Path(opened.enter_context(TemporaryDirectory())))) for job in jobs
        }
        for job in cycle(jobs):
            until = min(end, monotonic() + BATCH_SECONDS)
            while monotonic() < until and record.ran.get(job.name, 0) < job.aim:
                record.note(job.name, tries[job.name](record.ran.get(job.name, 0)))
                if anew and record.faults:
                    end = 0.0
            record.keep()
            if monotonic() >= end or all(record.ran.get(one.name, 0) >= one.aim for one in jobs):
                break
    click.echo("\n".join(line for job in jobs for line in record.told(job)))
    sys.exit(1 if record.faults else 0)


if __name__ == "__main__":
    campaign()
