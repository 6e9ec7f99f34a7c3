"""Run one benchmark in a process of its own, and print each row as a line of JSON as soon as it is measured.

python -m benchmarks.report.child MODULE SIZE
"""

import json
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from importlib import import_module
from typing import TextIO

from _pytest.outcomes import Skipped

from benchmarks.report.rows import MissingPart
from tests.paths import ROOT


def main(module: str, size: int) -> None:
    with rows_apart() as out:
        try:
            for row in import_module(module).rows(size):
                _print(out, row=asdict(row))
        except (MissingPart, Skipped) as missing:
            _print(out, failed=f"skipped: {missing}")
        except Exception as error:  # noqa: BLE001 - how a benchmark fails stands in the report
            traceback.print_exc()
            _print(out, failed=_reason(error))


@contextmanager
def rows_apart() -> Iterator[TextIO]:
    """Give standard output to the rows alone; what else is printed goes to the progress."""
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as out:
        os.dup2(2, 1)
        yield out


def _reason(error: Exception) -> str:
    said = str(error).strip().splitlines() or [""]
    return f"{type(error).__name__}: {said[0][:200]}".replace(str(ROOT), ".").rstrip(": ")


def _print(out: TextIO, **told: object) -> None:
    print(json.dumps(told), file=out, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
