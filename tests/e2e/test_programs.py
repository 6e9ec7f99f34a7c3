"""Programs that people write around the product, as the documents show them: a notebook, a chain, the states of a graph."""

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from ai.agents.toolbox.langchain import langchain_tools
from ai.agents.toolbox.tool import Caller
from ai.agents.tools import ThreadTools
from ai.errors import NoResult
from ai.memory_store import MemoryStore
from ai.types import Place
from tests.desk import open_desk
from tests.memories import THREAD, opened
from tests.paths import ROOT
from tests.processes import bare_environment

FILES = """
print(list(frame.columns), len(frame), frame.total_installs.dtype)
result.to_parquet(Path("installs.parquet"))
print(pq.read_table("installs.parquet").equals(result.to_arrow()))
"""


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[MemoryStore]:
    with opened(tmp_path) as store:
        yield store


def test_a_notebook_takes_an_answer_as_a_data_frame(tmp_path: Path) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs/data-frames.md").read_text("utf-8"), re.DOTALL)
    program = "from pathlib import Path\nimport pyarrow.parquet as pq\n" + block + FILES
    environment = bare_environment(DATA_DIR=str(tmp_path / "data"))
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    first, second = done.stdout.splitlines()
    assert first.startswith("['month', 'platform', 'total_installs'] ")
    assert first.endswith(" Int64")
    assert second == "True"


def test_a_chain_keeps_its_messages_in_a_thread(memory: MemoryStore) -> None:
    history = memory.get_memory(THREAD)
    history.add_user_message("how many apps?")
    history.add_ai_message("49")
    assert str(history).splitlines()[:2] == ["human: how many apps?", "ai: 49"]

    async def go_on() -> list[str]:
        await history.aadd_messages([HumanMessage("and iOS?"), AIMessage("21")])
        said = [str(message.content) for message in await history.aget_messages()]
        await history.aclear()
        return said

    assert asyncio.run(go_on()) == ["how many apps?", "49", "and iOS?", "21"]
    assert history.messages == []


def test_a_model_with_langchain_s_tools_sees_queries_and_no_rows(tmp_path: Path) -> None:
    with open_desk(tmp_path) as desk:
        desk.orchestrator.process_message("list the apps", THREAD)
        queries = ThreadTools(desk.memory, THREAD, desk.exports, desk.audience)
        caller = Caller(Place(THREAD.team, THREAD.channel), THREAD, by="langchain", queries=queries)
        history, cached, export = langchain_tools(desk.memory, caller)
        assert history.invoke({"query_description": "the apps"})["sql_query"].startswith("SELECT")
        assert set(cached.invoke({})) == {"question", "sql_query", "row_count", "timestamp", "columns"}
        assert export.invoke({}) == {"file": "list-the-apps.csv"}
        nowhere = langchain_tools(desk.memory, Caller(caller.place, THREAD, by="langchain"))
        with pytest.raises(NoResult, match="No thread is open here"):
            nowhere[0].invoke({})


def test_a_graph_goes_on_from_its_last_state(memory: MemoryStore) -> None:
    from langgraph.checkpoint import base

    saver: Any = memory.checkpointer()
    place: Any = {"configurable": {"thread_id": str(THREAD), "checkpoint_ns": ""}}
    for step in range(3):
        state = base.empty_checkpoint() | {"channel_values": {"n": step}, "channel_versions": {"n": step}}
        place = saver.put(place, state, {"source": "loop", "step": step}, {"n": step})
        saver.put_writes(place, [("n", step + 1)], "task")
    newest = saver.get_tuple({"configurable": {"thread_id": str(THREAD)}})
    assert (newest.checkpoint["channel_values"], newest.pending_writes) == ({"n": 2}, [("task", "n", 3)])
    saver.copy_thread(str(THREAD), "another try")
    assert asyncio.run(counted(saver, "another try")) == [2, 1, 0]
    saver.prune([str(THREAD)])
    assert asyncio.run(counted(saver, str(THREAD))) == [2]
    saver.delete_thread("another try")
    assert asyncio.run(counted(saver, "another try")) == []


async def counted(saver: Any, thread: str) -> list[int]:
    """Return what was counted in each kept state of a thread, the newest first."""
    config = {"configurable": {"thread_id": thread}}
    return [each.checkpoint["channel_values"]["n"] async for each in saver.alist(config)]
