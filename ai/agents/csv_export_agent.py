"""Exports a result, or the answer to a question, as a CSV file, an Excel workbook or a Parquet file.

The query runs again where its rows are no longer kept, or were cut and all are asked for.
"""

from collections.abc import Iterator, Sequence

from ai.agents.cards import AgentCard, Services
from ai.agents.direct_calls import DirectCalls
from ai.agents.left_open import refuse_unanswered
from ai.agents.port import FileEvent, QuestionEvent, ReplyEvent, StatusEvent, TextEvent, Turn
from ai.agents.querying.exporting import OLDER, Exported, ExportSources
from ai.agents.querying.rerunning import RAN_AGAIN, Rerunning
from ai.agents.tools import ThreadTools, export_folder
from ai.agents.wishes.exports import ExportWish, export_wish
from ai.agents.wishes.polite import POLITE
from ai.analysts.port import Intent
from ai.answers.formats import heading_words
from ai.answers.naming import masked_note
from ai.answers.phrase import literal
from ai.results.files import FileKind, Written
from ai.types import AnsweredQuery

LABELS: dict[FileKind, str] = {"csv": "CSV", "xlsx": "an Excel workbook", "parquet": "Parquet"}


class CsvExportAgent(DirectCalls):
    export = DirectCalls.whole

    def __init__(self, services: Services) -> None:
        super().__init__(services.context)
        self._memory = services.memory
        self._exports = services.exports
        self._sources = ExportSources(services.memory, services.context, services.analyst)
        self._again = Rerunning(services.memory, services.context)

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        request = turn.request
        tools = ThreadTools(self._memory, request.thread, self._exports, self._context.audience, request, turn.stop)
        wish = export_wish(request.text)
        if wish.newest != 1:
            yield from self._several(turn, tools, wish)
            return
        found = yield from self._sources.find(turn, tools, wish)
        if isinstance(found, QuestionEvent | TextEvent):
            yield found
        else:
            yield from self._sent(turn, tools, wish, found)

    def _sent(self, turn: Turn, tools: ThreadTools, wish: ExportWish, found: Exported) -> Iterator[ReplyEvent]:
        """Write the file and report its progress."""
        query, title = found.query, self._sources.title(turn, found.query)
        part, is_kept = export_folder(turn.request.turn_id), tools.keeps(query)
        anew = not is_kept or (query.truncated and wish.all_rows)
        yield StatusEvent("Running the query again for all rows…" if anew else "Writing the file…")
        done = Written()
        for done in (tools.exported_anew if anew else tools.exported)(query, part, wish.kind, title):
            yield StatusEvent(f"Writing the file: {done.rows:,} rows so far…")
        said = [
            _introduced(title, done, LABELS[wish.kind]),
            *_cut(query, done, anew=anew, is_kept=is_kept),
            *self._masked(turn, [query]),
            *done.notes,
        ]
        if found.is_older:
            said.append(OLDER)
        if found.is_new:
            said.append(f"Read as: {literal(self._context.basis(turn, query).reading)}.")
        if found.note:
            said.append(found.note)
        self._context.audience.note(query, request=turn.request)
        yield TextEvent(" ".join(said))
        yield from (FileEvent(path, title) for path in done.paths)

    def _several(self, turn: Turn, tools: ThreadTools, wish: ExportWish) -> Iterator[ReplyEvent]:
        """Write the newest results: sheets of one workbook, or a CSV file each."""
        queries = self._sources.newest(turn, wish.newest)
        if not queries:
            refuse_unanswered(self._memory, turn.request.thread, turn.request.turn_id)
        named = [(query, self._sources.title(turn, query)) for query in queries]
        for query in queries:
            self._context.audience.note(query, turn.request)
        part = export_folder(turn.request.turn_id)
        yield StatusEvent("Writing the file…")
        lines, files = [], []
        if wish.kind == "xlsx":
            *_, done = tools.exported_together(named, part)
            lines += [f"{len(named)} results as the sheets of one Excel workbook: {_rows(done)}.", *done.notes]
            files += [FileEvent(path, "results") for path in done.paths]
        for query, title in named if wish.kind != "xlsx" else ():
            *_, done = tools.exported(query, part, wish.kind, title)
            lines += [_introduced(title, done, LABELS[wish.kind]), *done.notes]
            files += [FileEvent(path, title) for path in done.paths]
        yield TextEvent("\n".join([*lines, *self._ran_again(turn, queries), *self._masked(turn, queries)]))
        yield from files

    def _masked(self, turn: Turn, queries: Sequence[AnsweredQuery]) -> Iterator[str]:
        masked = {name for query in queries for name in self._context.names(turn, query).facts.masked}
        if note := masked_note([heading_words(name) for name in sorted(masked)]):
            yield note

    def _ran_again(self, turn: Turn, queries: Sequence[AnsweredQuery]) -> Iterator[str]:
        """Say of which results the rows were read again."""
        for query in queries:
            if note := self._again.note(turn, query):
                yield f"“{literal(query.question)}”: {note}"


def _introduced(title: str, done: Written, label: str) -> str:
    return f"The result of “{literal(title)}” as {label}: {_rows(done)}."


def _rows(done: Written) -> str:
    return f"{done.rows:,} row" + ("" if done.rows == 1 else "s")


def _cut(query: AnsweredQuery, done: Written, *, anew: bool, is_kept: bool) -> Iterator[str]:
    """Say whether the rows are those of the answer, and all of them."""
    if not is_kept:
        yield RAN_AGAIN
    elif anew:
        yield "The query was run again for all of its rows, so they are as of now."
    elif query.truncated:
        yield (
            f"The query had more rows than are kept; these are the first {done.rows:,}. "
            "Say “export all rows” to run it again for all of them."
        )


CARD = AgentCard(
    intent=Intent("csv_export"),
    rank=60,
    quick=lambda text: export_wish(text).is_of_kept_rows,
    patterns=(
        rf"^{POLITE}(?:export|download)\b",
        r"\b(?:csv|xlsx|parquet)\b|\b(?:as|to|in|into) (?:an? |one )?(?:single )?(?:excel|spreadsheet|workbook|file)\b",
        rf"^{POLITE}(?:an? )?excel(?: file)?[ ,]*(?:please|pls)?\W*$",
    ),
    examples=(
        "export this as csv",
        "export all apps as csv",
        "give me that as an Excel file",
        "export this as parquet",
        "export all the rows behind it",
        "both results in one workbook",
    ),
    gives="a result, the answer to a question, or the rows behind it "
    "as a CSV file, an Excel workbook or a Parquet file",
    told="a file of a result",
    build=CsvExportAgent,
)
