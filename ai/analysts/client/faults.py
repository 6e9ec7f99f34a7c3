"""Faults of a language model: one small family of kinds.

Servers quote prompts in messages, so only status, code and class are kept.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

import httpx2
import openai
from langchain_core.exceptions import LangChainException

from ai.analysts.client.shapes import CutOff, NoObject
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
    "cut": "The language model's answer was longer than allowed; an owner of the bot can raise MODEL_OUTPUT_TOKENS.",
    "slow": "The language model did not answer in time; try again, or ask for less at once.",
    "down": "The language model cannot be reached; try again in a minute.",
    "out": "The language model does not answer at the moment; it is tried again in the background.",
}
OVERFLOW = ("context_length_exceeded", "string_above_max_length")
MOST_READ = 20_000  # characters of a refusal
SPENT = ("insufficient_quota", "billing_hard_limit_reached")
KINDS: Mapping[int, ModelFault] = {401: "auth", 403: "auth", 408: "down", 413: "overflow", 429: "rate_limited"}
TRIES: Mapping[ModelFault, int] = {"rate_limited": 3, "down": 3, "garbled": 2}  # a garbled answer was paid for
SHAPES = ("response_format", "json_schema", "json_object", "tool", "function", "schema", "grammar")
PHRASES: Mapping[str, tuple[str, ...]] = {  # what a refusal may be about, and the words for it
    **{name: (name,) for name in ("stream_options", "reasoning_effort", "temperature", "v1/responses")},
    **{name: (name,) for name in ("max_tokens", "max_completion_tokens")},
    "system": (
        "system role",
        "system message",
        "system prompt",
        "got system",
        "roles must alternate",
        "roles are supp",
    ),
    "shape": SHAPES,
    "overflow": (
        *("maximum context length", "context size", "context window", "prompt is too long", "input token count"),
        *OVERFLOW,
    ),
}


@dataclass(frozen=True, slots=True)
class CallFault:
    """A failed try. `retry_after` is in seconds; `about` has the keys of PHRASES found in a refusal.

    `shape`: the server refused the form of answers, or did not keep to it.
    """

    kind: ModelFault
    detail: str
    retry_after: float | None = None
    status: int = 0
    about: frozenset[str] = frozenset()
    shape: bool = False

    @property
    def tries(self) -> int:
        return TRIES.get(self.kind, 1)

    @property
    def error(self) -> ModelUnavailable:
        return ModelUnavailable(SENTENCES[self.kind], self.kind, self.detail)


def fault_of(error: BaseException) -> CallFault:
    name = type(error).__name__
    if isinstance(_root(error), httpx2.DecodingError):
        return CallFault("garbled", "the answer is too long")
    if isinstance(error, openai.APIStatusError):
        code = error.code or error.type or ""
        detail = f"{name} {error.status_code} {code}".strip()
        about = _about(error)
        kind = _kind(error, about)
        refused = kind in ("refused", "down")
        return CallFault(
            kind,
            detail,
            _retry_after(error),
            error.status_code,
            about if refused else frozenset(),
            shape=kind == "refused" and "shape" in about,
        )
    if isinstance(error, CutOff):
        return CallFault("cut", name)
    if isinstance(error, NoObject):
        return CallFault("garbled", name, shape=True)
    if isinstance(error, openai.APITimeoutError | httpx2.TimeoutException):
        return CallFault("slow", name)
    if isinstance(error, openai.APIConnectionError | httpx2.TransportError):
        return CallFault("down", name)
    if isinstance(error, openai.APIError) and error.code in OVERFLOW:
        return CallFault("overflow", name)
    if isinstance(error, openai.APIError) and not isinstance(error, openai.APIResponseValidationError):
        return CallFault("down", name)  # an error in the middle of a stream
    return CallFault("garbled", name)


def _root(error: BaseException) -> BaseException:
    while error.__cause__ is not None:
        error = error.__cause__
    return error


def _kind(error: openai.APIStatusError, about: frozenset[str]) -> ModelFault:
    if "overflow" in about and error.status_code != 429 and not about & {"max_tokens", "max_completion_tokens"}:
        return "overflow"
    if error.code in SPENT or error.type in SPENT:
        return "quota"
    if error.status_code >= 500:
        return "down"
    return KINDS.get(error.status_code, "refused")


def _about(error: openai.APIStatusError) -> frozenset[str]:
    try:
        said = error.response.text[:MOST_READ].lower()
    except httpx2.StreamError:  # a stream that was refused, and not read
        said = error.message.lower()
    return frozenset(word for word, phrases in PHRASES.items() if any(phrase in said for phrase in phrases))


def _retry_after(error: openai.APIStatusError) -> float | None:
    """Return the seconds of a Retry-After header; None for a date or none."""
    with suppress(ValueError):
        return max(0.0, float(error.response.headers.get("retry-after", "")))
    return None
