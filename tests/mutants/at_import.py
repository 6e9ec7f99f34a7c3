"""Run tests with a mutant put in where its file is imported: python -m tests.mutants.at_import FILE PATH NAME TEST…"""

import sys
from importlib.machinery import SourceFileLoader
from itertools import chain
from types import CodeType

import pytest

from tests.mutants.forbidden import forbidden_in
from tests.mutants.mutant import Mutant
from tests.mutants.operators import usual
from tests.mutants.trial import note
from tests.paths import ROOT


def import_with(mutant: Mutant) -> None:
    """Let this process import the file of a mutant with the change in it."""
    path, read = str(ROOT / mutant.path), SourceFileLoader.get_code

    def get_code(self: SourceFileLoader, fullname: str) -> CodeType | None:
        return compile(mutant.tree(), path, "exec") if self.path == path else read(self, fullname)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]


class Noted:
    """A pytest plugin that writes each test, before it runs, to the open file of this number."""

    def __init__(self, told: int) -> None:
        self._told = told

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        note(self._told, nodeid)


if __name__ == "__main__":
    told, path, name, *tests = sys.argv[1:]
    import_with(next(mutant for mutant in chain(usual([path]), forbidden_in([path])) if mutant.name == name))
    sys.exit(pytest.main(["-q", "-x", "-p", "no:xdist", *tests], plugins=[Noted(int(told))]))
