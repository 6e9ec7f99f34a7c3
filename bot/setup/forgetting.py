"""Forget in memory, exports, spool and engine: on command, and hourly after `retention_days`."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from shutil import rmtree
from typing import Protocol

from ai.agents.tools import export_folder
from ai.memory_store import Forgotten, MemoryStore
from ai.results.upkeep import sweep_exports
from ai.types import ThreadKey
from bot.inbound import Spool


class ErasableTables(Protocol):
    """The tables made of files in threads."""

    def forget(self, *, threads: Collection[str] = (), person: str = "", turn_id: str = "") -> None: ...

    def forget_everything(self) -> None: ...

    def kept(self) -> Iterator[tuple[ThreadKey, datetime]]: ...


@dataclass(frozen=True, slots=True)
class Forgetting:
    """Forgets for good. `engine` is the URL of the queue; `kept_days` returns a channel's retention in days."""

    memory: MemoryStore
    exports: Path
    engine: str
    kept_days: Callable[[str], float | None]
    spool: Spool
    files: ErasableTables

    def thread(self, key: ThreadKey) -> Forgotten:
        self.spool.forget_thread(key)
        self.files.forget(threads=[str(key)])
        return self._with_files(self.memory.lifecycle.forget_thread(key))

    def person(self, user: str) -> Forgotten:
        """Forget a person's questions, their answers, and saved states."""
        self.spool.forget_person(user)
        self.files.forget(person=user)
        return self._with_files(self.memory.lifecycle.forget_person(user))

    def everything(self) -> Forgotten:
        self.spool.forget_everything()
        self.files.forget_everything()
        gone = self.memory.lifecycle.forget_everything()
        rmtree(self.exports, ignore_errors=True)
        return replace(gone, scrubbed=self._forget_turns(None) and gone.scrubbed)

    def expired(self, now: datetime) -> Forgotten:
        """Forget turns past their retention, and exports nobody fetched."""
        sweep_exports(self.exports, now.timestamp())
        gone = self._with_files(self.memory.lifecycle.expire(self.kept_days, now))
        self.files.forget(threads=[str(key) for key, since in self.files.kept() if self._is_over(key, since, now)])
        return gone

    def _is_over(self, key: ThreadKey, since: datetime, now: datetime) -> bool:
        days = self.kept_days(key.channel)
        return not self.memory.knows(key) or (days is not None and now - since > timedelta(days=days))

    def _with_files(self, gone: Forgotten) -> Forgotten:
        if not gone.turns:
            return gone
        for turn in gone.turns:
            rmtree(self.exports / export_folder(turn), ignore_errors=True)
        return replace(gone, scrubbed=self._forget_turns(gone.turns) and gone.scrubbed)

    def _forget_turns(self, turns: Sequence[str] | None) -> bool:
        from bot.engine import forget_turns  # `datathread ask` runs without an engine

        return forget_turns(self.engine, turns)
