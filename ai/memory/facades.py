"""The two dictionaries of seed 004, read through to the store: nothing is kept in them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from ai.types import ThreadKey

T = TypeVar("T")


@dataclass(frozen=True)
class ByThread(Mapping[str, T], Generic[T]):
    """What `read` gives for each of the threads that `keys` names; a thread without anything is not in it."""

    keys_now: Callable[[], Iterable[ThreadKey]]
    read: Callable[[ThreadKey], T | None]

    def __getitem__(self, name: str) -> T:
        found = self.read(ThreadKey.of(name))
        if found is None:
            raise KeyError(name)
        return found

    def __iter__(self) -> Iterator[str]:
        return (name_of(key) for key in self.keys_now() if self.read(key) is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def name_of(key: ThreadKey) -> str:
    """The text that stands for a thread: a bare timestamp where seed 004 gave only that."""
    return str(key) if key.team or key.channel else key.thread_ts
