"""`make reach`: run what people do under coverage.py, and list the functions that nothing of it executes.

Exits 1 when more than `SHARE` of the functions stay unreached, or when one of them has no reason in `ledger.jsonl`.
"""

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from coverage import CoverageData

from tests.paths import ROOT
from tests.reach.functions import functions, unreached

SHARE = 0.03
LEDGER = Path(__file__).with_name("ledger.jsonl")
WAYS = (
    "tests/e2e",
    "tests/seeds",
    "tests/local_slack",
    "tests/contract/test_aimock.py",
    "tests/contract/test_archive_operations.py",
    "tests/contract/test_archive_words.py",
    "tests/contract/test_delivery.py",
    "tests/contract/test_doctor.py",
    "tests/contract/test_http_api.py",
    "tests/contract/test_http_memory.py",
    "tests/contract/test_install_life.py",
    "tests/contract/test_ladder.py",
    "tests/contract/test_membership.py",
    "tests/contract/test_missed.py",
    "tests/contract/test_preferences.py",
    "tests/contract/test_recall_answers.py",
    "tests/contract/test_slack_events.py",
    "tests/contract/test_turn.py",
)
OPTIONS = ("-q", "-m", "not deep and not fuzz and not chaos", "--numprocesses", "3", "--dist", "loadfile")
CONFIGURATION = """\
[run]
source = {root}/ai,{root}/bot,{root}/local_slack,{root}
omit = {root}/tests/*,{root}/benchmarks/*,{root}/.venv/*
parallel = true
sigterm = true
patch = subprocess
data_file = {folder}/reached
disable_warnings = couldnt-parse,module-not-measured,no-data-collected
"""


def executed(folder: Path) -> tuple[int, dict[str, list[int]]]:
    """Run the ways under coverage.py; return the status of the tests, and executed lines by path below the root."""
    settings = folder / "coverage.ini"
    settings.write_text(CONFIGURATION.format(root=ROOT, folder=folder), "utf-8")
    command = [sys.executable, "-m", "coverage", "run", f"--rcfile={settings}", "-m", "pytest", *OPTIONS, *WAYS]
    status = subprocess.run(command, cwd=ROOT, check=False).returncode
    data = CoverageData(basename=str(folder / "all"))
    for part in folder.glob("reached*"):
        one = CoverageData(basename=str(part))
        one.read()
        data.update(one)
    return status, {str(Path(path).relative_to(ROOT)): data.lines(path) or [] for path in data.measured_files()}


def judged(missed: Iterable[str], known: int) -> tuple[bool, list[str]]:
    """Return whether the bounds hold, and the lines to print."""
    reasons = {case["function"]: case for case in map(json.loads, LEDGER.read_text("utf-8").splitlines())}
    names = tuple(missed)
    unexplained = [name for name in names if name not in reasons]
    share = len(names) / known
    lines = [f"{known} functions, {len(names)} unreached: {share:.1%}"]
    lines += [f"  no reason: {name}" for name in unexplained]
    lines += [f"  reached by now: {name}" for name in sorted(reasons.keys() - set(names))]
    return share <= SHARE and not unexplained, lines


if __name__ == "__main__":
    found = functions()
    with TemporaryDirectory() as temporary:
        status, reached = executed(Path(temporary))
    holds, lines = judged(unreached(reached, found), len(found))
    sys.stdout.write("\n".join(lines) + "\n")
    sys.exit(status or not holds)
