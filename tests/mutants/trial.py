"""Tries mutants in forked children of one process that has collected the tests: nothing is imported twice."""

import gc
import os
import resource
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from time import monotonic
from types import CodeType, FunctionType
from typing import Literal

import pytest
from _pytest.runner import runtestprotocol

from tests.mutants.mutant import Mutant
from tests.paths import ROOT

Outcome = Literal["killed", "endless", "survived", "untested"]
Functions = dict[tuple[str, str, int], list[FunctionType]]
SURVIVED, KILLED = 0, 1
LIMIT = 90  # seconds of computing for the tests of one mutant, which notice an endless loop by it
OUTCOMES: Mapping[int, Outcome] = {SURVIVED: "survived", -signal.SIGKILL: "endless", -signal.SIGXCPU: "endless"}
PATIENCE = 900.0  # seconds in all, for a mutant that waits


class Trials:
    """A pytest plugin that runs, instead of all tests, those of each mutant until one fails."""

    def __init__(
        self, tests: Mapping[Mutant, Sequence[str]], jobs: int, told: Callable[[Mutant, Outcome, str], None]
    ) -> None:
        self.tests = tests
        self.outcomes: dict[Mutant, Outcome] = {}
        self._jobs = jobs
        self._told = told
        self._running: dict[int, tuple[Mutant, float, int]] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        functions = loaded_functions()
        for mutant, tests in self.tests.items():
            if chosen := [items[test] for test in tests if test in items]:
                while len(self._running) >= self._jobs:
                    self._await()
                reads, writes = os.pipe()
                self._running[_begin(mutant, chosen, functions, writes)] = mutant, monotonic() + PATIENCE, reads
                os.close(writes)
            else:
                self._tell(mutant, "untested", "")
        while self._running:
            self._await()
        return True

    def _await(self) -> None:
        """Wait a moment, and tell the mutants that have ended."""
        signal.sigtimedwait([signal.SIGCHLD], 0.05)
        for child, (mutant, ends, reads) in list(self._running.items()):
            if monotonic() > ends:
                os.killpg(child, signal.SIGKILL)
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                del self._running[child]
                with os.fdopen(reads, "rb") as said:
                    killer = said.read().decode()
                self._tell(mutant, OUTCOMES.get(os.waitstatus_to_exitcode(status), "killed"), killer)

    def _tell(self, mutant: Mutant, outcome: Outcome, killer: str) -> None:
        self.outcomes[mutant] = outcome
        self._told(mutant, outcome, killer)


def _begin(mutant: Mutant, chosen: list[pytest.Item], functions: Functions, told: int) -> int:
    """Fork a child for a mutant, the leader of a group of processes; return its id. It tells who killed the mutant."""
    if child := os.fork():
        return child
    os.setsid()
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    try:
        if mutant.at_import or not put_in(mutant, functions):
            command = [sys.executable, "-m", "tests.mutants.at_import", mutant.path, mutant.name]
            os.execv(sys.executable, [*command, *(item.nodeid for item in chosen)])
        os._exit(_run(chosen, told))
    finally:
        os._exit(KILLED)


def _run(chosen: list[pytest.Item], told: int) -> int:
    for item, following in zip(chosen, [*chosen[1:], None], strict=True):
        if any(report.failed for report in runtestprotocol(item, log=False, nextitem=following)):
            os.write(told, item.nodeid.encode())
            item.session._setupstate.teardown_exact(None)
            return KILLED
    return SURVIVED


def loaded_functions() -> Functions:
    """Find our functions in this process, decorated ones too, by file, name and first line."""
    found: Functions = {}
    frozen = gc.get_freeze_count() > 0
    gc.unfreeze()  # the collector does not list what is frozen
    for one in gc.get_objects():
        if isinstance(one, FunctionType) and one.__code__.co_filename.startswith(str(ROOT)):
            code = one.__code__
            found.setdefault((code.co_filename, code.co_qualname, code.co_firstlineno), []).append(one)
    if frozen:
        gc.freeze()
    return found


def put_in(mutant: Mutant, functions: Functions) -> bool:
    """Give the functions of a file the code of the mutant; return whether all could take it."""
    path = str(ROOT / mutant.path)
    for code in _codes(compile(mutant.tree(), path, "exec")):
        for function in functions.get((path, code.co_qualname, code.co_firstlineno), ()):
            if function.__code__.co_freevars != code.co_freevars:
                return False
            if function.__code__ != code:
                function.__code__ = code
    return True


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)
