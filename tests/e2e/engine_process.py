"""A process with an engine, to be killed: `python -m tests.e2e.engine_process FOLDER URL WORKERS [QUESTION …]`.

Takes the questions in, and writes what its turns do into FOLDER/journal. A turn waits in its middle step until there is
a file FOLDER/go; when there is a file FOLDER/poison that names the question, the middle step kills the process instead.
"""

import os
import signal
import sys
from contextlib import closing
from functools import partial
from pathlib import Path
from threading import Event
from uuid import uuid4

from ai.stopping import Stop
from ai.types import Step, ThreadKey
from bot.engine import Engine, Hooks, Room
from tests.wait import until


class Bot:
    def __init__(self, folder: Path, url: str, workers: int) -> None:
        self._folder = folder
        self.ready = Event()  # all its questions are taken in
        self.engine = Engine(
            url,
            folder,
            self.turn,
            Room(workers),
            Hooks(on_poison=partial(self.note, "poison")),
        )

    def turn(self, question: str, step: Step, stop: Stop) -> str:
        self.note("begin", question)
        token = step("first", partial(self.first, question))
        step("middle", partial(self.middle, question))
        step("last", partial(self.note, "last", question, token))
        return "answered"

    def first(self, question: str) -> str:
        token = uuid4().hex
        self.note("first", question, token)
        return token

    def middle(self, question: str) -> None:
        self.note("middle", question)
        poison = self._folder / "poison"
        if poison.exists() and question in poison.read_text("utf-8"):
            self.ready.wait(60)
            os.kill(os.getpid(), signal.SIGKILL)
        until((self._folder / "go").exists, timeout=60)

    def note(self, *words: str) -> None:
        with (self._folder / "journal").open("a", encoding="utf-8") as journal:
            journal.write(" ".join(words) + "\n")


def main(folder: str, url: str, workers: str, *questions: str) -> None:
    stop = Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    bot = Bot(Path(folder), url, int(workers))
    with closing(bot.engine):
        bot.engine.launch()
        for question in questions:
            team, channel, ts = question.split(":")
            person = ts.split(".")[0]  # each thread has an asker of its own: one person has few turns at once
            bot.engine.enqueue(question, ThreadKey(team, channel, f"{person}.000000"), person)
        bot.note("ready")
        bot.ready.set()
        stop.wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
