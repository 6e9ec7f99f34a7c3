"""Runs LangGraph's published conformance suite and a real graph on a checkpointer over the database named.

`test_checkpointer.py` starts it in an environment with LangGraph.
"""

import asyncio
import sys
from collections.abc import AsyncIterator
from importlib import import_module
from operator import add
from typing import Annotated, Any, TypedDict

from ai.memory.langchain.checkpointer import ThreadCheckpointer
from ai.memory.opening import open_engine


class State(TypedDict):
    said: Annotated[list[str], add]


def conforms(url: str) -> bool:
    """Print the report of the suite; return whether every part of it passes, optional ones included."""
    suite = import_module("langgraph.checkpoint.conformance")

    @suite.checkpointer_test(name="ThreadCheckpointer")  # type: ignore[untyped-decorator]
    async def ours() -> AsyncIterator[ThreadCheckpointer]:
        engine = open_engine(url)
        yield ThreadCheckpointer(engine)
        engine.dispose()

    report = asyncio.run(suite.validate(ours))
    report.print_report()
    return bool(report.conformance_level() == "FULL" and all(each.passed for each in report.results.values()))


def remembers(url: str) -> bool:
    """Return whether a graph that stops to ask goes on where it was, in another process's place."""
    graphs, types = import_module("langgraph.graph"), import_module("langgraph.types")

    def ask(_: State) -> Any:
        return {"said": [types.interrupt("which platform?")]}

    builder = graphs.StateGraph(State)
    builder.add_node("ask", ask)
    builder.add_edge(graphs.START, "ask")
    thread = {"configurable": {"thread_id": "T1/C1/1.1"}}

    def run(given: Any) -> Any:
        engine = open_engine(url)
        graph = builder.compile(checkpointer=ThreadCheckpointer(engine))
        graph.invoke(given, thread)
        told = graph.get_state(thread).values, len(list(graph.get_state_history(thread)))
        engine.dispose()
        return told

    first, second = run({"said": ["how many apps?"]}), run(types.Command(resume="iOS"))
    return bool(first[0] == {"said": ["how many apps?"]} and second[0] == {"said": ["how many apps?", "iOS"]})


if __name__ == "__main__":
    sys.exit(0 if conforms(sys.argv[1]) and remembers(sys.argv[1]) else 1)
