"""Forget in memory, exports, spool and engine: on command, and hourly after `retention_days`."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from shutil import rmtree

from ai.agents.tools import export_folder
from ai.memory_store import Forgotten, MemoryStore
from ai.results.upkeep import sweep_exports
from ai.types import ThreadKey
from bot.engine import forget_turns
from bot.inbound import Spool


@dataclass(frozen=True, slots=True)
class Forgetting:
    """Forgets for good. `engine` is the URL of the queue; `kept_days` returns a channel's retention in days."""

    memory: MemoryStore
    exports: Path
    engine: str
    kept_days: Callable[[str], float | None]
    spool: Spool

    def thread(self, key: ThreadKey) -> Forgotten:
        self.spool.forget_thread(key)
        return self._with_files(self.memory.lifecycle.forget_thread(key))

    def person(self, user: str) -> Forgotten:
        """Forget a person's questions, their answers, and saved states."""
        self.spool.forget_person(user)
        return self._with_files(self.memory.lifecycle.forget_person(user))

    def everything(self) -> Forgotten:
        self.spool.forget_everything()
        gone = self.memory.lifecycle.forget_everything()
        rmtree(self.exports, ignore_errors=True)
        return replace(gone, scrubbed=forget_turns(self.engine, None) and gone.scrubbed)

    def expired(self, now: datetime) -> Forgotten:
        """Forget turns past their retention, and exports nobody fetched."""
        sweep_exports(self.exports, now.timestamp())
        return self._with_files(self.memory.lifecycle.expire(self.kept_days, now))

    def _with_files(self, gone: Forgotten) -> Forgotten:
        if not gone.turns:
            return gone
        for turn in gone.turns:
            rmtree(self.exports / export_folder(turn), ignore_errors=True)
        return replace(gone, scrubbed=forget_turns(self.engine, gone.turns) and gone.scrubbed)
