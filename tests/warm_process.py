"""The process that `tests.warm` forks commands from: `python -m tests.warm_process FILE`, the number of its line."""

import atexit
import gc
import json
import os
import shutil
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import NoReturn

from ai.errors import DatathreadError
from bot.app import load_all
from bot.cli.main import main
from bot.demo import database
from config import load

# What a bot loads when it first needs it, beside what `load_all` does.
LATER = (
    "ai.memory.migrations.runner",
    "alembic.command",
    "babel.dates",
    "bot.cli.talking",
    "bot.doctor",
    "pyarrow.compute",
    "sqlalchemy.dialects.sqlite",
    "sqlglot.dialects.sqlite",
)
WITH_DEMO = ("ask", "check", "run")
MOST_BYTES = 1 << 17


def _serve(line: socket.socket, demo: Path) -> bool:
    """Fork a process for each wish; return True in it, ready to become what is wished, and False at the end."""
    while True:
        wish, handed, *_ = socket.recv_fds(line, MOST_BYTES, 4)
        _bury()
        if not wish:
            return False
        if not os.fork():
            line.close()
            if _awaits(*handed):
                os._exit(0)
            _become(handed[:3], demo, **json.loads(wish))
            return True
        for file in handed:
            os.close(file)


def _bury() -> None:
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _awaits(input_: int, output: int, errors: int, teller: int) -> bool:
    """Fork the command, tell its id and its exit status; return False in the command."""
    pid = os.fork()
    if not pid:
        os.close(teller)
        return False
    for file in (input_, output, errors):
        os.close(file)
    os.write(teller, str(pid).encode())
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    with suppress(OSError):  # nobody listens any more
        os.write(teller, str(status).encode())
    return True


def _become(
    streams: Sequence[int], demo: Path, arguments: Sequence[str], folder: str, environment: Mapping[str, str]
) -> None:
    for number, file in enumerate(streams):
        os.dup2(file, number)
        os.close(file)
    os.chdir(folder)
    os.environ.clear()  # noqa: TID251 - the process becomes another
    os.environ.update(environment)  # noqa: TID251
    time.tzset()
    tempfile.tempdir = None
    sys.argv = ["datathread", *arguments]
    if arguments and arguments[0] in WITH_DEMO:
        with suppress(DatathreadError):
            _give_demo(demo)
    gc.enable()


def _give_demo(demo: Path) -> None:
    """Put today's demo data where the command would build the same."""
    settings = load()
    if settings.is_demo and database.is_current(demo, date.today()):  # noqa: DTZ011 - as the product does
        settings.make_data_dir()
        place = settings.data_dir / demo.name
        if not place.exists():
            shutil.copyfile(demo, place)


def _prepare(folder: Path) -> Path:
    """Load the product and build the demo data."""
    load_all(load(data_dir=folder))
    for name in LATER:
        import_module(name)
    demo = folder / "demo.sqlite"
    database.build(demo, date.today())  # noqa: DTZ011
    gc.collect()
    gc.freeze()
    return demo


def _status() -> int:
    """Run the command; return its exit status."""
    try:
        main()
    except SystemExit as ended:
        if isinstance(ended.code, str):
            sys.stderr.write(f"{ended.code}\n")
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    return 0


def _leave(status: int) -> NoReturn:
    """End as Python does, but for taking apart what is loaded: that takes as long as loading it."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(status)


if __name__ == "__main__":
    gc.disable()
    folder = Path(tempfile.mkdtemp(prefix="datathread-warm-"))
    if _serve(socket.socket(fileno=int(sys.argv[1])), _prepare(folder)):
        _leave(_status())
    else:
        shutil.rmtree(folder)
