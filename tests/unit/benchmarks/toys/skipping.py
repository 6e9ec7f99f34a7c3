"""Need what is not there."""

from collections.abc import Iterator

from benchmarks.report.rows import MissingPart, Row


def rows(_: int) -> Iterator[Row]:
    yield from ()
    raise MissingPart("toys are not installed")
