"""Exports a kept result as a CSV file. Never writes or runs SQL: what is exported is what was answered."""

from collections.abc import Iterator

from ai.agents.asking import Asking, SeedCalls
from ai.agents.port import FileEvent, QuestionEvent, ReplyEvent, StatusEvent, TextEvent, Turn
from ai.agents.tools import Exports, ThreadTools, slug
from ai.agents.wording import export_described
from ai.analysts.port import Intent
from ai.answers.phrase import literal
from ai.memory.workspaces import Place
from ai.memory_store import MemoryStore
from ai.types import PastQuery


class CsvExportAgent(SeedCalls):
    """Finds the result that is meant, last one by default, and writes it to a file."""

    intents: tuple[Intent, ...] = ("csv_export",)
    export = SeedCalls.whole

    def __init__(self, memory: MemoryStore, asking: Asking, exports: Exports) -> None:
        super().__init__(asking)
        self._memory = memory
        self._exports = exports

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        """Export the result that the message of a turn is about."""
        tools = ThreadTools(self._memory, turn.request.thread, self._exports, Place.of(turn.request))
        match = tools.get_cached_results_tool(export_described(turn.request.text))
        if match.query is None:
            yield QuestionEvent("Which result do you mean?", tuple(query.question for query in match.candidates))
            return
        yield StatusEvent("Writing the file…")
        path = tools.generate_csv_tool(match.query, slug(turn.request.turn_id))
        yield TextEvent(_introduced(match.query))
        yield FileEvent(path, match.query.question)


def _introduced(query: PastQuery) -> str:
    rows = f"{query.row_count:,} row" + ("" if query.row_count == 1 else "s")
    text = f"The result of “{literal(query.question)}” as CSV: {rows}."
    if query.truncated:
        return f"{text} The query had more rows than are kept; these are the first {query.row_count:,}."
    return text
