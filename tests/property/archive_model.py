"""What archives ought to do, as a list: the conversation in plain Python, played beside the real one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count

from ai.errors import UserError
from ai.memory_store import MemoryStore
from ai.types import LoggedMessage, ThreadKey
from tests.memories import NOON

Step = tuple[str, int, int]


@dataclass(frozen=True)
class Said:
    """A message that stands in the conversation, itself or as a copy."""

    text: str
    is_copy: bool = False


@dataclass(frozen=True)
class Lines:
    """What stands for an archive: its placeholder, or the note that replaced it."""

    handle: str
    text: str
    is_note: bool = False


@dataclass
class Archive:
    """What an archive holds, and what it took out of the conversation."""

    held: list[str]
    took: list[Said | Lines]


@dataclass
class Conversation:
    """A thread and the list that it ought to be; `step` does something to both, `check` compares them."""

    memory: MemoryStore
    thread: ThreadKey
    shown: list[Said | Lines] = field(default_factory=list)
    log: list[LoggedMessage] = field(default_factory=list)
    archives: dict[str, Archive] = field(default_factory=dict)
    pruned: dict[str, Archive] = field(default_factory=dict)
    numbers: Iterator[int] = field(default_factory=count)

    def step(self, kind: str, first: int, second: int) -> None:
        try:
            getattr(self, f"_{kind}")(first, second)
        except UserError:
            return  # and `check` sees that nothing has changed

    def say(self, turns: int) -> None:
        for _ in range(turns):
            turn = f"{self.thread}:{next(self.numbers)}"
            self.memory.receive(self.thread, turn, f"question {turn}", "U1", NOON)
            self.memory.add_reply(self.thread, turn, f"answer {turn}")
            self.shown += [Said(f"question {turn}"), Said(f"answer {turn}")]

    def check(self) -> None:
        log = self.memory.archives.everything(self.thread)
        assert log[: len(self.log)] == tuple(self.log)
        assert [message.seq for message in log] == list(range(1, len(log) + 1))
        self.log = list(log)
        assert self.texts() == [one.text for one in self.shown]
        assert {handle: self.loaded(handle) for handle in self.archives} == {
            handle: archive.held for handle, archive in self.archives.items()
        }
        assert [m.content for m in self.memory.windows.read(self.thread, 10**9).messages] == self.texts()
        assert self.memory.history(self.thread)[-1:] == self.memory.archives.history(self.thread)[-1:]

    def texts(self) -> list[str]:
        return [message.content for message in self.memory.archives.history(self.thread)]

    def loaded(self, handle: str) -> list[str]:
        return [message.content for _, message in self.memory.archives.load(self.thread, handle).messages]

    def _say(self, first: int, _: int) -> None:
        self.say(1 + first % 3)

    def _store(self, first: int, last: int) -> None:
        made = self.memory.archives.store(self.thread, first, last)
        took = self.shown[first : last + 1]
        held = self._flat(took)
        assert made.messages == len(held)
        self.archives[made.handle] = Archive(held, took)
        self.shown[first : last + 1] = [Lines(made.handle, made.text)]

    def _restore(self, which: int, at: int) -> None:
        if handle := self._handle(which):
            done = self.memory.archives.restore(self.thread, handle, index=at)
            assert done.index == min(at, len(self.shown))
            self._put(handle, done.index)

    def _append(self, which: int, _: int) -> None:
        if handle := self._handle(which):
            self.memory.archives.restore(self.thread, handle)
            self._put(handle, len(self.shown))

    def _append_and_undo(self, which: int, _: int) -> None:
        if handle := self._handle(which):
            done = self.memory.archives.restore(self.thread, handle)
            assert self.memory.archives.take_out(self.thread, handle) == done.messages

    def _remove(self, which: int, at: int) -> None:
        if handle := self._handle(which):
            done = self.memory.archives.restore(self.thread, handle, index=at, remove_placeholder=True)
            stands, at = self._stands(handle), min(at, len(self.shown))
            if stands is not None and at in (stands, stands + 1):
                self._open(handle, stands)
                assert done.index == stands
                return
            self._put(handle, at)
            if stands is not None:
                self.shown.remove(next(one for one in self.shown if isinstance(one, Lines) and one.handle == handle))
            assert done.index == at - (stands is not None and stands < at)

    def _unarchive(self, which: int, _: int) -> None:
        handle = self._handle(which)
        if handle and (stands := self._stands(handle)) is not None:
            self.memory.archives.restore(self.thread, handle, index=stands, remove_placeholder=True)
            self._open(handle, stands)

    def _note(self, which: int, at: int) -> None:
        if handle := self._handle(which):
            note = f"note {next(self.numbers)}"
            self.memory.archives.restore(self.thread, handle, index=at, replace_with=note)
            stands = self._stands(handle)
            if stands is not None:
                self.shown[stands] = Lines(handle, note, is_note=True)
            self._put(handle, min(at, len(self.shown)))

    def _prune(self, _: int, __: int) -> None:
        unused = self.memory.archives.unused(self.thread)
        standing = {one.handle for one in self._everywhere() if isinstance(one, Lines) and not one.is_note}
        pruned = self.memory.archives.prune(self.thread)
        assert pruned.handles == unused
        assert set(pruned.handles) == self.archives.keys() - standing
        assert pruned.remaining == len(self.archives.keys() & standing)
        for handle in pruned.handles:
            self.pruned[handle] = self.archives.pop(handle)

    def _clear(self, first: int, _: int) -> None:
        if first == 0:
            self.memory.get_memory(self.thread).clear()
            self.shown.clear()
            for archive in (*self.archives.values(), *self.pruned.values()):
                archive.took.clear()

    def _handle(self, which: int) -> str | None:
        return list(self.archives)[which % len(self.archives)] if self.archives else None

    def _stands(self, handle: str) -> int | None:
        places = (n for n, one in enumerate(self.shown) if isinstance(one, Lines) and one.handle == handle)
        return next(places, None)

    def _put(self, handle: str, at: int) -> None:
        self.shown[at:at] = [Said(text, is_copy=True) for text in self.archives[handle].held]

    def _open(self, handle: str, stands: int) -> None:
        archive = self.archives[handle]
        self.shown[stands : stands + 1] = archive.took
        archive.took = []

    def _flat(self, entries: Sequence[Said | Lines]) -> list[str]:
        held = {**self.pruned, **self.archives}
        return [text for one in entries for text in ([one.text] if isinstance(one, Said) else held[one.handle].held)]

    def _everywhere(self) -> list[Said | Lines]:
        """What stands in the conversation or inside an archive."""
        inside = (one for archive in (*self.archives.values(), *self.pruned.values()) for one in archive.took)
        return [*self.shown, *inside]
