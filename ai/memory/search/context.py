"""What of a long thread a prompt holds: its last messages, and those that have to do with the question. Pure.

Of a budget of tokens a tenth goes to what was said last, whatever it is about; the rest to what fits the question best.
Told in the order in which it was said, either part explains the other.
"""

from collections.abc import Callable, Iterable

from ai.types import LoggedMessage

RECENT = 0.1  # share of the budget for what was said last


def chosen(
    newest: Iterable[LoggedMessage],
    fitting: Iterable[LoggedMessage],
    budget: int,
    size: Callable[[LoggedMessage], int],
) -> tuple[LoggedMessage, ...]:
    """The messages to show, oldest first, no larger together than `budget`.

    `newest` are the last messages of the thread, the last one first, and `fitting` those that fit best, best first.
    `size` says how many tokens a message takes as it is shown.
    """
    taken: dict[int, LoggedMessage] = {}
    left = budget
    for message in newest:
        if (cost := size(message)) > left - budget * (1 - RECENT):
            break
        taken[message.seq], left = message, left - cost
    for message in fitting:
        if message.seq not in taken and (cost := size(message)) <= left:
            taken[message.seq], left = message, left - cost
    return tuple(taken[seq] for seq in sorted(taken))


def rendered(message: LoggedMessage) -> str:
    """A message as a prompt shows it."""
    return f"{message.author} ({message.created_at:%Y-%m-%d}): {message.content}"
