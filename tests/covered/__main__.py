"""`python -m tests.covered`: judge what was noted since `.covered/notes` was last removed.

Exits 1 when more than 5 % of the lines were left aside.
"""

import ast
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.covered.noting import began, files, lines
from tests.covered.plugin import FOLDER
from tests.paths import ROOT

LEAST = 0.95


@dataclass(frozen=True, slots=True)
class Missed:
    """The lines of a file that nothing ran, of so many."""

    path: str
    lines: tuple[int, ...]
    count: int


def missed(ran: Mapping[str, set[int]]) -> Iterator[Missed]:
    for path in files(ROOT):
        known = lines(ast.parse((ROOT / path).read_bytes()))
        yield Missed(path, tuple(sorted(known - ran.get(path, set()))), len(known))


def judged(found: Iterable[Missed], least: float = LEAST) -> tuple[bool, list[str]]:
    """Return whether enough was run, and the lines to print: the share, and what is left of each room below it."""
    rooms: dict[str, list[Missed]] = defaultdict(list)
    for file in found:
        rooms[Path(file.path).parent.as_posix()].append(file)
    every = [file for room in rooms.values() for file in room]
    told = [f"{_share(every):.2%} of {sum(file.count for file in every)} lines of the product were run"]
    for name, room in sorted(rooms.items(), key=lambda pair: _share(pair[1])):
        if _share(room) < least:
            told.append(f"  {_share(room):.1%} {name}")
            told += [f"    {file.path}: {_spans(file.lines)}" for file in room if file.lines]
    return _share(every) >= least, told


def _share(found: Iterable[Missed]) -> float:
    chosen = tuple(found)
    count = sum(file.count for file in chosen)
    return 1 - sum(len(file.lines) for file in chosen) / count if count else 1.0


def _spans(numbers: Iterable[int]) -> str:
    """Write 3, 4, 5 and 9 as `3-5, 9`."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in spans)


if __name__ == "__main__":
    holds, told = judged(missed(began(FOLDER)))
    sys.stdout.write("\n".join(told) + "\n")
    sys.exit(not holds)
