"""Past SQL of a thread, its cached results, and files made from them.

`ThreadTools` holds one thread to the asker's rights; the functions work on the process-wide `memory_store`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from ai.agents.left_open import refuse_unanswered
from ai.agents.rights.audience import Audience
from ai.errors import NoResult, NotAllowed
from ai.memory.search import placed
from ai.memory.workspaces import TracedCall
from ai.memory_store import Match, MemoryStore, memory_store
from ai.results.csv import write_csv
from ai.results.files import FileKind, FileRules, Sheet, Written, write_csv_files, write_files, write_workbook
from ai.results.table import ResultColumn
from ai.sql.database import Database
from ai.stopping import NEVER, Stop
from ai.types import AnsweredQuery, Json, Place, Request, ThreadKey

NO_LONGER_KEPT = "The rows of that result are no longer kept; ask the question again, then export it."
EXPORT_TOOL = "generate_csv_tool"  # as its calls are traced
NAME_LENGTH = 60
PLACED = 1_000  # newest queries of a thread, among which places are counted


@dataclass(frozen=True, slots=True)
class Exports:
    """The folder and rules of files, and the sources under wider limits for exports of all rows."""

    folder: Path
    rules: FileRules = field(default_factory=FileRules)
    bulk: Mapping[str, Database] = field(default_factory=dict)


class ThreadTools:
    """The tools of one thread. Every call leaves a trace; `stop` ends an export with `Stopped`."""

    def __init__(
        self,
        memory: MemoryStore,
        thread: ThreadKey,
        exports: Exports,
        audience: Audience,
        request: Request | None = None,
        stop: Stop = NEVER,
    ) -> None:
        self._stop = stop
        self._memory = memory
        self._audience = audience
        self._roles = request.roles if request else ()
        self._thread = thread
        self._exports = exports
        self._place = Place.of(request) if request else Place(thread.team, thread.channel)
        self._turn_id = request.turn_id if request else ""

    def get_sql_history_tool(self, query_description: str | None = None) -> Match:
        """Return the described or last query, or the closest ones."""
        call = self._call("get_sql_history_tool", query_description=query_description)
        return self._memory.traces.run(call, lambda: self._found(query_description), named)

    def sql_placed(self, places: Sequence[int]) -> tuple[AnsweredQuery, ...]:
        """Return the queries at places of the thread, oldest first, whose SQL the asker may see."""
        return tuple(map(self._one_placed, placed(self._memory.queries(self._thread, PLACED), places)))

    def _one_placed(self, query: AnsweredQuery) -> AnsweredQuery:
        self._audience.check_sql(query, self._roles)
        call = self._call("get_sql_history_tool", query_description=f"query {query.id}")
        self._memory.traces.run(call, lambda: Match(query, ()), named)
        return query

    def sql_alone(self, match: Match) -> Match:
        """Return a match as far as the asker may see it: without its number of rows where those are kept back."""
        if match.query is None:
            return match
        (query,) = self._audience.shown([match.query], self._roles)
        return replace(match, query=query)

    def get_cached_results_tool(self, query_description: str | None = None) -> Match:
        call = self._call("get_cached_results_tool", query_description=query_description)
        return self._memory.traces.run(call, lambda: self._kept(query_description), named)

    def generate_csv_tool(self, query: AnsweredQuery, part: str) -> Path:
        *_, done = self.exported(query, part)
        return done.paths[0]

    def keeps(self, query: AnsweredQuery) -> bool:
        """Whether the rows are still kept. Raises NotAllowed for rows that the asker may not see."""
        self._audience.check_rows(query, self._roles)
        try:
            return query.result is not None and bool(self._memory.parts.results.describe(query.result))
        except NoResult:
            return False

    def exported(
        self, query: AnsweredQuery, part: str, kind: FileKind = "csv", title: str | None = None
    ) -> Iterator[Written]:
        """Write the kept rows to a file named by the title, yielding the progress."""
        stem = self._stem(title or query.question, part)
        sheet = self._sheet(query, title or query.question)
        files = write_files(kind, stem, sheet.columns, sheet.blocks, self._exports.rules)
        return self._files((query,), files)

    def exported_together(self, named: Sequence[tuple[AnsweredQuery, str]], part: str) -> Iterator[Written]:
        """Write the kept rows of several titled queries as the sheets of one workbook."""
        stem = self._stem("results", part)
        sheets = [self._sheet(query, title) for query, title in named]
        files = write_workbook(stem, sheets, self._exports.rules)
        return self._files([query for query, _ in named], files)

    def exported_anew(
        self, query: AnsweredQuery, part: str, kind: FileKind = "csv", title: str | None = None
    ) -> Iterator[Written]:
        """Run the query again, within rights, and write all rows."""
        database = self._exports.bulk.get(query.source)
        if database is None:
            raise NotAllowed("The data source of that query is no longer configured; ask an owner of the bot.")
        database, stem = database.seen_by(self._roles), self._stem(title or query.question, part)
        most = database.limits.rows
        with _written_anew(database, query.sql, stem, kind, self._exports.rules, self._stop) as files:
            for done in self._files((query,), files):
                yield done
                if done.rows > most:
                    raise NoResult(f"The query has more than {most:,} rows, too many for a file; ask for less data.")

    def _call(self, tool: str, **params: Json) -> TracedCall:
        return TracedCall(tool, params, self._thread, self._place, self._turn_id)

    def _found(self, description: str | None) -> Match:
        match = self._memory.find_query(self._thread, description)
        if match.query is None and not match.candidates:
            refuse_unanswered(self._memory, self._thread, self._turn_id)
        if match.query is not None:
            self._audience.check_sql(match.query, self._roles)
        return match

    def _kept(self, description: str | None) -> Match:
        match = self._found(description)
        if match.query is not None:
            self._rows(match.query)
        return match

    def _rows(self, query: AnsweredQuery) -> str:
        """Return the handle of the kept rows. Raises NotAllowed, or NoResult when they are gone."""
        self._audience.check_rows(query, self._roles)
        if query.result is None:
            raise NoResult(NO_LONGER_KEPT)
        return query.result

    def _sheet(self, query: AnsweredQuery, title: str) -> Sheet:
        handle, results = self._rows(query), self._memory.parts.results
        return Sheet(title, results.describe(handle).columns, results.blocks(handle))

    def _stem(self, title: str, part: str) -> Path:
        folder = self._exports.folder / part
        folder.mkdir(parents=True, exist_ok=True)
        return folder / slug(title)

    def _files(self, queries: Sequence[AnsweredQuery], files: Iterator[Written]) -> Iterator[Written]:
        done = Written()
        for done in files:
            self._stop.check()
            yield done
        for query in queries:
            call = self._call(EXPORT_TOOL, query=query.id)
            self._memory.traces.run(call, lambda: done, lambda done: {"file": done.paths[0].name})


@contextmanager
def _written_anew(
    database: Database, sql: str, stem: Path, kind: FileKind, rules: FileRules, stop: Stop
) -> Iterator[Iterator[Written]]:
    checked = database.check(sql)
    if kind == "csv":
        with database.run_for_csv(checked, formula_guard=rules.formula_guard, stop=stop) as lines:
            yield write_csv_files(stem, lines.columns, lines.blocks, rules)
    else:
        with database.run(checked, stop) as rows:
            yield write_files(kind, stem, rows.columns, rows.blocks, rules)


def get_sql_history_tool(thread_ts: ThreadKey | str, query_description: str | None = None) -> dict[str, Any] | None:
    """Return `sql`, `question`, `results` and `timestamp` of a described query."""
    query = memory_store.find_query(thread_ts, query_description).query
    return None if query is None else memory_store.query_entry(query)


def get_cached_results_tool(thread_ts: ThreadKey | str, query_description: str | None = None) -> dict[str, Any] | None:
    """Return `data`, `row_count`, `sql_query` and `timestamp` of a result."""
    known = get_sql_history_tool(thread_ts, query_description)
    if known is None or not known["results"]:
        return None
    data = known["results"]["data"]
    return {"data": data, "row_count": len(data), "sql_query": known["sql"], "timestamp": known["timestamp"]}


def generate_csv_tool(data: Sequence[Mapping[str, Any]], path: Path | None = None) -> str:
    """Write rows to a file, a new one unless `path` names it; return its path."""
    path = path or Path(mkdtemp(prefix="datathread-")) / "result.csv"
    names = list(data[0]) if data else []
    rows = [tuple(row.get(name) for name in names) for row in data]
    write_csv(path, [ResultColumn(name) for name in names], [rows])
    return str(path)


def export_folder(turn_id: str) -> str:
    return f"{slug(turn_id)}-{sha256(turn_id.encode()).hexdigest()[:16]}"


def slug(text: str) -> str:
    """Make a file name from words of any alphabet; "result" for none."""
    return "-".join(re.findall(r"\w+", text.lower()))[:NAME_LENGTH].strip("-") or "result"


def named(match: Match) -> dict[str, Json]:
    if match.query is None:
        return {"closest_questions": [candidate.question for candidate in match.candidates]}
    query = match.query
    return {
        "question": query.question,
        "sql_query": query.sql,
        "row_count": query.row_count,
        "timestamp": query.created_at.isoformat(),
    }
