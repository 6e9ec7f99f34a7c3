"""`make reach`: run what people do, and list the functions that nothing of it executes.

Exits 1 when more than `SHARE` of the functions stay unreached, or when one of them has no reason in `ledger.jsonl`.
"""

import json
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.paths import ROOT
from tests.reach import marks
from tests.reach.functions import functions

SHARE = 0.03
LEDGER = Path(__file__).with_name("ledger.jsonl")
WAYS = (
    "tests/e2e",
    "tests/seeds",
    "tests/local_slack",
    "tests/contract/test_aimock.py",
    "tests/contract/test_archive_operations.py",
    "tests/contract/test_archive_words.py",
    "tests/contract/test_damage.py",
    "tests/contract/test_delivery.py",
    "tests/contract/test_doctor.py",
    "tests/contract/test_forgetting.py",
    "tests/contract/test_http_api.py",
    "tests/contract/test_http_memory.py",
    "tests/contract/test_install_life.py",
    "tests/contract/test_ladder.py",
    "tests/contract/test_membership.py",
    "tests/contract/test_missed.py",
    "tests/contract/test_preferences.py",
    "tests/contract/test_query_ends.py",
    "tests/contract/test_recall_answers.py",
    "tests/contract/test_second_reading.py",
    "tests/contract/test_slack_events.py",
    "tests/contract/test_trust.py",
    "tests/contract/test_turn.py",
)
OPTIONS = ("-q", "-m", "not deep and not fuzz and not chaos", "--numprocesses", "3", "--dist", "loadfile")
# Read by each start of this environment, whatever its settings and folder; harmless once the folder is gone.
BEGIN = (
    "import os, sys; os.path.isdir({folder!r}) and (sys.path.append({code!r}), __import__('marks').begin({root!r}, {folder!r}),"
    " sys.path.remove({code!r}))\n"
)


@contextmanager
def marked(folder: Path) -> Iterator[None]:
    """Have every process of this environment write down into a folder which functions begin."""
    file = Path(sysconfig.get_path("purelib")) / "datathread_reach.pth"
    code = Path(marks.__file__).parent
    file.write_text(BEGIN.format(folder=str(folder), code=str(code), root=str(ROOT)), "utf-8")
    try:
        yield
    finally:
        file.unlink()


def executed(folder: Path) -> tuple[int, frozenset[str]]:
    """Run the ways; return the status of the tests, and the names of the functions that began."""
    with marked(folder):
        status = subprocess.run([sys.executable, "-m", "pytest", *OPTIONS, *WAYS], cwd=ROOT, check=False).returncode
    return status, frozenset(name for part in folder.glob("*.begun") for name in part.read_text("utf-8").split())


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
    holds, lines = judged((name for name in found if name not in reached), len(found))
    sys.stdout.write("\n".join(lines) + "\n")
    sys.exit(status or not holds)
