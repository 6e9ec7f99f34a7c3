"""Forgetting everywhere: in the memory, in the files of exports, and in what the engine recorded.

People ask for it on the command line; what has had its time (`retention_days`) goes by itself, every hour.
"""

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


@dataclass(frozen=True, slots=True)
class Forgetting:
    """Forgets for good. `exports` is a folder, `engine` the URL of the queue, `kept_days` for how long a channel keeps turns."""

    memory: MemoryStore
    exports: Path
    engine: str
    kept_days: Callable[[str], float | None]

    def thread(self, key: ThreadKey) -> Forgotten:
        """Forget a thread, with everything that came of it."""
        return self._with_files(self.memory.lifecycle.forget_thread(key))

    def person(self, user: str) -> Forgotten:
        """Forget what a person asked, the answers to it, and the states that they saved."""
        return self._with_files(self.memory.lifecycle.forget_person(user))

    def everything(self) -> Forgotten:
        """Forget all that was ever said."""
        gone = self.memory.lifecycle.forget_everything()
        rmtree(self.exports, ignore_errors=True)
        return replace(gone, scrubbed=forget_turns(self.engine, None) and gone.scrubbed)

    def expired(self, now: datetime) -> Forgotten:
        """Forget turns that are older than their channel keeps, and files that nobody fetched."""
        sweep_exports(self.exports, now.timestamp())
        return self._with_files(self.memory.lifecycle.expire(self.kept_days, now))

    def _with_files(self, gone: Forgotten) -> Forgotten:
        if not gone.turns:
            return gone
        for turn in gone.turns:
            rmtree(self.exports / export_folder(turn), ignore_errors=True)
        return replace(gone, scrubbed=forget_turns(self.engine, gone.turns) and gone.scrubbed)
