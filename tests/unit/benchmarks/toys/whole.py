"""Measure a toy, beside another one.

The other one is larger.

    python -m toys
"""

import subprocess
from collections.abc import Iterator

from benchmarks.report.rows import Row


def rows(size: int) -> Iterator[Row]:
    subprocess.run(["echo", "what a library prints is no row"], check=True)
    yield Row("a toy", float(size), "ms", {"another toy": 2.0 * size}, limit=100.0)
    yield Row("toys a second", 1000 / size, more=True)
