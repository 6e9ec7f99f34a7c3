"""One model at its server, asked in the form found by a probe and by refusals."""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from itertools import chain
from threading import Lock
from typing import Any, TypeVar

import httpx2
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    convert_to_openai_messages,
)
from langchain_openai.chat_models.base import BaseChatOpenAI
from pydantic import SecretStr

from ai.analysts.client.deadline import Deadline, ends_at, unasked
from ai.analysts.client.endpoint import Endpoint
from ai.analysts.client.faults import THROWN, CallFault, fault_of
from ai.analysts.client.server_profile import Limit, Profiles, ServerProfile, adapted
from ai.analysts.client.shapes import WAYS, Schema, object_in, with_schema
from ai.analysts.client.turns import as_turns
from ai.types import Json

T = TypeVar("T")
Answered = tuple[AIMessage, dict[str, Json]]
GONE = CallFault("slow", "the turn's time is over")
MOST_CHANGES = 10  # of the form of one request
PROBE_SCHEMA = Schema("greeting", "A greeting.", {"language": {"type": "string", "enum": ["English"]}})
PROBE = (SystemMessage("You greet people."), HumanMessage("Say hello."))  # no word of the object: only its form asks


class ServedModel:
    """Asks one model. Safe for many threads."""

    def __init__(self, endpoint: Endpoint, model: str, http: httpx2.Client, profiles: Profiles) -> None:
        self.name = model
        self._endpoint = endpoint
        self._http = http
        self._profiles = profiles
        self._place = endpoint.named(model)
        limit: Limit = "max_completion_tokens" if endpoint.is_openai else "max_tokens"
        kept = profiles.get(self._place)
        self.is_known = kept is not None
        self._profile = kept or ServerProfile(endpoint.structured, limit if endpoint.output_tokens else "")
        self._probing = Lock()
        self._completions = self._chat(responses=False)

    def form(self, schema: Schema | None, tools: Sequence[dict[str, Any]]) -> str:
        """Return the text of a request beside its messages, to count its tokens."""
        asked = WAYS[self._profile.way](schema) if schema else {"tools": tools} if tools else {}
        return json.dumps(asked) if asked else ""

    def probe(self, deadline: Deadline) -> Answered | CallFault | None:
        """Find the form of requests, once; None where it is known."""
        with self._probing:
            if self.is_known:
                return None
            given = self.object(PROBE, PROBE_SCHEMA, deadline)
            if not isinstance(given, CallFault):
                self._keep(self._profile)
            return given

    def object(self, messages: Sequence[BaseMessage], schema: Schema, deadline: Deadline) -> Answered | CallFault:

        def attempt(profile: ServerProfile) -> Answered:
            message = self._invoke(with_schema(messages, schema, profile.way), profile, WAYS[profile.way](schema))
            return message, object_in(message, schema, profile.way)

        return self._adapting(deadline, attempt, shaped=True)

    def words(
        self, messages: Sequence[BaseMessage], tools: Sequence[dict[str, Any]], deadline: Deadline
    ) -> Answered | CallFault:
        asked = {"tools": list(tools)} if tools else {}
        return self._adapting(deadline, lambda profile: (self._invoke(messages, profile, asked), {}))

    def stream(self, messages: Sequence[BaseMessage], deadline: Deadline) -> Iterator[AIMessageChunk] | CallFault:
        """Begin to stream an answer; the first piece has arrived."""

        def attempt(profile: ServerProfile) -> Iterator[AIMessageChunk]:
            turns, options = self._request(messages, profile, {})
            chunks = self._speaker(profile).stream(turns, stream_usage=profile.usage, **options)
            return chain([next(chunks)], chunks)

        return self._adapting(deadline, attempt, streamed=True)

    def _adapting(
        self,
        deadline: Deadline,
        attempt: Callable[[ServerProfile], T],
        *,
        shaped: bool = False,
        streamed: bool = False,
    ) -> T | CallFault:
        """Try the known form, then others after refusals; keep the one that works."""
        known = profile = self._profile
        given: T | CallFault = GONE
        for _ in range(MOST_CHANGES):
            sent = self._sent(profile, streamed=streamed)
            change = partial(adapted, profile, shaped=shaped, sent=sent)
            given = self._insist(deadline, partial(attempt, profile), partial(self._tries, change, profile is known))
            if not isinstance(given, CallFault):
                if profile != known:
                    self._keep(profile)
                return given
            other = change(given)
            if other is None:
                break
            profile = other
        if isinstance(given, CallFault) and given.kind == "garbled" and shaped:
            self._profile = profile  # where no way held, the next question begins with the last one
        return given

    def _sent(self, profile: ServerProfile, *, streamed: bool) -> frozenset[str]:
        """Return the parts a refusal may name."""
        endpoint = self._endpoint
        return frozenset(
            name
            for name, is_sent in {
                "v1/responses": not profile.responses,
                "stream_options": streamed and profile.usage,
                "max_tokens": bool(profile.limit),
                "max_completion_tokens": bool(profile.limit),
                "reasoning_effort": profile.effort and endpoint.effort is not None,
                "temperature": profile.temperature and endpoint.temperature is not None,
                "system": profile.system,
            }.items()
            if is_sent
        )

    @staticmethod
    def _tries(change: Callable[[CallFault], ServerProfile | None], is_usual: bool, fault: CallFault) -> int:
        """Return the tries of a form: one where another is left or has failed."""
        is_last = fault.kind == "down" or change(fault) is None
        return fault.tries if is_last and (is_usual or fault.kind != "down") else 1

    def _insist(self, deadline: Deadline, attempt: Callable[[], T], tries: Callable[[CallFault], int]) -> T | CallFault:
        """Return the result of `attempt`, or its fault after the last try."""
        tried = 0
        while deadline.left:
            try:
                with ends_at(deadline):
                    return attempt()
            except THROWN as error:
                fault = fault_of(error)
            tried += 1
            if tried >= tries(fault):
                return fault
            pause = self._endpoint.pauses[tried - 1] if fault.retry_after is None else fault.retry_after
            if pause >= deadline.left:
                return fault
            deadline.pause(pause)
        return GONE

    def _invoke(self, messages: Sequence[BaseMessage], profile: ServerProfile, asked: dict[str, Any]) -> AIMessage:
        turns, options = self._request(messages, profile, asked)
        return self._speaker(profile).invoke(turns, **options)

    def _request(
        self, messages: Sequence[BaseMessage], profile: ServerProfile, asked: dict[str, Any]
    ) -> tuple[list[BaseMessage], dict[str, Any]]:
        """Return the messages and arguments of a call, all within the body but for responses.

        The client walks through the types of named arguments, which costs more than the call.
        """
        endpoint, turns = self._endpoint, as_turns(messages, system=profile.system)
        options = {
            profile.limit: endpoint.output_tokens,
            "temperature": endpoint.temperature if profile.temperature else None,
            "reasoning_effort": endpoint.effort if profile.effort else None,
            **asked,
        }
        given = {name: value for name, value in options.items() if name and value is not None}
        if profile.responses:
            return turns, given
        return [], {"extra_body": {"messages": convert_to_openai_messages(turns), **given}}

    def _chat(self, *, responses: bool) -> BaseChatOpenAI:
        """Build the chat object. ChatOpenAI itself changes requests by the model's name."""
        azure: dict[str, Any] = {}
        endpoint = self._endpoint
        if endpoint.api_version:
            headers, query = {"api-key": endpoint.key}, {"api-version": endpoint.api_version}
            azure = {"default_headers": headers, "default_query": query}
        return BaseChatOpenAI(
            model=self.name,
            api_key=SecretStr(endpoint.key),
            base_url=endpoint.address(self.name),
            openai_proxy=None,  # LangChain would take it from the environment, and refuse it beside a client of ours
            http_client=self._http,
            http_async_client=unasked(),
            max_retries=0,
            use_responses_api=responses,
            **azure,
        )

    @cached_property
    def _responses(self) -> BaseChatOpenAI:
        return self._chat(responses=True)

    def _speaker(self, profile: ServerProfile) -> BaseChatOpenAI:
        return self._responses if profile.responses else self._completions

    def _keep(self, profile: ServerProfile) -> None:
        self._profile = profile
        self.is_known = True
        self._profiles.keep(self._place, profile)
