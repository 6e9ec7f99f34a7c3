"""A pytest plugin, `-p tests.covered.plugin`: notes which lines of the product a run reaches, in all of its processes."""

import builtins
import sysconfig
from pathlib import Path

import pytest

from tests.covered import noting
from tests.paths import ROOT

FOLDER = ROOT / ".covered"
# Read by each start of this environment, whatever its settings and folder; harmless once the notes are gone.
BEGIN = (
    "import os, sys; os.path.exists({notes!r}) and (sys.path.append({code!r}),"
    " __import__('noting').begin({root!r}, {folder!r}), sys.path.remove({code!r}))\n"
)


class Noted:
    """The file that has every process of this environment note, for as long as the run lasts."""

    def __init__(self) -> None:
        self._file = Path(sysconfig.get_path("purelib")) / "datathread_covered.pth"
        code = Path(noting.__file__).parent
        notes = FOLDER / noting.NOTES
        self._file.write_text(
            BEGIN.format(notes=str(notes), code=str(code), root=str(ROOT), folder=str(FOLDER)), "utf-8"
        )

    def pytest_unconfigure(self) -> None:
        self._file.unlink(missing_ok=True)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    if hasattr(builtins, noting.LISTS):  # a worker, which notes since it began
        return
    noting.prepare(ROOT, FOLDER)
    noting.begin(str(ROOT), str(FOLDER))
    early_config.pluginmanager.register(Noted())
