"""Wake the engines of a queue as soon as there is something to do. What no bell is heard of is found by looking.

On PostgreSQL a notification; on SQLite a datagram on this machine, to the ports in a folder.
"""

import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any, Protocol

from bot.engine.database import QueueDatabase, libpq

CHANNEL = "datathread_turns"
LISTENING_SECONDS = 1.0
HERE = "127.0.0.1"


class Bell(Protocol):
    """Rings in every other engine. `listen` calls back from a thread of its own until `close`."""

    def ring(self) -> None: ...

    def listen(self, heard: Callable[[], None]) -> None: ...

    def close(self) -> None: ...


class LoopbackBell:
    """Each listener has a file named by its port in `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sending = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._listening: socket.socket | None = None
        self._own = Path()

    def ring(self) -> None:
        with suppress(OSError):  # nobody listens yet, or the machine has no loopback: the others look by themselves
            for file in self._folder.iterdir():
                if file.name.isdigit() and file != self._own:
                    self._sending.sendto(b"!", (HERE, int(file.name)))

    def listen(self, heard: Callable[[], None]) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        self._drop_dead()
        self._listening = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._listening.bind((HERE, 0))
        self._own = self._folder / str(self._listening.getsockname()[1])
        self._own.touch()
        Thread(target=self._hear, args=(self._listening, heard), name="engine-bell", daemon=True).start()

    def close(self) -> None:
        if self._listening is not None:
            self._own.unlink(missing_ok=True)
            with suppress(OSError):
                self._sending.sendto(b"", (HERE, self._listening.getsockname()[1]))  # a closed socket wakes nobody
            self._listening = None
        self._sending.close()

    def _drop_dead(self) -> None:
        """Remove the files of ports that anybody could have."""
        for file in [file for file in self._folder.iterdir() if file.name.isdigit()]:
            with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
                probe.bind((HERE, int(file.name)))
                file.unlink(missing_ok=True)

    def _hear(self, listening: socket.socket, heard: Callable[[], None]) -> None:
        with listening:
            while listening.recv(8):
                heard()


class NotifyBell:
    def __init__(self, database: QueueDatabase) -> None:
        self._database = database
        self._closing = Event()

    def ring(self) -> None:
        self._database.write(lambda tx: tx.do(f"NOTIFY {CHANNEL}"))

    def listen(self, heard: Callable[[], None]) -> None:
        Thread(target=self._hear, args=(heard,), name="engine-bell", daemon=True).start()

    def close(self) -> None:
        self._closing.set()

    def _hear(self, heard: Callable[[], None]) -> None:
        import psycopg  # only where the queue is in PostgreSQL

        while not self._closing.is_set():
            try:
                with psycopg.connect(libpq(self._database.url), autocommit=True) as session:
                    self._hear_in(session, heard)
            except psycopg.Error:  # the server is away for a moment
                self._closing.wait(LISTENING_SECONDS)

    def _hear_in(self, session: Any, heard: Callable[[], None]) -> None:
        session.execute(f"LISTEN {CHANNEL}")
        heard()  # what rang before the session was there
        while not self._closing.is_set():
            for _ in session.notifies(timeout=LISTENING_SECONDS, stop_after=1):
                heard()
