"""A pytest plugin, `-p tests.mutants.recorder`: writes down which lines each test runs, in all of its processes.

Each worker is a session of its own, so that what its tests start notes with it. A row has a bit for each line. What
prepares a fixture of several tests runs once, with the first; its lines are those of all of them.
"""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tests.covered import noting
from tests.mutants.elsewhere import NOTES
from tests.mutants.sessions import SESSIONS
from tests.paths import ROOT

TESTS, ROWS = "tests-{}.jsonl", "rows-{}"


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    if os.getsid(0) != os.getpid():
        os.setsid()
    notes = NOTES.format(os.getpid())
    shutil.copyfile(SESSIONS / noting.NOTES, SESSIONS / notes)
    early_config.pluginmanager.register(Recorder(noting.begin(str(ROOT), str(SESSIONS), notes), SESSIONS))


class Recorder:
    def __init__(self, notes: memoryview, folder: Path) -> None:
        self._notes = np.frombuffer(notes, dtype=np.uint8)
        self._tests = (folder / TESTS.format(os.getpid())).open("a", encoding="utf-8")
        self._rows = (folder / ROWS.format(os.getpid())).open("ab")
        self._outcomes: set[str] = set()
        self._prepared: dict[str, npt.NDArray[np.uint8]] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[Any]:
        self._notes[:] = 0
        self._outcomes.clear()
        began = perf_counter()
        done = yield
        told = {
            "test": item.nodeid,
            "seconds": round(perf_counter() - began, 3),
            "passed": self._outcomes == {"passed"},
        }
        shared = (self._prepared[name] for name in getattr(item, "fixturenames", ()) if name in self._prepared)
        self._rows.write(np.packbits(np.bitwise_or.reduce([self._notes, *shared])).tobytes())
        self._tests.write(f"{json.dumps(told)}\n")
        return done

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Iterator[Any]:
        before = self._notes.copy()
        self._notes[:] = 0
        try:
            return (yield)
        finally:
            if fixturedef.scope != "function":
                self._prepared[fixturedef.argname] = self._notes.copy()
            self._notes |= before

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._outcomes.add(report.outcome)

    def pytest_unconfigure(self) -> None:
        self._rows.close()
        self._tests.close()
