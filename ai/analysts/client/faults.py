"""Faults of a language model: one small family of kinds.

Servers quote prompts in messages, so only status, code and class are kept.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

import httpx2
import openai
from langchain_core.exceptions import LangChainException

from ai.errors import ModelFault, ModelUnavailable

# The last ones are what openai and LangChain throw at a body that is not JSON, has no choices, or is of another shape.
THROWN = (
    openai.OpenAIError,
    LangChainException,
    httpx2.HTTPError,
    httpx2.StreamError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
)
SENTENCES: Mapping[ModelFault, str] = {
    "rate_limited": "The language model is answering too many requests at the moment; try again in a minute.",
    "quota": "The account at the language model is used up; an owner of the bot has to top it up.",
    "auth": "The language model refuses our key; an owner of the bot has to check OPENAI_API_KEY.",
    "refused": "The language model refuses the request; an owner of the bot has to check OPENAI_MODEL.",
    "overflow": "The question with all that belongs to it is too long for the language model; ask in a new thread.",
    "garbled": "The language model answered with something that cannot be read; try again.",
    "slow": "The language model did not answer in time; try again, or ask for less at once.",
    "down": "The language model cannot be reached; try again in a minute.",
}
OVERFLOW = ("context_length_exceeded", "string_above_max_length")
SPENT = ("insufficient_quota", "billing_hard_limit_reached")
KINDS: Mapping[int, ModelFault] = {401: "auth", 403: "auth", 408: "down", 413: "overflow", 429: "rate_limited"}
TRIES: Mapping[ModelFault, int] = {"rate_limited": 3, "down": 3, "garbled": 2}  # a garbled answer was paid for
SHAPES = ("response_format", "json_schema", "tool", "function", "schema", "stream_options")


@dataclass(frozen=True, slots=True)
class CallFault:
    """A failed try. `retry_after` is in seconds; `shape` means the server refused the form of answers."""

    kind: ModelFault
    detail: str
    retry_after: float | None = None
    shape: bool = False

    @property
    def tries(self) -> int:
        return TRIES.get(self.kind, 1)

    @property
    def error(self) -> ModelUnavailable:
        return ModelUnavailable(SENTENCES[self.kind], self.kind, self.detail)


def fault_of(error: BaseException) -> CallFault:
    name = type(error).__name__
    if isinstance(error, openai.APIStatusError):
        code = error.code or error.type or ""
        detail = f"{name} {error.status_code} {code}".strip()
        return CallFault(_kind(error), detail, _retry_after(error), shape=_of_shape(error))
    if isinstance(error, openai.APITimeoutError | httpx2.TimeoutException):
        return CallFault("slow", name)
    if isinstance(error, openai.APIConnectionError | httpx2.TransportError):
        return CallFault("down", name)
    if isinstance(error, openai.APIError) and error.code in OVERFLOW:
        return CallFault("overflow", name)
    if isinstance(error, openai.APIError) and not isinstance(error, openai.APIResponseValidationError):
        return CallFault("down", name)  # an error in the middle of a stream
    return CallFault("garbled", name)


def _kind(error: openai.APIStatusError) -> ModelFault:
    if error.code in OVERFLOW:
        return "overflow"
    if error.code in SPENT or error.type in SPENT:
        return "quota"
    if error.status_code >= 500:
        return "down"
    return KINDS.get(error.status_code, "refused")


def _of_shape(error: openai.APIStatusError) -> bool:
    said = f"{error.param} {error.message}"
    return _kind(error) == "refused" and any(word in said for word in SHAPES)


def _retry_after(error: openai.APIStatusError) -> float | None:
    """Return the seconds of a Retry-After header; None for a date or none."""
    with suppress(ValueError):
        return max(0.0, float(error.response.headers.get("retry-after", "")))
    return None
