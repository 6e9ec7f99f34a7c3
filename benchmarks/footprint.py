"""Print the processor time of `datathread ask`, and what a bot holds after so many mentions.

A loop of Python is timed beside each `ask`: it tells how busy the machine was.

    python -m benchmarks.footprint [--mentions N]
"""

import argparse
import os
import resource
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import Event
from time import process_time

from benchmarks.load import processor_seconds, resident
from local_slack.testing import ANA, GENERAL, MENTION, slack_server
from tests.e2e.chaos.fleet import COUNTS, fleet
from tests.paths import ROOT
from tests.processes import family
from tests.wait import until

TIMES, LOOP = 5, 3_000_000
IN_FLIGHT, MARKS = 16, 5
ASK = (sys.executable, "-m", "bot", "ask", "how many apps do we have?")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mentions", type=int, default=10_000)
    given = parser.parse_args()
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with TemporaryDirectory() as folder:
        fresh = asked(Path(folder))
        taken = [asked(Path(folder)) for _ in range(TIMES)]
    print(f"ask: {median(taken):.2f} s of processor time, {fresh:.2f} on a fresh folder; the loop {loop():.2f}")
    held(given.mentions)


def asked(folder: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {"DATA_DIR": str(folder), "PATH": os.defpath}
    subprocess.run(ASK, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def loop() -> float:
    began = process_time()
    sum(number * number for number in range(LOOP))
    return process_time() - began


def held(mentions: int) -> None:
    """Mention a bot in threads of their own; print its resident memory and processor time on the way."""
    with TemporaryDirectory() as folder, slack_server() as slack, fleet(slack, Path(folder)) as bots:
        pid, asked, used = bots.bots[0].pid, 0, 0.0
        subjects = tuple(COUNTS)
        for mark in (mentions * part // MARKS for part in range(1, MARKS + 1)):
            begun = asked
            while asked < mark:
                while asked - bots.log.count(": answered") >= IN_FLIGHT:
                    Event().wait(0.05)
                for _ in range(IN_FLIGHT // 2):
                    slack.say(ANA, GENERAL, f"{MENTION} how many {subjects[asked % len(subjects)]} are there?")
                    asked += 1
            until(lambda: bots.log.count(": answered") >= asked, 120, "all answers")  # noqa: B023
            now, size = processor_seconds(pid), sum(map(resident, family(pid)))
            print(f"{asked:,} mentions: {size:.0f} MB, {1000 * (now - used) / (asked - begun):.0f} ms each")
            used = now


if __name__ == "__main__":
    main()
