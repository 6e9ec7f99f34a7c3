"""Has each process of this environment join the session that it is started in: one that notes, or one with a mutant."""

import marshal
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.covered import noting
from tests.mutants import elsewhere
from tests.mutants.mutant import Mutant
from tests.paths import ROOT

KEPT = ROOT / ".mutants"
SESSIONS = KEPT / "sessions"
# Read by each start of this environment, whatever its settings and folder; harmless once the folder is gone.
BEGIN = (
    "import os, sys; os.path.isdir({folder!r}) and (sys.path.append({code!r}),"
    " __import__('elsewhere').begin({root!r}, {folder!r}, {noting!r}), sys.path.remove({code!r}))\n"
)


@contextmanager
def joined() -> Iterator[None]:
    SESSIONS.mkdir(parents=True, exist_ok=True)
    code, notes = Path(elsewhere.__file__).parent, Path(noting.__file__).parent
    file = Path(sysconfig.get_path("purelib")) / "datathread_mutants.pth"
    text = BEGIN.format(folder=str(SESSIONS), code=str(code), root=str(ROOT), noting=str(notes))
    file.write_text(text, "utf-8")
    try:
        yield
    finally:
        file.unlink(missing_ok=True)


def infect(mutant: Mutant, session: int) -> None:
    """Have the processes of a session that begin from now on import the mutant."""
    path = str(ROOT / mutant.path)
    code = compile(mutant.tree(), path, "exec")
    (SESSIONS / elsewhere.MUTANT.format(session)).write_bytes(marshal.dumps((path, code)))


def heal(session: int) -> None:
    (SESSIONS / elsewhere.MUTANT.format(session)).unlink(missing_ok=True)
