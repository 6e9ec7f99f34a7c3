"""Run tests in a session with a mutant, where its file is imported: python -m tests.mutants.at_import FILE TEST…"""

import sys

import pytest

from tests.mutants.trial import note


class Noted:
    """A pytest plugin that writes each test, before it runs, to the open file of this number."""

    def __init__(self, told: int) -> None:
        self._told = told

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        note(self._told, nodeid)


if __name__ == "__main__":
    told, *tests = sys.argv[1:]
    sys.exit(pytest.main(["-q", "-x", "-p", "no:xdist", *tests], plugins=[Noted(int(told))]))
