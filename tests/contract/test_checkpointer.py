"""States of LangGraph's graphs are kept in the memory, and forgotten with their thread."""

import subprocess
import sys
import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig

from ai.memory_store import MemoryStore
from ai.types import ThreadKey
from config import child_environment
from tests.memories import NOON, THREAD, ask, opened, turn
from tests.paths import ROOT
from tests.postgres import Postgres

base = pytest.importorskip("langgraph.checkpoint.base", reason="langgraph-checkpoint is not installed")
SECRET = "zebrafish"
OTHER = ThreadKey("T1", "C2", "2.2")


def keep(memory: MemoryStore, thread: ThreadKey | str, **values: Any) -> Any:
    """Keep a checkpoint on top of the newest one, and a pending write with the same values."""
    saver: Any = memory.checkpointer()
    config = {"configurable": {"thread_id": str(thread), "checkpoint_ns": ""}}
    newest = saver.get_tuple(config)
    versions = dict.fromkeys(values, 1)
    checkpoint = base.empty_checkpoint() | {"channel_values": values, "channel_versions": versions}
    kept = saver.put(newest.config if newest else config, checkpoint, {"source": "loop", "step": 1}, versions)
    saver.put_writes(kept, list(values.items()), "task-1")
    return kept


def states(memory: MemoryStore, thread: ThreadKey | str) -> list[Any]:
    config: RunnableConfig = {"configurable": {"thread_id": str(thread)}}
    return [each.checkpoint["channel_values"] for each in memory.checkpointer().list(config)]


def test_a_state_is_read_back_with_its_parent_and_its_writes(memory: MemoryStore) -> None:
    keep(memory, "free text", n=1)
    kept = keep(memory, "free text", n=2, said=["a"])
    saver: Any = memory.checkpointer()
    found = saver.get_tuple({"configurable": {"thread_id": "free text"}})
    assert (found.config, found.checkpoint["channel_values"]) == (kept, {"n": 2, "said": ["a"]})
    assert found.pending_writes == [("task-1", "n", 2), ("task-1", "said", ["a"])]
    assert saver.get_tuple(found.parent_config).checkpoint["channel_values"] == {"n": 1}
    assert [each.config for each in saver.list(None, limit=1)] == [kept]


def test_pruning_keeps_what_a_delta_channel_is_made_from(memory: MemoryStore) -> None:
    saver: Any = memory.checkpointer()
    for number in range(4):
        keep(memory, THREAD, **({"log": number} if number < 2 else {}))
    config = {"configurable": {"thread_id": str(THREAD)}}
    newest = saver.get_tuple(config)
    metadata = {**newest.metadata, "counters_since_delta_snapshot": {"log": (2, 2)}}
    saver.put(newest.parent_config, newest.checkpoint, metadata, {})
    saver.prune([str(THREAD)])
    assert states(memory, THREAD) == [{}, {}, {"log": 1}]
    with pytest.raises(ValueError, match="keep_latest or delete"):
        saver.prune([str(THREAD)], strategy="all")


def test_a_thread_is_copied_onto_itself_and_again_without_harm(memory: MemoryStore) -> None:
    keep(memory, THREAD, n=1)
    for target in (THREAD, OTHER, OTHER):
        memory.checkpointer().copy_thread(str(THREAD), str(target))
        assert states(memory, THREAD) == states(memory, target) == [{"n": 1}]


def test_a_thread_with_states_alone_is_forgotten(memory: MemoryStore) -> None:
    keep(memory, THREAD, n=1)
    keep(memory, OTHER, n=2)
    assert memory.lifecycle.knows_thread(THREAD)
    memory.lifecycle.forget_thread(THREAD)
    assert (states(memory, THREAD), states(memory, OTHER)) == ([], [{"n": 2}])
    assert not memory.lifecycle.knows_thread(THREAD)
    memory.lifecycle.forget_everything()
    assert states(memory, OTHER) == []


def test_states_have_their_time_as_the_channel_says(memory: MemoryStore) -> None:
    keep(memory, THREAD, n=1)
    keep(memory, OTHER, n=2)
    now = datetime.now(UTC)
    memory.lifecycle.expire({"C1": 30.0}.get, now + timedelta(days=29))
    assert states(memory, THREAD) == [{"n": 1}]
    memory.lifecycle.expire({"C1": 30.0}.get, now + timedelta(days=31))
    assert (states(memory, THREAD), states(memory, OTHER)) == ([], [{"n": 2}])


@pytest.mark.parametrize("how", ["thread", "person", "take back"])
def test_no_byte_of_forgotten_words_is_left_in_a_state(tmp_path: Path, how: str) -> None:
    with opened(tmp_path) as memory:
        ask(memory, 1, f"{SECRET}?")
        ask(memory, 2, "and lions?")
        keep(memory, THREAD, said=[f"{SECRET}?"])
        if how == "thread":
            memory.lifecycle.forget_thread(THREAD)
        elif how == "person":
            memory.lifecycle.forget_person("U1")
        else:
            memory.lifecycle.take_back(turn(1), NOON)
        assert states(memory, THREAD) == []
        assert not any(SECRET.encode() in file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())


def test_without_langgraph_a_sentence_says_what_to_install(tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules['langgraph'] = None\n"
        "from ai.memory_store import memory_store\n"
        "try: memory_store.checkpointer()\n"
        "except Exception as error: print(type(error).__name__, error)"
    )
    environment = child_environment(DATA_DIR=str(tmp_path), PYTHONPATH=str(ROOT))
    run = [sys.executable, "-c", program]
    told = subprocess.run(run, env=environment, capture_output=True, text=True, check=True).stdout
    assert (
        told
        == "MissingExtra LangGraph needs packages that are not installed: run pip install 'datathread[langgraph]'.\n"
    )


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_published_suite_passes(tmp_path: Path, server: Postgres) -> None:
    """In an environment of its own: the lock, the extra, LangGraph, and the suite."""
    python = tmp_path / "env" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "env"], check=True)
    if install(python, "--no-deps", "langgraph-checkpoint-conformance").returncode:
        pytest.skip("no package index can be reached for langgraph-checkpoint-conformance")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    (tmp_path / "extra.txt").write_text(
        "\n".join([*project["optional-dependencies"]["langgraph"], "langgraph"]), "utf-8"
    )
    done = install(python, "-r", str(ROOT / "requirements" / "image.txt"))
    done = install(python, "-r", str(tmp_path / "extra.txt")) if not done.returncode else done
    assert done.returncode == 0, done.stderr
    for url in (f"sqlite:///{tmp_path / 'state.sqlite'}", server.new_database()):
        suite = [str(python), str(ROOT / "tests" / "contract" / "checkpointer_suite.py"), url]
        ran = subprocess.run(
            suite, env=child_environment(PYTHONPATH=str(ROOT)), capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        assert "FULL (8/8)" in ran.stdout


def install(python: Path, *what: str) -> "subprocess.CompletedProcess[str]":
    """Install packages by uv, else by pip, from the index that pip is set up for."""
    uv, pip = Path(sys.executable).with_name("uv"), [sys.executable, "-m", "pip"]
    asked = subprocess.run([*pip, "config", "get", "global.index-url"], capture_output=True, text=True, check=False)
    index = ["--index-url", asked.stdout.strip()] if asked.stdout.strip() else []
    tool, into = ([str(uv), "pip", "install"], []) if uv.exists() else (pip, ["install"])
    command = [*tool, "--python", str(python), *into]
    return subprocess.run([*command, *index, *what], capture_output=True, text=True, check=False)
