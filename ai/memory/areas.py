"""What a memory is made of, and its areas: beside its conversations and queries, each an object of its own."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from sqlalchemy import Engine

from ai.memory.conversation import Conversations
from ai.memory.limits import MemoryLimits
from ai.memory.recollection import Recollections
from ai.memory.states import States
from ai.memory.traces import Traces
from ai.memory.workspaces import Workspaces
from ai.results.store import ResultStore


@dataclass(frozen=True, slots=True)
class Parts:
    """What a memory is made of."""

    engine: Engine
    results: ResultStore
    conversations: Conversations
    limits: MemoryLimits


class Areas(ABC):
    """The areas of a memory. Each object holds nothing but where things are kept, and is made when it is asked for."""

    @property
    @abstractmethod
    def parts(self) -> Parts:
        """What this memory is made of."""

    @property
    def workspaces(self) -> Workspaces:
        """The workspaces of seed 003."""
        return Workspaces(self.parts.engine)

    @property
    def states(self) -> States:
        """The states that were saved in workspaces."""
        return States(self.parts.engine, self.parts.results, self.workspaces)

    @property
    def traces(self) -> Traces:
        """The calls of tools."""
        return Traces(self.parts.engine, self.workspaces, self.parts.conversations.count)

    @property
    def recollections(self) -> Recollections:
        """The search of states and traces."""
        return Recollections(self.parts.engine, self.states)
