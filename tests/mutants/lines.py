"""Keeps which tests run which lines, in all of their processes, and how long each takes, from run to run."""

import ast
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cache
from hashlib import sha256
from typing import Protocol

from tests.architecture.source import Function
from tests.mutants.mutant import Mutant
from tests.paths import ROOT

PAGES = "tests/docs/test_pages.py"  # the words of constants, which no line of a test's run shows
FEW = 8  # tests; what so few run may be run by more, and kept by the first: others of the file are tried too


class Noted(Protocol):
    """Which tests of a run ran which lines of its files."""

    def ran(self, path: str) -> frozenset[int]:
        """Return the lines that some test ran."""

    def tests(self, path: str, lines: Collection[int]) -> set[str]:
        """Return the tests that ran one of the lines."""

    def ways(self, path: str) -> Mapping[str, Hashable]:
        """Return for each test something equal for those that ran the same lines."""


@dataclass(frozen=True)
class Run:
    """The tests of one run that passed, with how long each took, and the texts of the product then."""

    seconds: Mapping[str, float]
    texts: Mapping[str, str]
    noted: Noted

    def around(self, path: str, line: int) -> set[str]:
        """Return the tests of a line; of a line that is new, those of the lines around it."""
        old, new = self.texts.get(path, "").splitlines(), (ROOT / path).read_text("utf-8").splitlines()
        found: set[str] = set()
        for _, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if start < line <= end:
                same = last - first == end - start
                found |= self.noted.tests(path, [first + line - start] if same else range(first, last + 2))
        return found

    def inside(self, path: str) -> set[str]:
        """Return the tests that run a function of a file, not only import it; if it has none, all."""
        ran = self.noted.ran(path)
        return self.noted.tests(path, ran - importing(self.texts.get(path, ""))) or self.noted.tests(path, ran)

    def costs(self, path: str, tests: Collection[str]) -> dict[str, float]:
        """Return the seconds of tests, times as many as took the same way through the file before each."""
        ways, seen, costs = self.noted.ways(path), Counter[Hashable](), {}
        for test in sorted(tests, key=lambda test: self.seconds.get(test, 0.0)):
            seen[ways[test]] += 1
            costs[test] = seen[ways[test]] * (self.seconds.get(test, 0.0) + 0.01)
        return costs


@dataclass
class Lines:
    """What was noted by the runs, a test in one of them; `read` has hashes of test files and their cases."""

    runs: list[Run] = field(default_factory=list)
    read: dict[str, str] = field(default_factory=dict)

    @property
    def seconds(self) -> dict[str, float]:
        return {test: took for run in self.runs for test, took in run.seconds.items()}

    def of(self, mutant: Mutant) -> list[str]:
        """Return the tests that could notice a mutant, the quick ones first, later where others took the same way."""
        chosen = {} if mutant.at_import else self._of_the_line(mutant)
        others = {} if mutant.shows or len(chosen) > FEW else self._of_the_file(mutant)
        pages = [test for test in self.seconds if mutant.at_import and test.startswith(PAGES)]
        later = {test: cost for test, cost in others.items() if test not in {*chosen, *pages}}
        near = {test for test in later if is_about(test.partition("::")[0], mutant.path)}
        return [
            *pages,
            *sorted(chosen, key=chosen.__getitem__),
            *sorted(later, key=lambda test: (test not in near, later[test])),
        ]

    def _of_the_line(self, mutant: Mutant) -> dict[str, float]:
        line = mutant.shows or mutant.line
        return self._costs(mutant.path, lambda run: run.around(mutant.path, line))

    def _of_the_file(self, mutant: Mutant) -> dict[str, float]:
        return self._costs(mutant.path, lambda run: run.inside(mutant.path))

    def _costs(self, path: str, found: Callable[[Run], Collection[str]]) -> dict[str, float]:
        return {test: cost for run in self.runs for test, cost in run.costs(path, found(run)).items()}

    def stale(self, tests: Iterable[str]) -> list[str]:
        """Return the test files that have changed since they were run, or never were."""
        return [path for path in tests if self.read.get(path) != hashed(path)]


@cache
def importing(text: str) -> frozenset[int]:
    """Return the lines of a file outside of its functions."""
    return frozenset(_outside(ast.parse(text)))


@cache
def is_about(test: str, path: str) -> bool:
    """Whether a test file, or a module of the tests that it imports, imports a file of the product or its folder."""
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return not {module, module.rpartition(".")[0]}.isdisjoint(_imported(test))


@cache
def _imported(test: str) -> frozenset[str]:
    if not (ROOT / test).exists():  # moved meanwhile
        return frozenset()
    found = set()
    for node in ast.walk(ast.parse((ROOT / test).read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
    beside = (f"{name.replace('.', '/')}.py" for name in found if name.startswith("tests."))
    return frozenset(found).union(*(_imported(path) for path in beside if path != test))


def _outside(node: ast.AST) -> Iterator[int]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child.lineno
        if not isinstance(child, Function | ast.Lambda):
            yield from _outside(child)


@cache
def hashed(path: str) -> str:
    """Hash a test file with the files of cases beside it that it names."""
    file = ROOT / path
    text = file.read_text("utf-8")
    named = sorted(one for one in file.parent.glob("*.jsonl") if one.name in text or one.stem in text)
    return sha256(b"".join(one.read_bytes() for one in (file, *named))).hexdigest()
