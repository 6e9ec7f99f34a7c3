"""Run the benchmarks and write docs/benchmarks.md and its JSON: all of them, or those named.

    python -m benchmarks [NAME ...] [--size N]

A run of another size than the report's is printed and not kept.
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.registry import BENCHMARKS
from benchmarks.report import machine
from benchmarks.report.page import page
from benchmarks.report.progress import progress
from benchmarks.report.rows import Report
from benchmarks.report.run import Benchmark, run
from tests.paths import ROOT

PAGE = ROOT / "docs" / "benchmarks.md"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[[], *(each.name for each in BENCHMARKS)], metavar="NAME")
    parser.add_argument("--size", type=int, help="how much to measure; the report has sizes of its own")
    given = parser.parse_args()
    wanted = [each for each in BENCHMARKS if each.name in given.names or not given.names]
    if given.size:
        sections = tuple(run([replace(each, size=given.size) for each in wanted]))
        print(page(Report(machine.facts(), sections)))
        return
    measure(wanted, PAGE)
    progress(f"{PAGE.relative_to(ROOT)} is written")


def measure(wanted: Sequence[Benchmark], to: Path, every: Sequence[Benchmark] = BENCHMARKS) -> None:
    """Measure and write the page and its JSON after each benchmark; what is not measured anew stays."""
    figures = to.with_suffix(".json")
    last = {section.name: section for section in Report.read(figures).sections}
    facts, known = machine.facts(), dict(last)
    for section in run(wanted):
        known[section.name] = section.since(last.get(section.name))
        kept = (replace(known[each.name], about=each.about) for each in every if each.name in known)
        report = Report(facts, tuple(kept))
        figures.write_text(report.written(), "utf-8")
        to.write_text(page(report), "utf-8")


if __name__ == "__main__":
    main()
