"""LangChain's door: what goes in comes out, of every kind, on either database."""

import json
import warnings
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    ChatMessage,
    FunctionMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)
from langchain_core.runnables import RunnableConfig, RunnableLambda

from ai.errors import UserError
from ai.memory.limits import MemoryLimits
from ai.memory_store import MemoryStore
from tests.memories import NOON, THREAD, ask, opened, turn

CALL = {"name": "count", "args": {"table": "apps", "limit": None}, "id": "call-1", "type": "tool_call"}
PICTURE = {"type": "image_url", "image_url": {"url": "https://example.com/chart.png", "detail": "low"}}
MESSAGES: list[BaseMessage] = [
    SystemMessage("Answer briefly.", id="s1"),
    HumanMessage("how many apps?", name="ana", id="h1", additional_kwargs={"seen": [1, 2.5, None]}),
    AIMessage(
        "", tool_calls=[CALL], id="a1", usage_metadata={"input_tokens": 9, "output_tokens": 1, "total_tokens": 10}
    ),
    ToolMessage("49", tool_call_id="call-1", name="count", status="error", artifact={"rows": [[49]]}),
    AIMessage("There are 49.", response_metadata={"model_name": "m", "finish_reason": "stop"}, name="bot"),
    AIMessage(
        "", invalid_tool_calls=[{"name": "x", "args": "{", "id": "2", "error": "e", "type": "invalid_tool_call"}]
    ),
    HumanMessage([{"type": "text", "text": "and in "}, PICTURE, {"type": "text", "text": "this one?"}]),
    ChatMessage(content="Noted.", role="critic"),
    FunctionMessage(content="{}", name="count"),
    AIMessageChunk(content="half", id="c1"),
    AIMessage([{"type": "reasoning", "reasoning": "because"}, {"type": "text", "text": "NUL \x00 and \ud800"}]),
    HumanMessage("lone \ud800 surrogate"),
    AIMessage("plain"),
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: f"{message.type}-{message.text[:12]}")
def test_a_message_comes_back_whole(memory: MemoryStore, message: BaseMessage) -> None:
    history = memory.get_memory(THREAD)
    history.add_messages([HumanMessage("hello"), message])
    assert history.messages == [HumanMessage("hello"), message]
    assert type(history.messages[1]) is type(message)


def test_a_whole_conversation_is_there_after_a_restart(tmp_path: Path) -> None:
    limits = MemoryLimits(max_messages=50)
    with opened(tmp_path, limits) as memory:
        memory.get_memory(THREAD).add_messages(MESSAGES)
    with opened(tmp_path, limits) as memory:
        assert memory.get_memory(THREAD).messages == MESSAGES
        assert [each.role for each in memory.history(THREAD)][:3] == ["assistant", "user", "assistant"]


@pytest.mark.parametrize(
    "block",
    [
        {"type": "image", "base64": "UE5HLWJ5dGVz", "mime_type": "image/png"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,UE5HLWJ5dGVz"}},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "UE5HLWJ5dGVz"}},
        {"type": "image", "source_type": "base64", "mime_type": "image/png", "data": "UE5HLWJ5dGVz"},
        {"type": "input_audio", "input_audio": {"format": "wav", "data": "UE5HLWJ5dGVz"}},
    ],
)
def test_bytes_of_an_image_become_a_reference(memory: MemoryStore, block: dict[str, Any]) -> None:
    history = memory.get_memory(THREAD)
    history.add_message(HumanMessage(["what is this?", block]))
    kept = json.dumps(history.messages[0].content)
    assert "UE5HLWJ5dGVz" not in kept
    assert f"sha256:{sha256(b'PNG-bytes').hexdigest()}" in kept
    assert history.messages[0].text == "what is this?"


def test_what_json_cannot_hold_is_refused_with_a_sentence(memory: MemoryStore) -> None:
    with pytest.raises(UserError, match="tool message cannot be kept"):
        memory.get_memory(THREAD).add_message(ToolMessage("1", tool_call_id="1", artifact=object()))


def test_rows_from_before_read_as_they_did(memory: MemoryStore) -> None:
    ask(memory, 1, "how many apps?")
    memory.add_reply(THREAD, turn(1), "49")
    assert memory.get_memory(THREAD).messages == [HumanMessage("how many apps?"), AIMessage("49")]


def test_a_restored_copy_is_whole_and_marked(memory: MemoryStore) -> None:
    history = memory.get_memory(THREAD)
    history.add_messages(MESSAGES[1:5])
    handle = memory.archives.store(THREAD, 0, 3).handle
    memory.archives.restore(THREAD, handle, index=1)
    copies = [message for message in history.messages if message.additional_kwargs.get("memory") == "copy"]
    assert [message.type for message in copies] == ["human", "ai", "tool", "ai"]
    assert isinstance(copies[2], ToolMessage)
    assert copies[2].artifact == {"rows": [[49]]}
    memory.get_memory("elsewhere").add_messages(copies)
    assert memory.get_memory("elsewhere").messages == MESSAGES[1:5]


def test_an_edited_question_loses_its_original(memory: MemoryStore) -> None:
    history = memory.get_memory(THREAD)
    history.add_message(HumanMessage("zebras?", id="h1", additional_kwargs={"topic": "zebras"}))
    (message,) = memory.history(THREAD)
    memory.lifecycle.change(message.turn_id, "lions?", NOON)
    assert history.messages == [HumanMessage("lions?")]


def test_words_of_a_forgotten_person_leave_the_calls_of_tools(memory: MemoryStore) -> None:
    ask(memory, 1, "the zebrafish moves to the other tank on Monday")
    history = memory.get_memory("elsewhere")
    call = {**CALL, "args": {"quote": "The zebrafish moves to the other tank on Monday"}}
    history.add_messages([HumanMessage("move it"), AIMessage("done", tool_calls=[call])])
    memory.lifecycle.forget_person("U1")
    assert history.messages == [HumanMessage("move it"), AIMessage("(What was quoted here is forgotten.)")]


def test_langchain_s_own_wrapper_works_while_it_is_there(memory: MemoryStore) -> None:
    history = pytest.importorskip("langchain_core.runnables.history", reason="LangChain no longer has it")
    call = AIMessage("", tool_calls=[CALL], id="a1")
    answers = iter([[call, ToolMessage("49", tool_call_id="call-1"), AIMessage("49 apps")], AIMessage("21 on iOS")])
    seen: list[list[str]] = []

    def model(messages: list[BaseMessage]) -> Any:
        seen.append([message.type for message in messages])
        return next(answers)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its end is announced
        chat = history.RunnableWithMessageHistory(RunnableLambda(model), memory.get_memory)
        thread: RunnableConfig = {"configurable": {"session_id": str(THREAD)}}
        chat.invoke([HumanMessage("how many apps?")], thread)
        chat.invoke([HumanMessage("and iOS?")], thread)
    assert seen == [["human"], ["human", "ai", "tool", "ai", "human"]]
    assert [message.text for message in memory.get_memory(THREAD).messages][-2:] == ["and iOS?", "21 on iOS"]
    assert memory.get_memory(THREAD).messages[1] == call
