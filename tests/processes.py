"""The environment of processes that tests start: nothing of this machine but where Python finds what it needs."""

import os

from config import child_environment
from tests.paths import ROOT


def bare_environment(**settings: str) -> dict[str, str]:
    """Return `settings` beside the path, and what coverage.py needs where `make reach` runs the tests."""
    measuring = {name: value for name, value in child_environment().items() if name.startswith("COVERAGE_")}
    return {"PATH": os.defpath, "PYTHONPATH": str(ROOT), **measuring, **settings}
