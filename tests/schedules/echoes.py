"""Answers with the question; a word in it says what kind of work, or of answer, it is."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from ai.agents.orchestrator import Orchestrator
from ai.agents.port import FileEvent, PrivateEvent, ReplyEvent, StatusEvent, TextEvent, Turn
from ai.agents.reply_check import ReplyCheck
from tests.schedules.shared import Shared
from tests.schedules.world import never

KILLING, HANGING, SLOW, QUICK, PRIVATE, FILE = "killing", "hanging", "slow", "quick", "private", "file"
WORK_SECONDS, SLOW_SECONDS, HANG_SECONDS = 0.1, 30.0, 40.0
HIDDEN_FROM = 2  # people, of what is private


class Echoes(Orchestrator):
    """Answers with the question, in two steps of work; all around it is the product's."""

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared.desk.services)
        self._shared = shared

    def _answered(self, heard: Turn, check: ReplyCheck) -> Iterator[ReplyEvent]:
        heard.step("look", partial(self._work, heard, "look"))
        yield StatusEvent("Thinking…")
        heard.step("think", partial(self._work, heard, "think"))
        text = heard.request.text
        if PRIVATE in text:
            yield PrivateEvent(HIDDEN_FROM)
        yield check.seen(TextEvent(answer_to(text)))
        if FILE in text:
            yield FileEvent(self._written(heard), "rows")

    def _written(self, turn: Turn) -> Path:
        """Write the answer into a file named by the time of its question, as an export does: anew in each run."""
        folder = self._shared.folder / "exports"
        folder.mkdir(exist_ok=True)
        path = folder / f"{turn.request.turn_id.rpartition(':')[2]}.csv"
        path.write_text(answer_to(turn.request.text), "utf-8")
        return path

    def _work(self, turn: Turn, name: str) -> None:
        world, text = self._shared.world, turn.request.text
        self._shared.efforts[turn.request.turn_id, name] += 1
        world.rest(WORK_SECONDS)
        if name == "look":
            return
        if KILLING in text:
            self._shared.kills += 1
            world.process.die()
            world.border()
        if HANGING in text and self._shared.efforts[turn.request.turn_id, name] == 1:
            world.wait(never)
        if SLOW in text:
            called = [False]
            with turn.stop.interrupting(partial(called.__setitem__, 0, True)):
                world.wait(lambda: called[0], SLOW_SECONDS)
            turn.stop.check()


def answer_to(text: str) -> str:
    return f"Answer to {text}"


def is_quick(text: str) -> bool:
    return QUICK in text
