"""The bot, noting which files of the product its threads enter between two signals.

`python -m tests.e2e.walk_process FOLDER`: SIGUSR1 begins anew, SIGUSR2 writes the paths, one a line, to a file in
FOLDER for each process.
"""

import os
import signal
import sys
import threading
from pathlib import Path
from types import FrameType

from bot.cli.main import main
from tests.paths import ROOT

# Threads beside the question: what an asker is told apart from the answer, the watch over the line to Slack, and
# the sweep, which looks after turns by the clock whether or not anybody asks.
BESIDE = ("notes", "watch", "engine-sweep")
HOUSE = tuple(f"{ROOT / folder}/" for folder in ("ai", "bot"))


def walk(folder: Path) -> None:
    """Run `datathread run` under a profile hook."""
    entered: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event != "call" or not frame.f_code.co_filename.startswith(HOUSE):
            return
        if not threading.current_thread().name.startswith(BESIDE):
            entered.add(frame.f_code.co_filename)

    def begin(*_: object) -> None:
        entered.clear()

    def write(*_: object) -> None:
        folder.mkdir(exist_ok=True)
        file = folder / f"{os.getpid()}.txt"
        part = file.with_suffix(".part")
        part.write_text("\n".join(sorted(str(Path(path).relative_to(ROOT)) for path in list(entered))), "utf-8")
        part.replace(file)

    signal.signal(signal.SIGUSR1, begin)
    signal.signal(signal.SIGUSR2, write)
    threading.setprofile(note)
    sys.argv[1:] = ["run"]
    main()


if __name__ == "__main__":
    walk(Path(sys.argv[1]))
