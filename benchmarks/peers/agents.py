"""Measure one system that answers data questions: questions in, one JSON line each out.

Peers run in environments of their own (`agents.txt`, `vanna07.txt`). Input lines are
`{"thread": …, "text": …}`; output lines hold the answer, its CPU milliseconds and the peak memory above idle.

    python benchmarks/peers/agents.py SYSTEM SERVER DATABASE FOLDER
"""

# mypy: ignore-errors
# The peers are installed in environments of their own, where nothing checks types.

import asyncio
import json
import os
import re
import resource
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import process_time

Ask = Callable[[str, str], str]
MODEL, KEY = "test-model", "none"
GUIDE = (  # of LangChain's SQL tutorial, shortened by nothing that its agent acts on
    "You are an agent designed to interact with a SQL database. Given an input question, create a "
    "syntactically correct "
    "sqlite query to run, then look at the results of the query and return the answer. Unless the user "
    "specifies a specific "
    "number of examples they wish to obtain, always limit your query to at most 5 results. You can order "
    "the results by a "
    "relevant column to return the most interesting examples in the database. Never query for all the "
    "columns from a specific "
    "table, only ask for the relevant columns given the question. You MUST double check your query "
    "before executing it. If "
    "you get an error while executing a query, rewrite the query and try again. DO NOT make any DML "
    "statements (INSERT, "
    "UPDATE, DELETE, DROP etc.) to the database. To start you should ALWAYS look at the tables in the "
    "database to see what "
    "you can query. Do NOT skip this step. Then you should query the schema of the most relevant tables."
)


@contextmanager
def ours(server: str, database: str, folder: Path) -> Iterator[Ask]:
    from datetime import UTC, datetime

    from ai.agents.port import Answer, run_now
    from ai.types import Request, ThreadKey
    from bot.product import open_product
    from config import load

    settings = load(
        database_url=f"sqlite:///{database}",
        data_dir=folder,
        openai_base_url=server,
        result_rows=1_000_000,
        openai_model=MODEL,
    )
    with open_product(settings) as product:
        (source,) = product.sources

        def ask(thread: str, text: str) -> str:
            key, at = ThreadKey("T", "C", thread), datetime.now(UTC)
            turn_id = f"T:C:{at.timestamp()}"
            product.memory.receive(key, turn_id, text, "U", at)
            request = Request(turn_id, key, text, "U", at, source)
            return Answer(tuple(product.orchestrator.answer(request, run_now))).text

        yield ask


@contextmanager
def langchain(server: str, database: str, _: Path) -> Iterator[Ask]:
    from langchain.agents import create_agent
    from langchain_community.agent_toolkits import SQLDatabaseToolkit
    from langchain_community.utilities import SQLDatabase
    from langchain_openai import ChatOpenAI
    from langgraph.checkpoint.memory import InMemorySaver

    model = ChatOpenAI(model=MODEL, api_key=KEY, base_url=server)
    tools = SQLDatabaseToolkit(db=SQLDatabase.from_uri(f"sqlite:///{database}"), llm=model).get_tools()
    agent = create_agent(model, tools, system_prompt=GUIDE, checkpointer=InMemorySaver())

    def ask(thread: str, text: str) -> str:
        given = {"messages": [{"role": "user", "content": text}]}
        told = agent.invoke(given, {"configurable": {"thread_id": thread}})
        return str(told["messages"][-1].content)

    yield ask


@contextmanager
def vanna(server: str, database: str, _: Path) -> Iterator[Ask]:
    from vanna.core.agent import Agent
    from vanna.core.registry import ToolRegistry
    from vanna.core.user import RequestContext, User, UserResolver
    from vanna.integrations.local.agent_memory import DemoAgentMemory
    from vanna.integrations.openai import OpenAILlmService
    from vanna.integrations.sqlite import SqliteRunner
    from vanna.tools import RunSqlTool
    from vanna.tools.agent_memory import SaveQuestionToolArgsTool, SearchSavedCorrectToolUsesTool

    class Anybody(UserResolver):
        async def resolve_user(self, request_context: RequestContext) -> User:  # noqa: ARG002
            return User(id="u", group_memberships=["user"])

    registry = ToolRegistry()
    for tool in (RunSqlTool(SqliteRunner(database)), SaveQuestionToolArgsTool(), SearchSavedCorrectToolUsesTool()):
        registry.register_local_tool(tool, access_groups=["user"])
    agent = Agent(OpenAILlmService(model=MODEL, api_key=KEY, base_url=server), registry, Anybody(), DemoAgentMemory())

    async def all_of(thread: str, text: str) -> str:
        told = [part async for part in agent.send_message(RequestContext(), text, conversation_id=thread)]
        said = [part.simple_component.text for part in told if part.simple_component]
        shown = [part.rich_component.rows for part in told if hasattr(part.rich_component, "rows")]
        rows = "\n".join(", ".join(map(str, row.values())) for row in shown[-1]) if shown else ""
        return f"{said[-1] if said else ''}\n{rows}"

    yield lambda thread, text: asyncio.run(all_of(thread, text))


@contextmanager
def vanna07(server: str, database: str, _: Path) -> Iterator[Ask]:
    from openai import OpenAI
    from vanna.base import VannaBase
    from vanna.openai import OpenAI_Chat

    class Store(VannaBase):
        """Return the ten tables that share most words with a question, without embeddings."""

        def __init__(self) -> None:
            self.ddl: list[str] = []

        def get_related_ddl(self, question: str, **_: object) -> list[str]:
            words = set(re.findall(r"[a-z]+", question.lower()))
            return sorted(self.ddl, key=lambda each: -len(words & set(re.findall(r"[a-z]+", each.lower()))))[:10]

        def add_ddl(self, ddl: str, **_: object) -> str:
            self.ddl.append(ddl)
            return "ddl"

        def nothing(self, *_: object, **__: object) -> list[object]:
            return []

        generate_embedding = get_similar_question_sql = get_related_documentation = nothing
        add_question_sql = add_documentation = get_training_data = remove_training_data = nothing

    class Vanna(Store, OpenAI_Chat):
        def __init__(self) -> None:
            OpenAI_Chat.__init__(self, client=OpenAI(api_key=KEY, base_url=server), config={"model": MODEL})
            Store.__init__(self)

        def log(self, *_: object, **__: object) -> None:
            """Say nothing."""

    asked = Vanna()
    asked.connect_to_sqlite(database)
    with sqlite3.connect(database) as connection:
        for (ddl,) in connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"):
            asked.add_ddl(ddl)

    def ask(_: str, text: str) -> str:
        told = asked.ask(text, print_results=False, auto_train=False, visualize=False)
        return "no answer" if told is None or told[1] is None else f"{len(told[1])} rows"

    yield ask


@contextmanager
def bare(server: str, _: str, __: Path) -> Iterator[Ask]:
    from openai import OpenAI

    client = OpenAI(api_key=KEY, base_url=server)

    def ask(_: str, text: str) -> str:
        for body in json.loads(text):
            given = client.chat.completions.create(**body)
            if body.get("stream"):
                list(given)
        return ""

    yield ask


SYSTEMS = {"ours": ours, "langchain": langchain, "vanna": vanna, "vanna07": vanna07, "bare": bare}


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def resident() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def main(system: str, server: str, database: str, folder: str) -> None:
    out, sys.stdout = sys.stdout, sys.stderr  # what a system prints is no line of ours
    with SYSTEMS[system](server, database, Path(folder)) as ask:
        for line in sys.stdin:
            asked = json.loads(line)
            idle, started = resident(), process_time()
            try:
                told = ask(asked["thread"], asked["text"])
            except Exception as error:  # noqa: BLE001 - how a system fails is what is measured
                told = f"{type(error).__name__}: {error}"
            took = (process_time() - started) * 1000
            print(json.dumps({"told": told[:300], "cpu_ms": took, "grown_mb": peak() - idle}), file=out, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
