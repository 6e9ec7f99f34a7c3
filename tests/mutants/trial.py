"""Tries mutants in forked children of one process that has collected the tests: nothing is imported twice."""

import gc
import os
import resource
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from math import inf
from tempfile import TemporaryFile
from time import monotonic
from types import CodeType, FunctionType
from typing import IO, Literal

import pytest
from _pytest.runner import runtestprotocol

from tests.mutants.mutant import Mutant
from tests.mutants.sessions import heal, infect
from tests.paths import ROOT

Outcome = Literal["killed", "endless", "survived", "untested"]
Functions = dict[tuple[str, str, int], list[FunctionType]]
SURVIVED, KILLED = 0, 1
LIMIT = 30  # seconds of computing beyond what the tests of a mutant take; they notice an endless loop by it
OUTCOMES: Mapping[int, Outcome] = {SURVIVED: "survived", -signal.SIGKILL: "endless", -signal.SIGXCPU: "endless"}
PATIENCE = 900.0  # seconds in all, for a mutant that waits


class Trials:
    """A pytest plugin that runs, instead of all tests, those of each mutant until one fails."""

    def __init__(
        self,
        tests: Mapping[Mutant, Sequence[str]],
        seconds: Mapping[str, float],
        jobs: int,
        told: Callable[[Mutant, Outcome, str], None],
        minutes: float | None = None,
    ) -> None:
        """Begin no more mutants after so many minutes of trials."""
        self.tests = tests
        self._minutes = minutes
        self._seconds = seconds
        self.outcomes: dict[Mutant, Outcome] = {}
        self._jobs = jobs
        self._told = told
        self._running: dict[int, tuple[Mutant, float, IO[bytes]]] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        functions = loaded_functions()
        ends = inf if self._minutes is None else monotonic() + 60 * self._minutes
        for mutant, tests in self.tests.items():
            if monotonic() > ends:
                break
            if chosen := [items[test] for test in tests if test in items]:
                while len(self._running) >= self._jobs:
                    self._await()
                told = TemporaryFile()  # noqa: SIM115 - open until the child has ended
                self._running[self._begin(mutant, chosen, functions, told.fileno())] = (
                    mutant,
                    monotonic() + PATIENCE,
                    told,
                )
            else:
                self._tell(mutant, "untested", "")
        while self._running:
            self._await()
        return True

    def _begin(self, mutant: Mutant, chosen: list[pytest.Item], functions: Functions, told: int) -> int:
        """Fork a child for a mutant, the leader of a group of processes; return its id. It notes each test it runs."""
        if child := os.fork():
            return child
        os.setsid()
        limit = LIMIT + int(sum(self._seconds.get(item.nodeid, 0.0) for item in chosen))
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        try:
            infect(mutant, os.getpid())
            if mutant.at_import or not put_in(mutant, functions):
                os.set_inheritable(told, True)
                command = [sys.executable, "-m", "tests.mutants.at_import", str(told)]
                os.execv(sys.executable, [*command, *(item.nodeid for item in chosen)])
            os._exit(_run(chosen, told))
        finally:
            os._exit(KILLED)

    def _await(self) -> None:
        """Wait a moment, and tell the mutants that have ended."""
        signal.sigtimedwait([signal.SIGCHLD], 0.05)
        for child, (mutant, ends, told) in list(self._running.items()):
            if monotonic() > ends:
                os.killpg(child, signal.SIGKILL)
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                del self._running[child]
                _end_rest(child)
                with told:
                    told.seek(0)
                    last = told.read().decode()
                self._tell(mutant, OUTCOMES.get(os.waitstatus_to_exitcode(status), "killed"), last)

    def _tell(self, mutant: Mutant, outcome: Outcome, last: str) -> None:
        self.outcomes[mutant] = outcome
        self._told(mutant, outcome, last)


def _end_rest(session: int) -> None:
    """Kill what the tests of a mutant left running."""
    with suppress(ProcessLookupError):
        os.killpg(session, signal.SIGKILL)
    heal(session)


def _run(chosen: list[pytest.Item], told: int) -> int:
    for item, following in zip(chosen, [*chosen[1:], None], strict=True):
        note(told, item.nodeid)
        if any(report.failed for report in runtestprotocol(item, log=False, nextitem=following)):
            item.session._setupstate.teardown_exact(None)
            return KILLED
    return SURVIVED


def note(told: int, test: str) -> None:
    """Write the test that runs to an open file, in place of the one before."""
    os.ftruncate(told, 0)
    os.pwrite(told, test.encode(), 0)


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
    """Give the functions of a file the code of the mutant; return whether all could take it.

    A file that a test imports in passing, as a grammar, is none of this process yet.
    """
    path = str(ROOT / mutant.path)
    if not any(file == path for file, *_ in functions):
        return False
    for code in _codes(compile(mutant.tree(), path, "exec")):
        for function in functions.get((path, code.co_qualname, code.co_firstlineno), ()):
            if function.__code__.co_freevars != code.co_freevars:
                return False
            if function.__code__ != code:
                function.__code__ = code
    return True


@contextmanager
def living_with(mutant: Mutant) -> Iterator[None]:
    """Put a mutant into the functions of this process, for the block."""
    functions = loaded_functions()
    codes = [(function, function.__code__) for found in functions.values() for function in found]
    try:
        if not put_in(mutant, functions):
            raise ValueError(f"{mutant.name} needs a new import")
        yield
    finally:
        for function, code in codes:
            function.__code__ = code


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)
