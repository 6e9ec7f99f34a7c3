"""Exports a kept result as a CSV file or an Excel workbook.

The query runs again only if the kept rows were cut and all rows are asked for.
"""

import re
from collections.abc import Iterator

from ai.agents.cards import AgentCard, Services
from ai.agents.direct_calls import DirectCalls
from ai.agents.port import FileEvent, QuestionEvent, ReplyEvent, StatusEvent, TextEvent, Turn
from ai.agents.tools import ThreadTools, export_folder
from ai.agents.wishes.polite import POLITE
from ai.analysts.port import Intent
from ai.answers.phrase import literal
from ai.results.files import FileKind, Written
from ai.types import AnsweredQuery, Request

LABELS: dict[FileKind, str] = {"csv": "CSV", "xlsx": "an Excel workbook"}


EXPORT_WORDS = frozenset(
    "export download save send give get me us please pls this that it these those the result results data table rows "
    "row list answer all everything as to in into an a csv excel xlsx spreadsheet file can could would you one again "
    "of for from and now also show want need i want i'd like have make create my our whole full complete entire every "
    "workbook".split()
)
EXCEL = re.compile(r"\b(?:xlsx|excel|workbook)\b", re.IGNORECASE)
ALL_ROWS = re.compile(
    r"\b(?:all|every)(?: of)?(?: the| its| their)? (?:rows?|data|results?)\b|\beverything\b"
    r"|\b(?:full|complete|entire|whole) (?:result|data|set|list|table|export)\b",
    re.IGNORECASE,
)


class CsvExportAgent(DirectCalls):
    export = DirectCalls.whole

    def __init__(self, services: Services) -> None:
        super().__init__(services.context)
        self._memory = services.memory
        self._exports = services.exports

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        request = turn.request
        tools = ThreadTools(self._memory, request.thread, self._exports, self._context.audience, request, turn.stop)
        match = tools.get_cached_results_tool(export_described(request.text))
        if match.query is None:
            questions = tuple(query.question for query in match.candidates)
            kind = export_kind(request.text)
            asks = tuple(f"export the result of {question} as {kind}" for question in questions)
            yield QuestionEvent("Which result do you mean?", questions, asks)
            return
        yield from _sent(match.query, tools, request)


def _sent(query: AnsweredQuery, tools: ThreadTools, request: Request) -> Iterator[ReplyEvent]:
    """Write the file and report its progress."""
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


def export_described(text: str) -> str | None:
    """Return the described result ("export the revenue one" -> "revenue"), None for the last."""
    words = [word for word in re.findall(r"[\w'-]+", text) if word.lower() not in EXPORT_WORDS]
    return " ".join(words) or None


def export_kind(text: str) -> FileKind:
    return "xlsx" if EXCEL.search(text) else "csv"


def wants_all_rows(text: str) -> bool:
    """Return whether all rows are asked for, beyond the kept ones."""
    return ALL_ROWS.search(text) is not None


CARD = AgentCard(
    intent=Intent("csv_export"),
    rank=60,
    patterns=(
        rf"^{POLITE}(?:export|download)\b",
        r"\b(?:csv|xlsx)\b|\b(?:as|to|in|into) (?:an? )?(?:excel|spreadsheet|file)\b",
    ),
    examples=("export this as csv", "give me that as an Excel file", "export all rows"),
    gives="a result as a CSV file or an Excel workbook",
    told="a file of the last result",
    build=CsvExportAgent,
)
