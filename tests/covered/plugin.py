"""A pytest plugin, `-p tests.covered.plugin`: fails a run whose tests leave too much of the product aside.

Each worker hands over what it ran; the run itself judges all of it.
"""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.covered.lines import Lists, began, files, lines, note
from tests.paths import ROOT

LEAST = 0.95
HANDED = "lines"  # the name under which a worker hands over what it ran


@dataclass(frozen=True, slots=True)
class Missed:
    """The lines of a file that nothing ran, of so many."""

    path: str
    lines: tuple[int, ...]
    count: int


@dataclass
class Recorder:
    lists: Lists
    ran: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    told: list[str] = field(default_factory=list)

    def add(self, found: dict[str, list[int]]) -> None:
        for path, numbers in found.items():
            self.ran[path].update(numbers)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self.add(getattr(node, "workeroutput", {}).get(HANDED, {}))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        handed = getattr(session.config, "workeroutput", None)
        if handed is not None:
            handed[HANDED] = began(self.lists)
            return
        self.add(began(self.lists))
        holds, self.told = judged(missed(self.ran))
        if not holds and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for line in self.told:
            terminalreporter.write_line(line)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    early_config.pluginmanager.register(Recorder(note()))


def missed(ran: dict[str, set[int]]) -> Iterator[Missed]:
    for path in files():
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
