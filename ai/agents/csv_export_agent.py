"""Exports a result, or the answer to a question, as a CSV file, an Excel workbook or a Parquet file.

The query runs again where its rows are no longer kept, or were cut and all are asked for.
"""

from collections.abc import Iterator, Sequence

from ai.agents.cards import AgentCard, Services
from ai.agents.direct_calls import DirectCalls
from ai.agents.left_open import refuse_unanswered
from ai.agents.port import FileEvent, QuestionEvent, ReplyEvent, StatusEvent, TextEvent, Turn
from ai.agents.querying.exporting import OLDER, Exported, ExportSources, title_of
from ai.agents.querying.rerunning import RAN_AGAIN, Rerunning
from ai.agents.tools import ThreadTools, export_folder, slug
from ai.agents.wishes.exports import AS_OTHER, ExportWish, export_wish
from ai.agents.wishes.polite import POLITE
from ai.analysts.port import Intent
from ai.answers.formats import heading_words
from ai.answers.naming import masked_note
from ai.answers.phrase import literal
from ai.results.files import FileKind, Written
from ai.types import AnsweredQuery

INSTEAD = "I make CSV, Excel and Parquet files, and nothing for “{}”; so this is a CSV file."
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
        if wish.several is not None:
            yield from self._several(turn, tools, wish, wish.several)
            return
        found = yield from self._sources.find(turn, tools, wish)
        if isinstance(found, QuestionEvent | TextEvent):
            yield found
        else:
            yield from self._sent(turn, tools, wish, found)

    def _sent(self, turn: Turn, tools: ThreadTools, wish: ExportWish, found: Exported) -> Iterator[ReplyEvent]:
        query, title = found.query, title_of(self._context, turn, found.query)
        part, is_kept = export_folder(turn.request.turn_id), tools.keeps(query)
        anew = not is_kept or (query.truncated and wish.all_rows)
        yield StatusEvent("Running the query again for all rows…" if anew else "Writing the file…")
        done = Written()
        for done in (tools.exported_anew if anew else tools.exported)(query, part, wish.kind, title):
            yield StatusEvent(f"Writing the file: {done.rows:,} rows so far…")
        said = [
            *_instead(wish),
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

    def _several(self, turn: Turn, tools: ThreadTools, wish: ExportWish, places: Sequence[int]) -> Iterator[ReplyEvent]:
        """Write several results: sheets of one workbook, or a CSV file each."""
        queries = self._sources.several(turn, places)
        if not queries:
            refuse_unanswered(self._memory, turn.request.thread, turn.request.turn_id)
        named = [(query, title_of(self._context, turn, query)) for query in queries]
        for query in queries:
            self._context.audience.note(query, turn.request)
        part = export_folder(turn.request.turn_id)
        yield StatusEvent("Writing the file…")
        lines, files = [], []
        if wish.kind == "xlsx":
            *_, done = tools.exported_together(named, part)
            lines += [f"{len(named)} results as the sheets of one Excel workbook: {_rows(done)}.", *done.notes]
            lines += [f"- “{literal(title)}”" for _, title in named]
            files += [FileEvent(path, "results") for path in done.paths]
        written: set[str] = set()
        for query, title in named if wish.kind != "xlsx" else ():
            name = f"{len(written) + 1} {title}" if slug(title) in written else title
            written.add(slug(name))
            *_, done = tools.exported(query, part, wish.kind, name)
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


def _instead(wish: ExportWish) -> Iterator[str]:
    if wish.instead_of:
        yield INSTEAD.format(wish.instead_of.upper() if len(wish.instead_of) < 5 else wish.instead_of.capitalize())


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
        r"\b(?:csv|xlsx|parquet)\b",
        r"\b(?:as|to|in|into) (?:an? |one )?(?:single )?(?:excel|(?:google )?(?:spread)?sheets?|workbook|file|xls)\b",
        rf"^{POLITE}(?:(?:i need|send|give|get|share|can i (?:have|get))(?: me| us)? )?(?:an? |the )?"
        r"(?:excel|(?:spread)?sheet|xls|file)(?: (?:file|sheet))?(?:[ ,]*(?:please|pls)?\W*$| (?:of|for|with) )",
        rf"^{POLITE}(?:save|send|share|give|get|turn|put|dump|can i (?:have"
        rf"|get))\b.*{AS_OTHER.pattern.replace('?P<format>', '?:')}\W*$",
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
