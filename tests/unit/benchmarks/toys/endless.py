"""Hang after a row, with a process of its own that hangs as well."""

import subprocess
from collections.abc import Iterator

from benchmarks.report.rows import Row


def rows(size: int) -> Iterator[Row]:
    yield Row("before", float(size))
    subprocess.run(["tail", "-f", "/dev/null"], check=True)
