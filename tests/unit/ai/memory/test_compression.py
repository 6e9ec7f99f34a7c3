"""Which turns are folded, and what their lines say."""

from datetime import timedelta

import pytest

from ai.memory.limits import MemoryLimits
from ai.memory.log.compression import Compressed, Folds, Turn, compress, recent, summary
from ai.types import LoggedMessage, Role
from tests.memories import NOON, THREAD

ONE_EACH = 1


def turn(number: int, answers: int = 1, tokens: int = 10) -> Turn:
    def line(role: Role, text: str, seq: int) -> LoggedMessage:
        return LoggedMessage(THREAD, seq, f"turn {number}", role, text, "U1", tokens, NOON + timedelta(seconds=seq))

    asked = line("user", f"q{number}", number * 10)
    return (asked, *(line("assistant", f"a{number}", number * 10 + n + 1) for n in range(answers)))


def compressed(turns: list[Turn], limits: MemoryLimits, hidden: int = 0) -> Compressed:
    messages = hidden + sum(map(len, turns))
    oldest = turn(0) if hidden else turns[0]
    view = compress(
        Folds(turns, oldest, messages, {"turn 1": "[q3: 49 rows]"}, lambda _: "mem://x"), limits, lambda _: ONE_EACH
    )
    assert view is not None
    return view


@pytest.mark.parametrize(
    ("sizes", "keep_recent", "turns"),
    [([2, 2, 2], 5, 3), ([2, 2, 2, 2], 4, 2), ([9, 1], 1, 1), ([9, 1], 2, 2), ([2], 5, 1), ([], 5, 0)],
)
def test_the_newest_turns_stay_whole(sizes: list[int], keep_recent: int, turns: int) -> None:
    assert recent(sizes, keep_recent) == turns


@pytest.mark.parametrize(
    ("messages", "tokens", "ratio", "over"),
    [(10, 3200, 0.8, False), (11, 0, 0.8, True), (1, 3201, 0.8, True), (99, 99_999, 0, False)],
)
def test_a_view_is_over_its_limits_above_them(messages: int, tokens: int, ratio: float, over: bool) -> None:
    assert MemoryLimits(trigger_ratio=ratio).are_exceeded(messages, tokens) is over


@pytest.mark.parametrize(
    ("question", "response", "facts", "line"),
    [
        ("how many apps?", "49", "", "User asked: how many apps?... Response: 49..."),
        ("how many apps?", "49", "[q3: 49 rows]", "User asked: how many apps?... Response: 49... [q3: 49 rows]"),
        ("x" * 101, "y" * 101, "", f"User asked: {'x' * 100}... Response: {'y' * 100}..."),
        ("still running", "", "", "User asked: still running..."),
        ("", "unasked", "", "Response: unasked..."),
    ],
)
def test_a_line_is_worded_as_the_seed_has_it(question: str, response: str, facts: str, line: str) -> None:
    assert summary(question, response, facts) == line


def test_each_old_turn_has_its_line_while_there_are_few() -> None:
    view = compressed([turn(n) for n in range(1, 6)], MemoryLimits())
    assert [line.text for line in view.lines] == [
        "User asked: q1... Response: a1... [q3: 49 rows]",
        "User asked: q2... Response: a2...",
    ]
    assert (view.folded, len(view.kept)) == (4, 3)


def test_the_first_line_counts_what_has_none() -> None:
    view = compressed([turn(n) for n in range(1, 9)], MemoryLimits(), hidden=20)
    first, last = (line.text for line in view.lines)
    assert first == "User asked: q0... Response: a0... (then 26 more messages, kept as mem://x)"
    assert last == "User asked: q5... Response: a5..."
    assert view.folded == 30


def test_fewer_turns_are_kept_when_they_are_long() -> None:
    view = compressed([turn(n, tokens=500) for n in range(1, 6)], MemoryLimits(max_tokens=3000))
    assert [len(kept) for kept in view.kept] == [2, 2]


def test_the_newest_turn_is_kept_however_long_it_is() -> None:
    view = compressed([turn(1), turn(2, answers=20, tokens=9000)], MemoryLimits())
    assert [len(kept) for kept in view.kept] == [21]
    assert len(view.lines) == 1


def test_a_single_turn_cannot_be_compressed() -> None:
    assert compress(Folds([turn(1)], turn(1), 2, {}, lambda _: "mem://x"), MemoryLimits(), lambda _: ONE_EACH) is None
