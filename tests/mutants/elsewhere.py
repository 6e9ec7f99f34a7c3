"""Tells processes that tests start what they are part of, by their session; loaded by a `.pth` file.

Nothing of the project is imported here, since processes begin in any folder. A session is either one that notes which
lines it runs, in a file of its own, or one that has a mutant in it.
"""

import marshal
import os
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType

NOTES, MUTANT = "notes-{}", "mutant-{}"


def begin(root: str, folder: str, noting: str) -> None:
    """Join the session of this process, if there is something about it in the folder."""
    session = os.getsid(0)
    mutant, notes = Path(folder) / MUTANT.format(session), NOTES.format(session)
    if mutant.exists():
        path, code = marshal.loads(mutant.read_bytes())
        put_in(path, code)
    elif (Path(folder) / notes).exists():
        sys.path.append(noting)
        __import__("noting").begin(root, folder, notes)
        sys.path.remove(noting)


def put_in(path: str, code: CodeType) -> None:
    """Let this process, where it imports a file, get this code."""
    read = SourceFileLoader.get_code

    def get_code(self: SourceFileLoader, fullname: str) -> CodeType | None:
        return code if self.path == path else read(self, fullname)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]
