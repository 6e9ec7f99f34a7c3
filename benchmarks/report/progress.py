"""Progress goes to standard error, from the runner and from benchmarks alike."""

import sys


def progress(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
