"""The client of a language model: bounded by the turn's deadline, booked in the ledger, failing as `ModelUnavailable`.

Passing faults are retried; `Retry-After` is obeyed when it fits. No text or key is logged.
"""

import json
import logging
from collections import OrderedDict
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from threading import Lock
from typing import Any, TypeVar

import httpx2
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.messages.tool import ToolCall
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from ai.analysts.client.booking import OpenCall, booked, size_of, usage_of
from ai.analysts.client.deadline import Deadline, DeadlineTransport, ends_at
from ai.analysts.client.faults import THROWN, CallFault, fault_of
from ai.analysts.client.shapes import STRUCTURED, WAYS, Schema, Structured, object_in, with_schema
from ai.ledger import Ledger, Purpose, Spender
from ai.types import Json

T = TypeVar("T")
Answered = tuple[AIMessage, dict[str, Json]]
OPENAI = "https://api.openai.com/v1"
REMEMBERED_TURNS = 1024
GONE = CallFault("slow", "the turn's time is over")
CUT = CallFault("down", "the stream ended in the middle")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """`seconds` bounds all calls of a turn; `pauses` precede the second and third try."""

    model: str
    key: str = field(repr=False)
    base_url: str | None = None
    seconds: float = 60.0
    structured: Structured = "json_schema"
    proxy: str | None = None
    pauses: tuple[float, float] = (0.5, 1.5)


@dataclass(frozen=True, slots=True)
class Completion:
    """`data` is the object of the schema; `message` continues a loop of tools."""

    message: AIMessage
    data: dict[str, Json]

    @property
    def text(self) -> str:
        return str(self.message.text)

    @property
    def tool_calls(self) -> Sequence[ToolCall]:
        return self.message.tool_calls


class Deadlines:
    """The deadlines of turns. A nameless turn has one per call."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._known: OrderedDict[str, Deadline] = OrderedDict()
        self._lock = Lock()

    def of(self, turn_id: str) -> Deadline:
        deadline = Deadline(self._seconds)
        if not turn_id:
            return deadline
        with self._lock:
            deadline = self._known.setdefault(turn_id, deadline)
            while len(self._known) > REMEMBERED_TURNS:
                self._known.popitem(last=False)
        return deadline


class ModelClient:
    """Calls one model. Safe for many threads, and slow to build."""

    def __init__(self, endpoint: Endpoint, ledger: Ledger, count: Callable[[str], int]) -> None:
        logging.getLogger("openai").setLevel(logging.INFO)  # below that it logs whole requests
        self._model = endpoint.model
        self._ledger = ledger
        self._count = count
        self._deadlines = Deadlines(endpoint.seconds)
        self._structured: Structured = endpoint.structured
        self._pauses = endpoint.pauses
        self._http = httpx2.Client(transport=DeadlineTransport(endpoint.proxy), timeout=None)
        self._chat = ChatOpenAI(
            model=endpoint.model,
            api_key=SecretStr(endpoint.key),
            base_url=endpoint.base_url or OPENAI,
            openai_proxy=None,  # LangChain would take it from the environment, and refuse it beside a client of ours
            http_client=self._http,
            max_retries=0,
        )
        self._reports_usage = True

    @property
    def name(self) -> str:
        return self._model

    def close(self) -> None:
        self._http.close()

    def call_off(self, turn_id: str) -> None:
        """End the running call of a turn and allow no other."""
        self._deadlines.of(turn_id).call_off()

    def complete(
        self,
        messages: Sequence[BaseMessage],
        spender: Spender,
        purpose: Purpose,
        *,
        tools: Sequence[BaseTool | Mapping[str, Any]] = (),
        schema: Schema | None = None,
    ) -> Completion:
        """Return words, calls of `tools`, or an object of `schema`. ModelUnavailable on failure."""
        offered = (
            {"tools": [convert_to_openai_tool(tool if isinstance(tool, BaseTool) else dict(tool)) for tool in tools]}
            if tools
            else {}
        )
        asked = WAYS[self._structured](schema) if schema else offered
        with self._booked(messages, asked, spender, purpose) as call:
            deadline = self._deadlines.of(spender.turn_id)
            if schema is None:
                given = self._insist(deadline, partial(self._words, messages, offered))
            else:
                given = self._shaped(messages, schema, deadline)
            if isinstance(given, CallFault):
                raise given.error
            message, data = given
            call.usage = usage_of(message.usage_metadata, call, _written(message), self._count)
        return Completion(message, data)

    def stream(self, messages: Sequence[BaseMessage], spender: Spender, purpose: Purpose) -> Generator[str, None, None]:
        """Iterate over an answer. ModelUnavailable on failure, also in the middle."""
        with self._booked(messages, {}, spender, purpose) as call:
            deadline = self._deadlines.of(spender.turn_id)
            begun = self._insist(deadline, partial(self._begin, messages))
            if isinstance(begun, CallFault) and begun.shape and self._reports_usage:
                self._reports_usage = False  # some servers know no stream_options; what they use is counted here
                begun = self._insist(deadline, partial(self._begin, messages))
            if isinstance(begun, CallFault):
                raise begun.error
            said: list[str] = []
            reported: UsageMetadata | None = None
            finished = False
            try:
                for chunk in _within(deadline, begun):
                    reported = chunk.usage_metadata or reported
                    finished = finished or "finish_reason" in chunk.response_metadata
                    said.append(str(chunk.text))
                    if chunk.text:
                        yield said[-1]
            finally:  # what was said is paid for, also when nobody wants to hear the rest
                call.usage = usage_of(reported, call, "".join(said), self._count)
            if not finished:
                raise CUT.error

    def _booked(
        self, messages: Sequence[BaseMessage], asked: dict[str, Any], spender: Spender, purpose: Purpose
    ) -> AbstractContextManager[OpenCall]:
        size = size_of(messages, json.dumps(asked) if asked else "", self._count)
        return booked(self._ledger, spender, purpose, self._model, size)

    def _shaped(self, messages: Sequence[BaseMessage], schema: Schema, deadline: Deadline) -> Answered | CallFault:
        given: Answered | CallFault = GONE
        for way in STRUCTURED[STRUCTURED.index(self._structured) :]:
            given = self._insist(deadline, partial(self._object, with_schema(messages, schema, way), WAYS[way](schema)))
            if not (isinstance(given, CallFault) and given.shape):
                self._structured = way
                break
        return given

    def _object(self, messages: Sequence[BaseMessage], asked: dict[str, Any]) -> Answered:
        message = self._invoke(messages, asked)
        return message, object_in(message)

    def _words(self, messages: Sequence[BaseMessage], asked: dict[str, Any]) -> Answered:
        return self._invoke(messages, asked), {}

    def _invoke(self, messages: Sequence[BaseMessage], asked: dict[str, Any]) -> AIMessage:
        if "response_format" in asked:  # the same body; asked by name, the client walks through the schema at each call
            return self._chat.invoke(list(messages), extra_body=asked)
        return self._chat.invoke(list(messages), **asked)

    def _begin(self, messages: Sequence[BaseMessage]) -> Iterator[AIMessageChunk]:
        chunks = self._chat.stream(list(messages), stream_usage=self._reports_usage)
        return chain([next(chunks)], chunks)

    def _insist(self, deadline: Deadline, attempt: Callable[[], T]) -> T | CallFault:
        """Return the result of `attempt`, or its fault after the last try."""
        tried = 0
        while deadline.left:
            try:
                with ends_at(deadline):
                    return attempt()
            except THROWN as error:
                fault = fault_of(error)
            tried += 1
            if tried >= fault.tries:
                return fault
            pause = self._pauses[tried - 1] if fault.retry_after is None else fault.retry_after
            if pause >= deadline.left:
                return fault
            deadline.pause(pause)
        return GONE


def _within(deadline: Deadline, chunks: Iterator[AIMessageChunk]) -> Iterator[AIMessageChunk]:
    while True:
        try:
            with ends_at(deadline):
                chunk = next(chunks, None)
        except THROWN as error:
            raise fault_of(error).error from None
        if chunk is None:
            return
        yield chunk


def _written(message: AIMessage) -> str:
    return f"{message.text}{json.dumps(message.tool_calls)}" if message.tool_calls else str(message.text)
