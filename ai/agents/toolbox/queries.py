"""Offers the queries of a thread and their kept results. Rows never pass through a model to become a file."""

from dataclasses import asdict, replace

from ai.agents.toolbox.tool import PLAIN, By, Caller, Tool, ToolArguments
from ai.agents.tools import ThreadTools, named
from ai.errors import NoResult, UserError
from ai.memory_store import Match, MemoryStore
from ai.results.profile import profile
from ai.types import Json

CALLERS: frozenset[By] = frozenset({"agent", "langchain"})


class QueryDescription(ToolArguments):
    """A query by its description, else the last one. The thread is always the caller's own; `thread_ts` is ignored."""

    thread_ts: str = ""
    query_description: str | None = None


def _sql(_: MemoryStore, caller: Caller, given: QueryDescription) -> Json:
    queries = _queries(caller)
    return named(queries.sql_alone(queries.get_sql_history_tool(given.query_description)))


def _cached(memory: MemoryStore, caller: Caller, given: QueryDescription) -> Json:
    match = _queries(caller).get_cached_results_tool(given.query_description)
    return named(match) | _profiled(memory, match)


def _csv(_: MemoryStore, caller: Caller, given: QueryDescription) -> Json:
    queries = _queries(caller)
    match = queries.get_cached_results_tool(given.query_description)
    if match.query is None:
        return named(match)
    return {"file": queries.generate_csv_tool(match.query, f"tool-{match.query.id}").name}


def _profiled(memory: MemoryStore, match: Match) -> dict[str, Json]:
    if match.query is None or match.query.result is None:
        return {}
    known = profile(memory.parts.results, match.query.result)
    return {"columns": [{key: str(value) for key, value in asdict(column).items()} for column in known]}


def _queries(caller: Caller) -> ThreadTools:
    if caller.queries is None:
        raise NoResult("No thread is open here; ask in a thread.")
    return caller.queries


def _raised(error: UserError) -> Json:
    raise error


RAISING = replace(PLAIN, failed=_raised, trace=None)  # `ThreadTools` leaves the traces
TOOLS = (
    Tool(
        "get_sql_history_tool",
        "Find the SQL of an earlier question of this thread by its description; the last one without.",
        QueryDescription,
        _sql,
        CALLERS,
        RAISING,
    ),
    Tool(
        "get_cached_results_tool",
        "Find a kept result of this thread: question, SQL, time, and what its columns hold, never its rows.",
        QueryDescription,
        _cached,
        CALLERS,
        RAISING,
    ),
    Tool(
        "generate_csv_tool",
        "Write a kept result of this thread to a CSV file and give the file's name.",
        QueryDescription,
        _csv,
        CALLERS,
        RAISING,
    ),
)
