"""Previews and summaries of archives are of a bounded length, on one line."""

from datetime import UTC, datetime

import pytest

from ai.memory.archives.placeholder import preview_of, summary_of
from ai.types import LoggedMessage, Role, ThreadKey

THREAD = ThreadKey("T", "C", "1.1")


def line(role: Role, content: str) -> LoggedMessage:
    return LoggedMessage(THREAD, 1, "t", role, content, "U1", 1, datetime(2026, 11, 20, tzinfo=UTC))


LONG = line("user", "a" * 900)


@pytest.mark.parametrize(
    ("messages", "limit", "preview"),
    [
        (
            [line("user", "how\n many?"), line("assistant", "There are 3.")],
            200,
            "User: how many? Assistant: There are 3.",
        ),
        ([LONG], 0, f"User: {'a' * 34}...(truncated)"),
        ([LONG], 40, f"User: {'a' * 34}...(truncated)"),
        ([LONG], 41, f"User: {'a' * 35}...(truncated)"),
        ([LONG], 9_000, f"User: {'a' * 394}...(truncated)"),
        ([line("user", "a" * 34)], 40, f"User: {'a' * 34}"),
        ([line("user", "a" * 33), line("user", "b")], 40, f"User: {'a' * 33}...(truncated)"),
        ([], 40, ""),
    ],
)
def test_a_preview_is_of_a_bounded_length(messages: list[LoggedMessage], limit: int, preview: str) -> None:
    assert preview_of(messages, limit) == preview


@pytest.mark.parametrize(
    ("messages", "given", "auto", "summary"),
    [
        ([line("user", "\n  how many? \nmore"), line("user", "x")], None, True, "how many? (2 msgs)"),
        ([line("user", "how many?")], None, False, "(1 msgs)"),
        ([line("user", "how many?")], "about\n apps", False, "about apps (1 msgs)"),
        ([line("user", "how many?")], "about apps (1 msgs)", True, "about apps (1 msgs)"),
        ([LONG], None, True, f"{'a' * 140} (1 msgs)"),
        ([], None, True, "(0 msgs)"),
    ],
)
def test_a_summary_counts_its_messages(
    messages: list[LoggedMessage], given: str | None, auto: bool, summary: str
) -> None:
    assert summary_of(messages, given, auto) == summary
