"""Exports a kept result as a CSV file or an Excel workbook. What is exported is what was answered, and no SQL is run.

Only who asks outright for all rows of a result that was cut has its query run again, and is told so.
"""

from collections.abc import Iterator

from ai.agents.asking import Asking, SeedCalls
from ai.agents.port import FileEvent, QuestionEvent, ReplyEvent, StatusEvent, TextEvent, Turn
from ai.agents.tools import Exports, ThreadTools, export_folder
from ai.agents.wishes.wording import export_described, export_kind, wants_all_rows
from ai.analysts.port import Intent
from ai.answers.phrase import literal
from ai.memory_store import MemoryStore
from ai.results.files import FileKind, Written
from ai.types import AnsweredQuery, Request

LABELS: dict[FileKind, str] = {"csv": "CSV", "xlsx": "an Excel workbook"}


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
        request = turn.request
        tools = ThreadTools(self._memory, request.thread, self._exports, self._asking.audience, request, turn.stop)
        match = tools.get_cached_results_tool(export_described(request.text))
        if match.query is None:
            questions = tuple(query.question for query in match.candidates)
            kind = export_kind(request.text)
            asks = tuple(f"export the result of {question} as {kind}" for question in questions)
            yield QuestionEvent("Which result do you mean?", questions, asks)
            return
        yield from _sent(match.query, tools, request)


def _sent(query: AnsweredQuery, tools: ThreadTools, request: Request) -> Iterator[ReplyEvent]:
    """The file, row by row, then what it is. All rows are fetched anew only when the kept ones are not all."""
    kind, part = export_kind(request.text), export_folder(request.turn_id)
    anew = query.truncated and wants_all_rows(request.text)
    yield StatusEvent("Running the query again for all rows…" if anew else "Writing the file…")
    done = Written()
    for done in (tools.exported_anew if anew else tools.exported)(query, part, kind):
        yield StatusEvent(f"Writing the file: {done.rows:,} rows so far…")
    yield TextEvent(" ".join([_introduced(query, done, LABELS[kind], anew=anew), *done.notes]))
    yield from (FileEvent(path, query.question) for path in done.paths)


def _introduced(query: AnsweredQuery, done: Written, label: str, *, anew: bool) -> str:
    rows = f"{done.rows:,} row" + ("" if done.rows == 1 else "s")
    text = f"The result of “{literal(query.question)}” as {label}: {rows}."
    if anew:
        return f"{text} The query was run again for all of its rows, so they are as of now."
    if query.truncated:
        return (
            f"{text} The query had more rows than are kept; these are the first {done.rows:,}. "
            "Say “export all rows” to run it again for all of them."
        )
    return text
