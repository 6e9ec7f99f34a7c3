"""What a memory is made of, and its areas: beside its conversations and queries, each an object of its own."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from sqlalchemy import Engine

from ai.memory.archives.archives import Archives
from ai.memory.keeping.lifecycle import Lifecycle
from ai.memory.learned.rulebook import Rulebook
from ai.memory.learned.verified import VerifiedAnswers
from ai.memory.limits import MemoryLimits
from ai.memory.log.answers import Answers
from ai.memory.log.spending import Spending
from ai.memory.prompt.cache import WindowCache
from ai.memory.prompt.conversation import Conversations
from ai.memory.prompt.summaries import Summaries
from ai.memory.prompt.windows import Windows
from ai.memory.search.index import index_of
from ai.memory.search.recollection import Recollections
from ai.memory.search.search import Search
from ai.memory.search.transcripts import Transcripts
from ai.memory.workspaces.states import States
from ai.memory.workspaces.traces import Traces
from ai.memory.workspaces.workspaces import Workspaces
from ai.results.store import ResultStore


@dataclass(frozen=True, slots=True)
class Parts:
    """What a memory is made of."""

    engine: Engine
    results: ResultStore
    conversations: Conversations
    limits: MemoryLimits
    cache: WindowCache


class Areas(ABC):
    """The areas of a memory. Each object holds nothing but where things are kept, and is made when it is asked for."""

    @property
    @abstractmethod
    def parts(self) -> Parts:
        """What this memory is made of."""

    @property
    def windows(self) -> Windows:
        """The windows of conversations, their figures, and the memory service of seed 001."""
        return Windows(self.parts.conversations, self.parts.cache)

    @property
    def summaries(self) -> Summaries:
        """The summaries of long threads; nobody writes them until whoever knows a writer adds it."""
        return Summaries(self.parts.conversations)

    @property
    def answers(self) -> Answers:
        """The phrasings and receipts of answers."""
        return Answers(self.parts.engine)

    @property
    def archives(self) -> Archives:
        """The archives of seed 002."""
        return Archives(self.parts.conversations)

    @property
    def lifecycle(self) -> Lifecycle:
        """Edits, deletions, forgetting and retention."""
        parts = self.parts
        return Lifecycle(parts.conversations, parts.results, parts.cache, index_of(parts.engine))

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
    def spending(self) -> Spending:
        """The book of the calls of language models; without prices and budgets, which those who make calls add."""
        return Spending(self.parts.engine)

    @property
    def transcripts(self) -> Transcripts:
        """Conversations as they were said."""
        return Transcripts(self.parts.engine, self.search)

    @property
    def search(self) -> Search:
        """The search of messages, queries, states and traces."""
        return Search(self.parts.engine, index_of(self.parts.engine))

    @property
    def recollections(self) -> Recollections:
        """The search of states and traces."""
        return Recollections(self.search, self.workspaces)

    @property
    def verified(self) -> VerifiedAnswers:
        """The answers that people said are right."""
        return VerifiedAnswers(self.parts.engine)

    @property
    def rules(self) -> Rulebook:
        """The rules that came of corrections."""
        return Rulebook(self.parts.engine)
