"""Which tests may be skipped, and why: a skip that `skips.jsonl` does not name fails.

So a test that stopped running is noticed, and a machine without something that is needed tells what it lacks.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import pytest

Skips = Sequence[Mapping[str, str]]
ALLOWED: Skips = tuple(
    json.loads(line) for line in Path(__file__).with_name("skips.jsonl").read_text("utf-8").splitlines()
)
R = TypeVar("R", pytest.TestReport, pytest.CollectReport)


def is_allowed(test: str, reason: str, allowed: Skips) -> bool:
    """Return whether a line names the beginning of a test's id, and that of the reason."""
    return any(test.startswith(line["test"]) and reason.startswith(line["reason"]) for line in allowed)


def judged(report: R, allowed: Skips) -> R:
    """Return the report of a test or a file; a failure in place of a skip that is not allowed."""
    if report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if not is_allowed(report.nodeid, reason.removeprefix("Skipped: "), allowed):
            report.outcome = "failed"
            report.longrepr = f"{report.nodeid} is skipped, which tests/skips.jsonl does not name: {reason}"
    return report


class NamedSkips:
    """A pytest plugin that judges the skips of a run."""

    def __init__(self, allowed: Skips = ALLOWED) -> None:
        self._allowed = allowed

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self) -> Iterator[None]:
        report: pytest.TestReport = yield  # type: ignore[assignment]
        return judged(report, self._allowed)  # type: ignore[return-value]

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_make_collect_report(self) -> Iterator[None]:
        report: pytest.CollectReport = yield  # type: ignore[assignment]
        return judged(report, self._allowed)  # type: ignore[return-value]
