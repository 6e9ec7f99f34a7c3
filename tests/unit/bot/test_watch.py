"""The watch over the line to Slack: it renews a silent one, and enters a mark that passes nothing that is owed."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import time

import pytest

from ai.memory_store import LineMark, LineMarks
from ai.types import ThreadKey
from bot.contact.gaps import Gaps
from bot.contact.ledger import GONE_SECONDS, IDLE_SECONDS, STALE_SECONDS, Arrivals, GapLedger
from bot.contact.watch import Watch, own_gap
from tests.memories import opened
from tests.wait import until

SILENCE = 30.0
TEAM, THREAD = "T1", ThreadKey("T1", "C1", "1.0")


@dataclass
class SteeredLine:
    """A line that gives signs of life for as long as it is told to, and again once it is renewed."""

    silent_since: float | None = None
    renewals: int = 0
    broken: bool = False

    def is_broken(self) -> bool:
        return self.broken

    def heard_at(self) -> float:
        return self.silent_since or time()

    def renew(self) -> None:
        self.renewals += 1
        self.silent_since, self.broken = None, False

    def close(self) -> None:
        """There is nothing to close."""


@dataclass
class Finder:
    """Notes from when it is asked to look; fails so many times first."""

    failures: int = 0
    looks: list[float] = field(default_factory=list)
    knows: bool = True

    def catch_up(self, until: float) -> int:
        self.looks.append(until)
        if len(self.looks) <= self.failures:
            raise ConnectionError
        return 0

    def look_through(self, thread: ThreadKey, since: float) -> bool:
        return self.knows


@dataclass
class Post:
    """A watch with all that it watches over."""

    lines: LineMarks
    folder: Path
    line: SteeredLine = field(default_factory=SteeredLine)
    finder: Finder = field(default_factory=Finder)
    arrivals: Arrivals = field(default_factory=Arrivals)

    def __post_init__(self) -> None:
        self.ledger, self.gaps = GapLedger(self.lines, TEAM, self.folder / "lines"), Gaps(self.finder)
        self.ledger.hold()
        self.watch = Watch(self.line, self.ledger, self.gaps, self.arrivals, SILENCE)

    @property
    def mark(self) -> float:
        (own,) = [line for line in self.lines.of_team(TEAM) if line.id == self.ledger.own]
        return own.stored_until

    def others(self) -> list[LineMark]:
        return [line for line in self.lines.of_team(TEAM) if line.id != self.ledger.own]


@pytest.fixture
def lines(tmp_path: Path) -> Iterator[LineMarks]:
    with opened(tmp_path) as memory:
        yield memory.lines


@pytest.fixture
def post(lines: LineMarks, tmp_path: Path) -> Post:
    return Post(lines, tmp_path)


def test_the_mark_moves_with_the_line_and_stops_at_what_is_owed(post: Post) -> None:
    began = time()
    post.watch.look()
    assert post.mark >= began
    post.arrivals.came("event", began - 5)
    post.arrivals.came("event", began)  # once more: the earlier moment stays
    post.watch.look()
    assert post.mark == began - 5
    post.arrivals.over("event")
    post.watch.look()
    assert post.mark >= began


def test_a_silent_line_is_renewed_and_not_at_once_again(post: Post) -> None:
    post.line.silent_since = time() - SILENCE - 1
    post.watch.look()
    post.line.silent_since = time() - SILENCE - 1
    post.watch.look()
    assert post.line.renewals == 1


def test_a_line_that_cannot_be_read_is_renewed_at_once(post: Post) -> None:
    post.line.broken = True
    post.watch.look()
    post.watch.look()
    assert post.line.renewals == 1


def test_a_gap_holds_threads_and_the_mark_until_it_is_looked_through(post: Post) -> None:
    began = time()
    post.finder.failures = 1
    post.gaps.open(own_gap(post.arrivals, began - 100))
    assert post.gaps.holds(THREAD, time())
    post.watch.look()
    assert post.mark == began - 100
    post.gaps.start()
    until(lambda: not post.gaps.holds(THREAD, time()), 10, "the gap to be filled")
    assert post.finder.looks == [began - 100] * 2
    post.watch.look()
    assert post.mark >= began
    post.gaps.stop()


@pytest.mark.parametrize("knows", [True, False])
def test_a_thread_is_looked_through_before_the_rest_if_it_is_ours(post: Post, knows: bool) -> None:
    post.finder.knows = knows
    post.gaps.open(own_gap(post.arrivals, time() - 100))
    heard: list[bool] = []
    post.gaps.on_change(lambda: heard.append(post.gaps.holds(THREAD, time())))
    post.gaps.look_through(THREAD)
    until(lambda: heard, 5, "the look")
    assert heard == [not knows]
    post.gaps.open(own_gap(post.arrivals, time() - 50))  # a later gap concerns it again
    assert post.gaps.holds(THREAD, time())


def test_a_closed_line_and_a_dead_one_leave_their_gap_to_others(post: Post, tmp_path: Path) -> None:
    began = time()
    closed = GapLedger(post.lines, TEAM, tmp_path / "lines")
    closed.hold()
    closed.beat(began - 30)
    assert post.ledger.left_behind() == []
    closed.close(began - 30)
    assert [gap.since for gap in post.ledger.left_behind()] == [began - 30]
    (tmp_path / "lines" / "dead").touch()  # a lock that nobody holds any more
    post.lines.beat("dead", TEAM, began - 20, began)
    (gap,) = post.ledger.left_behind()
    assert gap.since == began - 20
    assert post.ledger.left_behind() == []  # claimed
    assert [line.is_closed for line in post.others()] == [True, True]  # so that the next one knows, should this one die
    gap.closed(time())
    assert [line.stored_until for line in post.others()] == [began - 30]


def test_a_line_that_hangs_is_looked_after_more_and_more_rarely_and_then_let_go(post: Post) -> None:
    now = time()
    beat = now - STALE_SECONDS - 1
    post.lines.beat("elsewhere", TEAM, beat, beat)
    (gap,) = post.ledger.left_behind()
    gap.closed(now)
    (line,) = post.others()
    assert line.stored_until == now
    assert line.looked_at >= now
    assert post.ledger.left_behind() == []
    assert not post.lines.claim(LineMark(line.id, now, beat, 0.0), now)  # somebody else was first
    gone = now - GONE_SECONDS - 1
    post.lines.beat("forgotten", TEAM, gone, gone)
    (last,) = post.ledger.left_behind()
    last.closed(now)
    assert [line.id for line in post.others()] == ["elsewhere"]


def test_while_a_process_does_nothing_each_reply_waits_for_a_look_at_its_thread(post: Post, tmp_path: Path) -> None:
    other = GapLedger(post.lines, TEAM, tmp_path / "lines")
    other.hold()
    other.beat(time() - 3)
    post.watch.look()
    post.watch.glance()
    assert not post.gaps.holds(THREAD, time())
    os.utime(tmp_path / "lines" / other.own, (1, time() - IDLE_SECONDS - 1))
    post.watch.glance()
    came = time()
    assert post.gaps.holds(THREAD, came)
    post.gaps.look_through(THREAD)
    until(lambda: not post.gaps.holds(THREAD, came), 5, "the look")
    assert post.gaps.holds(THREAD, time() + 1)
    other.touch()
    post.watch.glance()
    assert not post.gaps.holds(THREAD, time() + 1)


def test_a_line_that_comes_back_is_not_dropped(post: Post) -> None:
    gone = time() - GONE_SECONDS - 1
    post.lines.beat("slow", TEAM, gone, gone)
    (gap,) = post.ledger.left_behind()
    post.lines.beat("slow", TEAM, time(), time())
    gap.closed(time())
    assert [line.id for line in post.others()] == ["slow"]


def test_the_lines_of_other_teams_are_their_own(post: Post) -> None:
    post.lines.beat("other", "T2", 1.0, 0.0)
    assert post.ledger.left_behind() == []
    assert post.ledger.marks() == []
