"""The client of language models: bounded by the turn's deadline, booked in the ledger, failing as `ModelUnavailable`.

A silent server is left out until it answers. No text or key is logged.
"""

import json
import logging
from collections import OrderedDict
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from threading import Lock
from typing import Any, TypeVar

import httpx2
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.messages.tool import ToolCall
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from ai.analysts.client.booking import OpenCall, booked, size_of, usage_of
from ai.analysts.client.breaker import Breaker
from ai.analysts.client.deadline import Deadline, DeadlineTransport, ends_at
from ai.analysts.client.endpoint import Endpoint
from ai.analysts.client.faults import THROWN, CallFault, fault_of
from ai.analysts.client.served import GONE, PROBE, PROBE_SCHEMA, ServedModel
from ai.analysts.client.server_profile import Profiles
from ai.analysts.client.shapes import Schema, without_thoughts
from ai.errors import ModelUnavailable
from ai.ledger import Ledger, Purpose, Spender, TokenUsage
from ai.types import Json, ThreadKey

__all__ = ["Completion", "Endpoint", "ModelClient"]

T = TypeVar("T")
REMEMBERED_TURNS = 1024
PROBE_SECONDS = 10.0  # most of a probe in the background
PING_SECONDS = 3.0
CUT = CallFault("down", "the stream ended in the middle")
OUT = CallFault("out", "the server stopped answering")
NOBODY = Spender("", ThreadKey("", "", ""), "")
ENDS = frozenset({"finish_reason", "status"})  # what the last piece of a stream has, by the API
ABSENT = ("slow", "down")  # faults of a server that is not there
FORMLESS = ("garbled", "refused", "overflow")  # faults of a probe that the real request need not have


@dataclass(frozen=True, slots=True)
class Completion:
    """`data` is the object of the schema; `message` continues a loop of tools."""

    message: AIMessage
    data: dict[str, Json]

    @property
    def text(self) -> str:
        return without_thoughts(str(self.message.text))

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
    """Calls the models of one server. Safe for many threads, and slow to build."""

    def __init__(self, endpoint: Endpoint, ledger: Ledger, count: Callable[[str], int]) -> None:
        logging.getLogger("openai").setLevel(logging.INFO)  # below that it logs whole requests
        self._endpoint = endpoint
        self._ledger = ledger
        self._count = count
        self._deadlines = Deadlines(endpoint.seconds)
        self._http = httpx2.Client(transport=DeadlineTransport(endpoint.proxy), timeout=None)
        profiles = Profiles(endpoint.profiles)
        names = {endpoint.model, *endpoint.models.values()}
        self._served = {name: ServedModel(endpoint, name, self._http, profiles) for name in names}
        self._probed = Deadline(0)
        self._breaker = Breaker(self._answers, endpoint.probe_pauses)

    @property
    def name(self) -> str:
        """The model that writes SQL."""
        return self._endpoint.model_for("write_sql")

    def close(self) -> None:
        self._probed.call_off()
        self._breaker.close()
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
        served, deadline = self._ready(purpose, spender)
        offered = [convert_to_openai_tool(tool if isinstance(tool, BaseTool) else dict(tool)) for tool in tools]
        with self._booked(served, messages, served.form(schema, offered), spender, purpose) as call:
            given = served.object(messages, schema, deadline) if schema else served.words(messages, offered, deadline)
            message, data = self._answered(given, deadline)
            call.usage = usage_of(message.usage_metadata, call, _written(message), self._count)
        return Completion(message, data)

    def stream(self, messages: Sequence[BaseMessage], spender: Spender, purpose: Purpose) -> Generator[str, None, None]:
        """Iterate over an answer. ModelUnavailable on failure, also in the middle."""
        served, deadline = self._ready(purpose, spender)
        with self._booked(served, messages, "", spender, purpose) as call:
            begun = self._answered(served.stream(messages, deadline), deadline)
            said: list[str] = []
            reported: UsageMetadata | None = None
            finished = False
            try:
                for chunk in _within(deadline, begun):
                    reported = chunk.usage_metadata or reported
                    finished = finished or not ENDS.isdisjoint(chunk.response_metadata)
                    said.append(str(chunk.text))
                    if chunk.text:
                        yield said[-1]
            finally:  # what was said is paid for, also when nobody wants to hear the rest
                call.usage = usage_of(reported, call, "".join(said), self._count)
            if not finished:
                raise CUT.error

    def _ready(self, purpose: Purpose, spender: Spender) -> tuple[ServedModel, Deadline]:
        """Return the probed model of a purpose and the turn's deadline. ModelUnavailable while the server is out."""
        served, deadline = self._served[self._endpoint.model_for(purpose)], self._deadlines.of(spender.turn_id)
        if not self._breaker.admits():
            raise OUT.error
        if not served.is_known:
            self._probe(served, deadline)
        return served, deadline

    def _probe(self, served: ServedModel, deadline: Deadline) -> None:
        with self._booked(served, PROBE, served.form(PROBE_SCHEMA, ()), NOBODY, "other") as call:
            given = served.probe(deadline)
            if given is None:
                call.usage = TokenUsage(reported=False)  # another turn has just probed it
            elif not isinstance(given, CallFault) or given.kind not in FORMLESS:
                message, _ = self._answered(given, deadline)
                call.usage = usage_of(message.usage_metadata, call, _written(message), self._count)

    def reach(self) -> None:
        """Make a small call; closing the client ends it. Raises ModelUnavailable."""
        self._probed = Deadline(min(PROBE_SECONDS, self._endpoint.seconds))
        served = self._served[self.name]
        with self._booked(served, PROBE, "", NOBODY, "other") as call:
            given = served.object(PROBE, PROBE_SCHEMA, self._probed)
            if isinstance(given, CallFault):
                raise given.error
            call.usage = usage_of(given[0].usage_metadata, call, _written(given[0]), self._count)

    def ping(self) -> None:
        """See whether the server is there, without a call to pay for. Raises ModelUnavailable."""
        models, key = f"{self._endpoint.base}/models", {"Authorization": f"Bearer {self._endpoint.key}"}
        try:
            answer = self._http.get(models, headers=key, timeout=PING_SECONDS)
        except httpx2.HTTPError:
            raise OUT.error from None
        if answer.is_server_error:
            raise OUT.error

    def _answers(self) -> bool:
        with suppress(ModelUnavailable):
            self.reach()
            return True
        return False

    def _answered(self, given: T | CallFault, deadline: Deadline) -> T:
        """Return an answer, and tell the breaker. ModelUnavailable for a fault."""
        if not isinstance(given, CallFault):
            self._breaker.worked()
            return given
        if given.kind in ABSENT and given is not GONE and not deadline.is_called_off:
            self._breaker.failed()
        raise given.error

    def _booked(
        self, served: ServedModel, messages: Sequence[BaseMessage], form: str, spender: Spender, purpose: Purpose
    ) -> AbstractContextManager[OpenCall]:
        return booked(self._ledger, spender, purpose, served.name, size_of(messages, form, self._count))


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
