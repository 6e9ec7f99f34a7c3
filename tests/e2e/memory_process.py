"""A process with a memory, to be killed: `python -m tests.e2e.memory_process FOLDER (append WRITER COUNT | steps)`.

`append` logs COUNT messages in the one thread and notes each in FOLDER/WRITER.noted once it is acknowledged; started again
it goes on behind its last note. `steps` reads a step per line, does it, and writes `done`. A step that names a moment kills
the process there: after so many instructions of SQLite in that step, or at its end, before it is acknowledged.
"""

import json
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import event, select

from ai.errors import UserError
from ai.memory.log.database import reading
from ai.memory.log.tables import SEGMENT
from ai.memory_store import MemoryStore
from tests.memories import NOON, THREAD, opened, turn
from tests.wait import until

Step = tuple[str, int, int]
INSTRUCTIONS = 20  # of SQLite, between two moments at which the process may die


def do(memory: MemoryStore, step: Step) -> None:
    """One step; a part of a turn that is there already, or a range that is none, changes nothing."""
    kind, first, second = step
    with suppress(UserError):
        if kind == "ask":
            memory.receive(THREAD, turn(first), f"question {first} " + "apps " * second, "U1", NOON)
        elif kind == "reply":
            memory.add_reply(THREAD, turn(first), f"answer {first} " + "rows " * second, f"reply-{second % 3}")
        elif kind == "edit":
            memory.lifecycle.change(turn(first), f"changed {second}", NOON)
        elif kind == "take back":
            memory.lifecycle.take_back(turn(first), NOON)
        elif kind == "store":
            memory.archives.store(THREAD, first, first + second)
        elif kind == "prune":
            memory.archives.prune(THREAD)
        elif kind == "forget":
            memory.lifecycle.forget_thread(THREAD)
        elif known := handles(memory):
            restore(memory, known[first % len(known)], second if kind == "restore" else None)


def restore(memory: MemoryStore, handle: str, at: int | None) -> None:
    shown = [message.turn_id for message in memory.archives.history(THREAD)]
    index = shown.index(handle) if at is None and handle in shown else at
    memory.archives.restore(THREAD, handle, index=index, remove_placeholder=at is None)


def handles(memory: MemoryStore) -> list[str]:
    """The archives that there are, in the order in which they were made."""
    archives = select(SEGMENT.c.handle).where(SEGMENT.c.kind == "manual").order_by(SEGMENT.c.created_at)
    with reading(memory.parts.conversations.engine) as connection:
        return list(connection.execute(archives).scalars())


def append(memory: MemoryStore, notes: Path, writer: str, count: int) -> None:
    begun = len(notes.read_bytes().splitlines()) if notes.exists() else 0
    file = os.open(notes, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for number in range(begun, count):
        question = number % 2 == 0
        turn_id = f"{writer}-{number // 2}"
        if question:
            memory.receive(THREAD, turn_id, f"question {turn_id}", "U1", NOON)
        else:
            memory.add_reply(THREAD, turn_id, f"answer {turn_id}")
        os.write(file, f"{turn_id} {'question' if question else 'answer'}\n".encode())


class Death:
    """Kills this process at a moment of a step."""

    def __init__(self) -> None:
        self.moment: int | None = None

    def watch(self, connection: Any, _: object) -> None:
        connection.set_progress_handler(self.pass_by, INSTRUCTIONS)

    def pass_by(self) -> int:
        if self.moment is not None:
            self.moment -= 1
            if self.moment <= 0:
                self.come()
        return 0

    def come(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


def answer_steps(memory: MemoryStore) -> None:
    until(lambda: memory.parts.conversations.count.count("").exact, timeout=60, what="the ranks of tokens")
    death = Death()
    engine = memory.parts.conversations.engine
    engine.dispose()  # what is open already is not watched
    event.listen(engine, "connect", death.watch)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for line in sys.stdin:
        kind, first, second, death.moment = json.loads(line)
        do(memory, (kind, first, second))
        if death.moment is not None:
            death.come()
        sys.stdout.write("done\n")
        sys.stdout.flush()


def main(folder: str, mode: str, *more: str) -> None:
    with opened(Path(folder)) as memory:
        if mode == "append":
            writer, count = more
            append(memory, Path(folder) / f"{writer}.noted", writer, int(count))
        else:
            answer_steps(memory)


if __name__ == "__main__":
    main(*sys.argv[1:])
