"""The limits compose, whatever is set; what is changed for that is said."""

import logging

import pytest

from ai.memory.limits import MemoryLimits, composed, composed_aloud


@pytest.mark.parametrize(
    ("limits", "expected", "changed"),
    [
        (MemoryLimits(), (4000, 8_000, 60_000), []),
        (MemoryLimits(model=32_000), (4000, 8_000, 22_400), ["ACTIVE_CONTEXT_TOKENS"]),
        (MemoryLimits(window=90_000), (4000, 60_000, 60_000), ["CONTEXT_WINDOW_TOKENS"]),
        (MemoryLimits(max_tokens=20_000), (10_000, 8_000, 60_000), ["MAX_CONVERSATION_TOKENS"]),
        (MemoryLimits(max_tokens=20_000, trigger_ratio=0), (20_000, 8_000, 60_000), []),
        (
            MemoryLimits(model=4_000),
            (3_500, 2_800, 2_800),
            ["ACTIVE_CONTEXT_TOKENS", "CONTEXT_WINDOW_TOKENS", "MAX_CONVERSATION_TOKENS"],
        ),
    ],
)
def test_each_limit_is_within_the_next(
    limits: MemoryLimits, expected: tuple[int, int, int], changed: list[str]
) -> None:
    fitting, changes = composed(limits)
    assert (fitting.max_tokens, fitting.window, fitting.ceiling) == pytest.approx(expected, abs=1)
    assert [change.split()[0] for change in changes] == changed
    assert composed(fitting) == (fitting, ())


def test_what_is_changed_is_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        composed_aloud(MemoryLimits(model=32_000))
    assert caplog.messages == [
        "ACTIVE_CONTEXT_TOKENS is 60000, more than 70% of MODEL_CONTEXT_TOKENS: 22400 is used instead."
    ]
