"""The three tools of seed 004 over the memory: past SQL, cached results, and a CSV file made from them.

`ThreadTools` is bound to one thread and shows what the asker may see, and so does what `for_model` offers to a language
model: a thread that a model names is ignored, and rows never pass through it to become a file. The functions of the
module take the thread from their caller and work on the process-wide `memory_store`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ai.agents.rights.audience import Audience
from ai.errors import NoResult, NotAllowed
from ai.memory.workspaces import TracedCall
from ai.memory_store import Match, MemoryStore, memory_store
from ai.results.csv import write_csv
from ai.results.files import FileKind, FileRules, Written, write_csv_files, write_files
from ai.results.profile import profile
from ai.results.table import ResultColumn
from ai.sql.database import Database
from ai.stopping import NEVER, Stop
from ai.types import Json, PastQuery, Place, Request, ThreadKey

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

NOTHING_YET = "Nothing has been asked in this thread yet; ask a data question first."
NO_LONGER_KEPT = "The rows of that result are no longer kept; ask the question again, then export it."
EXPORT_TOOL = "generate_csv_tool"  # as its calls are traced
NAME_LENGTH = 60


@dataclass(frozen=True, slots=True)
class Exports:
    """Where files are written and how; `bulk` are the sources within wider limits, for whoever asks for all rows."""

    folder: Path
    rules: FileRules = field(default_factory=FileRules)
    bulk: Mapping[str, Database] = field(default_factory=dict)


class ThreadTools:
    """The tools of one thread. Every call leaves a trace, in the workspace and under the turn of the request.

    A file is written no further once `stop` was called: `Stopped`.
    """

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
        """The past query that is described, or the last one; when none is clearly meant, the closest ones."""
        call = self._call("get_sql_history_tool", query_description=query_description)
        return self._memory.traces.run(call, lambda: self._found(query_description), _named)

    def get_cached_results_tool(self, query_description: str | None = None) -> Match:
        """The same, of queries whose rows are kept; NoResult when those of the one that is meant are gone."""
        call = self._call("get_cached_results_tool", query_description=query_description)
        return self._memory.traces.run(call, lambda: self._kept(query_description), _named)

    def generate_csv_tool(self, query: PastQuery, part: str) -> Path:
        """Write the kept rows of `query` to a CSV file of its own folder `part`, without running any SQL."""
        *_, done = self.exported(query, part)
        return done.paths[0]

    def exported(self, query: PastQuery, part: str, kind: FileKind = "csv") -> Iterator[Written]:
        """The same in any kind of file, telling what is done so far; the last thing told is the whole."""
        handle = self._rows(query)
        results, stem = self._memory.parts.results, self._stem(query, part)
        columns, blocks = results.describe(handle).columns, results.blocks(handle)
        return self._files(query, write_files(kind, stem, columns, blocks, self._exports.rules))

    def exported_anew(self, query: PastQuery, part: str, kind: FileKind = "csv") -> Iterator[Written]:
        """The same, but of all rows that the query gives now: its SQL passes the guard and the door again."""
        database = self._exports.bulk.get(query.source)
        if database is None:
            raise NotAllowed("The data source of that query is no longer configured; ask an owner of the bot.")
        database, stem = database.seen_by(self._roles), self._stem(query, part)
        most = database.limits.rows
        with _written_anew(database, query.sql, stem, kind, self._exports.rules, self._stop) as files:
            for done in self._files(query, files):
                yield done
                if done.rows > most:
                    raise NoResult(f"The query has more than {most:,} rows, too many for a file; ask for less data.")

    def _call(self, tool: str, **params: Json) -> TracedCall:
        return TracedCall(tool, params, self._thread, self._place, self._turn_id)

    def _found(self, description: str | None) -> Match:
        match = self._memory.find_query(self._thread, description)
        if match.query is None and not match.candidates:
            raise NoResult(NOTHING_YET)
        if match.query is not None:
            self._audience.check_sql(match.query, self._roles)
        return match

    def _kept(self, description: str | None) -> Match:
        match = self._found(description)
        if match.query is not None:
            self._rows(match.query)
        return match

    def _rows(self, query: PastQuery) -> str:
        """The handle of the kept rows of a query. `NotAllowed` for whoever may not see them, NoResult when they are gone."""
        self._audience.check_rows(query, self._roles)
        if query.result is None:
            raise NoResult(NO_LONGER_KEPT)
        return query.result

    def _stem(self, query: PastQuery, part: str) -> Path:
        folder = self._exports.folder / part
        folder.mkdir(parents=True, exist_ok=True)
        return folder / slug(query.question)

    def _files(self, query: PastQuery, files: Iterator[Written]) -> Iterator[Written]:
        done = Written()
        for done in files:
            self._stop.check()
            yield done
        call = self._call(EXPORT_TOOL, query=query.id)
        self._memory.traces.run(call, lambda: done, lambda done: {"file": done.paths[0].name})

    def _profiled(self, match: Match) -> dict[str, Any]:
        if match.query is None or match.query.result is None:
            return {}
        known = profile(self._memory.parts.results, match.query.result)
        return {"columns": [{key: str(value) for key, value in asdict(column).items()} for column in known]}

    def for_model(self) -> "tuple[BaseTool, ...]":
        """The tools as LangChain binds them to a model. `thread_ts` stands in their schema as in the seed, unheeded."""
        from langchain_core.tools import StructuredTool  # a second to load, and only a model needs it

        def get_sql_history_tool(thread_ts: str = "", query_description: str | None = None) -> dict[str, Any]:  # noqa: ARG001
            """Find the SQL of an earlier question of this thread by its description; the last one without."""
            return _named(self.get_sql_history_tool(query_description))

        def get_cached_results_tool(thread_ts: str = "", query_description: str | None = None) -> dict[str, Any]:  # noqa: ARG001
            """Find a kept result of this thread: question, SQL, time, and what its columns hold, never its rows."""
            match = self.get_cached_results_tool(query_description)
            return _named(match) | self._profiled(match)

        def generate_csv_tool(thread_ts: str = "", query_description: str | None = None) -> dict[str, Any]:  # noqa: ARG001
            """Write a kept result of this thread to a CSV file and give the file's name."""
            match = self.get_cached_results_tool(query_description)
            if match.query is None:
                return _named(match)
            return {"file": self.generate_csv_tool(match.query, f"tool-{match.query.id}").name}

        tools = (get_sql_history_tool, get_cached_results_tool, generate_csv_tool)
        return tuple(StructuredTool.from_function(tool) for tool in tools)


@contextmanager
def _written_anew(
    database: Database, sql: str, stem: Path, kind: FileKind, rules: FileRules, stop: Stop
) -> Iterator[Iterator[Written]]:
    """All rows that the query gives now, while they are written."""
    checked = database.check(sql)
    if kind == "csv":
        with database.run_for_csv(checked, formula_guard=rules.formula_guard, stop=stop) as lines:
            yield write_csv_files(stem, lines.columns, lines.blocks, rules)
    else:
        with database.run(checked, stop) as rows:
            yield write_files(kind, stem, rows.columns, rows.blocks, rules)


def get_sql_history_tool(thread_ts: ThreadKey | str, query_description: str | None = None) -> dict[str, Any] | None:
    """Seed 004: `sql`, `question`, `results` and `timestamp` of the query that is described; None when none is clear."""
    query = memory_store.find_query(thread_ts, query_description).query
    return None if query is None else memory_store.query_entry(query)


def get_cached_results_tool(thread_ts: ThreadKey | str, query_description: str | None = None) -> dict[str, Any] | None:
    """Seed 004: `data`, `row_count`, `sql_query` and `timestamp` of the thread's last result, or of the one described."""
    known = get_sql_history_tool(thread_ts, query_description)
    if known is None or not known["results"]:
        return None
    data = known["results"]["data"]
    return {"data": data, "row_count": len(data), "sql_query": known["sql"], "timestamp": known["timestamp"]}


def generate_csv_tool(data: Sequence[Mapping[str, Any]], path: Path) -> str:
    """Seed 004: write rows given as dictionaries to the CSV file `path`, and give that path."""
    names = list(data[0]) if data else []
    rows = [tuple(row.get(name) for name in names) for row in data]
    write_csv(path, [ResultColumn(name) for name in names], [rows])
    return str(path)


def export_folder(turn_id: str) -> str:
    """The name of the folder that the files of a turn stand in; no other turn has the same."""
    return f"{slug(turn_id)}-{sha256(turn_id.encode()).hexdigest()[:16]}"


def slug(text: str) -> str:
    """A file name from words: lower case, hyphens, any alphabet; "result" when nothing is left."""
    return "-".join(re.findall(r"\w+", text.lower()))[:NAME_LENGTH].strip("-") or "result"


def _named(match: Match) -> dict[str, Json]:
    """What a model is told of a match: the query, or the questions that it may choose from."""
    if match.query is None:
        return {"closest_questions": [candidate.question for candidate in match.candidates]}
    query = match.query
    return {
        "question": query.question,
        "sql_query": query.sql,
        "row_count": query.row_count,
        "timestamp": query.created_at.isoformat(),
    }
