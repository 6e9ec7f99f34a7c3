"""Keeps which tests execute which lines, and how long each takes, from run to run."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest
from coverage import Coverage

from tests.mutants.mutant import Mutant, files
from tests.paths import ROOT

KEPT = ROOT / ".mutants" / "lines.json"
PRODUCT = ("ai", "bot", "config.py")
RAN = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)
AT_ONCE = 2  # test files, until what is known of them is kept


@dataclass
class Lines:
    """`executed` is path -> line -> tests; `texts` the files as they were then; `read` hashes of test files and their cases."""

    executed: dict[str, dict[int, list[str]]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    read: dict[str, str] = field(default_factory=dict)

    def of(self, mutant: Mutant) -> list[str]:
        """Return the tests that could notice a mutant: one of each way through its file, then those like it; quick ones first."""
        found = self._around(mutant.path, mutant.shows or mutant.line)
        if not found and not mutant.shows:
            found = {test for one in self.executed.get(mutant.path, {}).values() for test in one}
        ways: dict[str, list[int]] = {test: [] for test in found}
        for line, ran in self.executed.get(mutant.path, {}).items():
            for test in found.intersection(ran):
                ways[test].append(line)
        quick, seen, ranks = sorted(found, key=lambda test: self.seconds.get(test, 0.0)), Counter[tuple[int, ...]](), {}
        for test in quick:
            ranks[test] = seen[way := tuple(ways[test])]
            seen[way] += 1
        return sorted(quick, key=ranks.__getitem__)

    def _around(self, path: str, line: int) -> set[str]:
        """Return the tests of a line; of a line that is new, those of the lines around it."""
        known = self.executed.get(path, {})
        old, new = self.texts.get(path, "").splitlines(), (ROOT / path).read_text("utf-8").splitlines()
        found: set[str] = set()
        for _, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if start < line <= end:
                same = last - first == end - start
                reach = [first + line - start] if same else range(first, last + 2)
                found.update(test for number in reach for test in known.get(number, ()))
        return found

    def stale(self, tests: Iterable[str]) -> list[str]:
        """Return the test files that have changed since they were run, or never were."""
        return [path for path in tests if self.read.get(path) != _hash(path)]

    def forget(self, tests: Iterable[str]) -> None:
        gone = tuple(f"{path}::" for path in tests)
        self.seconds = {test: took for test, took in self.seconds.items() if not test.startswith(gone)}
        self.executed = {
            path: {line: [test for test in ran if test in self.seconds] for line, ran in lines.items()}
            for path, lines in self.executed.items()
        }

    def learn(self, tests: Iterable[str]) -> None:
        """Run test files under coverage.py, a context for each test; what is interrupted goes on where it stopped."""
        left = sorted(tests)
        while left:
            ran, left = left[:AT_ONCE], left[AT_ONCE:]
            self.forget(ran)
            recorder = Recorder()
            status = pytest.main(["-q", "--no-header", "-p", "no:xdist", "-r", "N", *ran], plugins=[recorder])
            if status not in RAN:
                raise SystemExit(f"these tests cannot be run: {' '.join(ran)}")
            self._add(recorder)
            self.read |= {path: _hash(path) for path in ran}
            self.keep()

    def _add(self, recorder: "Recorder") -> None:
        self.seconds |= recorder.seconds
        for path, lines in recorder.executed():
            if not (ROOT / path).exists():  # moved meanwhile
                continue
            self.texts[path] = (ROOT / path).read_text("utf-8")
            kept = self.executed.setdefault(path, {})
            for line, found in lines.items():
                kept[line] = sorted({*kept.get(line, ()), *found})

    def keep(self) -> None:
        KEPT.parent.mkdir(exist_ok=True)
        names = list(self.seconds)
        numbers = {test: number for number, test in enumerate(names)}
        executed = {
            path: {line: [numbers[test] for test in ran if test in numbers] for line, ran in lines.items()}
            for path, lines in self.executed.items()
        }
        KEPT.write_text(json.dumps({**self.__dict__, "executed": executed}), "utf-8")


class Recorder:
    """A pytest plugin: names each test to coverage.py, and times it."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        include = [str(ROOT / path) for product in PRODUCT for path in files(product)]
        self._coverage = Coverage(data_file=None, include=include, config_file=False)
        self._coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[Any]:
        self._coverage.switch_context(item.nodeid)
        began = perf_counter()
        done = yield
        self.seconds[item.nodeid] = round(perf_counter() - began, 3)
        self._coverage.switch_context("")
        return done

    def executed(self) -> Iterator[tuple[str, dict[int, list[str]]]]:
        self._coverage.stop()
        data = self._coverage.get_data()
        for path in data.measured_files():
            contexts = data.contexts_by_lineno(path)
            yield str(Path(path).relative_to(ROOT)), {line: [t for t in ran if t] for line, ran in contexts.items()}


def kept() -> Lines:
    if not KEPT.exists():
        return Lines()
    found = json.loads(KEPT.read_text("utf-8"))
    names = list(found["seconds"])
    found["executed"] = {
        path: {int(line): [names[number] for number in ran] for line, ran in lines.items()}
        for path, lines in found["executed"].items()
    }
    return Lines(**found)


def _hash(path: str) -> str:
    """Hash a test file with the files of cases beside it that it names."""
    file = ROOT / path
    text = file.read_text("utf-8")
    named = sorted(one for one in file.parent.glob("*.jsonl") if one.name in text or one.stem in text)
    return sha256(b"".join(one.read_bytes() for one in (file, *named))).hexdigest()
