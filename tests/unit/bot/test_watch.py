"""The watch over the line to Slack: it renews a silent one, fills holes, and moves the mark only when nothing is missing."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from time import time

import pytest

from bot.contact import Mark, Watch
from tests.wait import until

SILENCE = 0.5
Start = Callable[..., "Seen"]


@dataclass
class SteeredLine:
    """A line that gives signs of life for as long as it is told to, and again once it is renewed."""

    silent_since: float | None = None
    renewals: int = 0
    heals: bool = True

    def heard_at(self) -> float:
        return self.silent_since or time()

    def renew(self) -> None:
        self.renewals += 1
        if not self.heals:
            raise ConnectionError
        self.silent_since = None

    def close(self) -> None:
        """There is nothing to close."""


@dataclass
class Seen:
    """What a watch did."""

    line: SteeredLine
    mark: Mark
    caught_up: list[float | None] = field(default_factory=list)
    failures: int = 0

    def catch_up(self, moment: float | None) -> None:
        self.caught_up.append(moment)
        if len(self.caught_up) <= self.failures:
            raise ConnectionError


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    with ExitStack() as opened:

        def started(line: SteeredLine | None = None, failures: int = 0, marked: float | None = None) -> Seen:
            seen = Seen(line or SteeredLine(), Mark(tmp_path / "reached-until"), failures=failures)
            if marked is not None:
                seen.mark.move(marked)
            watch = Watch(seen.line, seen.mark, SILENCE, seen.catch_up)
            watch.start()
            opened.callback(watch.stop)
            return seen

        yield started


def marked_after(seen: Seen, moment: float) -> bool:
    return (seen.mark.read() or 0) > moment


def test_at_the_start_it_catches_up_from_the_mark_and_moves_it(start: Start) -> None:
    began = time()
    seen = start(marked=began - 1000)
    until(lambda: marked_after(seen, began), 5, "the mark to move")
    assert seen.caught_up == [pytest.approx(began - 1000, abs=0.01)]


def test_who_was_never_here_has_no_mark(start: Start) -> None:
    seen = start()
    until(lambda: seen.mark.read(), 5, "the mark to be set")
    assert seen.caught_up == [None]


def test_a_silent_line_is_renewed_and_what_was_missed_is_caught_up_with(start: Start) -> None:
    seen = start()
    until(lambda: seen.mark.read(), 5, "the mark to be set")
    silent_since = time()
    seen.line.silent_since = silent_since
    until(lambda: len(seen.caught_up) == 2, 5, "the hole to be filled")
    assert seen.line.renewals == 1
    assert (seen.caught_up[1] or 0) <= silent_since + 0.01
    until(lambda: marked_after(seen, silent_since + SILENCE), 5, "the mark to move on")


def test_the_mark_stays_while_something_is_missing(start: Start) -> None:
    began = time()
    seen = start(marked=began - 1000, failures=3)
    until(lambda: marked_after(seen, began), 5, "the mark to move")
    assert seen.caught_up == [pytest.approx(began - 1000, abs=0.01)] * 4


def test_a_line_that_cannot_be_renewed_is_tried_again_without_haste(start: Start) -> None:
    seen = start(SteeredLine(silent_since=time() - 10, heals=False))
    began = time()
    until(lambda: seen.line.renewals == 3, 10, "three tries")
    assert time() - began >= 2 * SILENCE
    assert seen.caught_up == []
    assert seen.mark.read() is None
