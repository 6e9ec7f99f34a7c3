"""The thread part of one prompt or reply: lines with their sizes, chosen within a budget of tokens. Pure."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from ai.types import Json, LoggedMessage

Place = Literal["earlier", "archived", "said", "result"]
ORDER: tuple[Place, ...] = ("earlier", "archived", "said", "result")


@dataclass(frozen=True, slots=True)
class ThreadLine:
    """A line of a prompt and its tokens there. `of_people` marks words of people alone, without values of the data."""

    place: Place
    fields: Mapping[str, Json]
    tokens: int
    of_people: bool = False
    message: LoggedMessage | None = None


@dataclass(frozen=True)
class ThreadPart:
    """The newest of the talk, oldest first, and lines within `budget` tokens, chosen when first read."""

    recent: tuple[LoggedMessage, ...] = ()
    budget: int = 0
    choose: Callable[[], tuple[ThreadLine, ...]] = tuple

    @cached_property
    def lines(self) -> tuple[ThreadLine, ...]:
        """The lines that matter most first."""
        return self.choose()

    @property
    def messages(self) -> tuple[LoggedMessage, ...]:
        """The messages shown word for word, in the order of the log."""
        shown = (line.message for line in self.lines if line.message is not None)
        return tuple(sorted(shown, key=lambda message: message.seq))

    def within(self, budget: int, *, people_only: bool = False, numbered: bool = False) -> Iterator[Mapping[str, Json]]:
        """Yield the fields of the lines that fit, in the order to be read; `numbered` adds places in the thread."""
        chosen: list[ThreadLine] = []
        for line in self.lines:
            if line.tokens <= budget and (line.of_people or not people_only):
                chosen.append(line)
                budget -= line.tokens
        for line in in_order(chosen):
            number = {"number": line.message.seq} if numbered and line.message and line.place == "said" else {}
            yield {**number, **line.fields}


def in_order(lines: Sequence[ThreadLine]) -> list[ThreadLine]:
    """Sort lines for a reader: the past, archives, what was said by its place, results."""
    return sorted(lines, key=lambda line: (ORDER.index(line.place), line.message.seq if line.message else 0))


NOTHING = ThreadPart()
