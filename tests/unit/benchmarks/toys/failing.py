"""Fail after the first row."""

from collections.abc import Iterator

from benchmarks.report.rows import Row
from tests.paths import ROOT


def rows(size: int) -> Iterator[Row]:
    yield Row("before", float(size))
    raise ValueError(f"{ROOT}/toys are broken\nand more")
