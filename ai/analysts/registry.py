"""The analysts by name: one line each."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ai.analysts.built_in import BuiltInAnalyst
from ai.analysts.client.shapes import Structured
from ai.analysts.port import Analyst
from ai.errors import ConfigError
from ai.ledger import Ledger
from ai.types import LoggedMessage, ThreadKey

if TYPE_CHECKING:
    from ai.analysts.client.client import ModelClient


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """The configured language model. `private` hides data values from it; `seconds` bounds all calls of a turn."""

    model: str
    key: str
    base_url: str | None
    ledger: Ledger
    count: Callable[[str], int]
    seconds: float = 60.0
    structured: Structured = "json_schema"
    proxy: str | None = None
    private: bool = False
    candidates: int = 1


Opener = Callable[[ModelChoice | None], AbstractContextManager[Analyst]]


def _built_in(_: ModelChoice | None) -> AbstractContextManager[Analyst]:
    return nullcontext(BuiltInAnalyst())


@contextmanager
def _language_model(choice: ModelChoice | None) -> Iterator[Analyst]:
    from ai.analysts.language_model import LanguageModelAnalyst  # two seconds to load, and few need it
    from ai.analysts.prompts.prompts import Prompts

    if choice is None:
        raise ConfigError("No language model is configured: set OPENAI_API_KEY or OPENAI_BASE_URL.")
    prompts = Prompts(choice.count, private=choice.private)
    with _client(choice) as client:
        yield LanguageModelAnalyst(
            client, BuiltInAnalyst(), prompts, private=choice.private, candidates=choice.candidates
        )


@contextmanager
def open_summaries(choice: ModelChoice) -> Iterator[Callable[[ThreadKey, str, Sequence[LoggedMessage]], str]]:
    from ai.analysts.summaries import ModelSummaries

    with _client(choice) as client:
        yield ModelSummaries(client, private=choice.private)


@contextmanager
def _client(choice: ModelChoice) -> "Iterator[ModelClient]":  # its module is loaded here, where a model is configured
    from ai.analysts.client.client import Endpoint, ModelClient

    endpoint = Endpoint(
        choice.model, choice.key, choice.base_url, choice.seconds, structured=choice.structured, proxy=choice.proxy
    )
    with closing(ModelClient(endpoint, choice.ledger, choice.count)) as client:
        yield client


ANALYSTS: dict[str, Opener] = {
    "built_in": _built_in,
    "language_model": _language_model,
}


def open_analyst(name: str, choice: ModelChoice | None = None) -> AbstractContextManager[Analyst]:
    """Open an analyst by name. ConfigError for an unknown name."""
    opener = ANALYSTS.get(name)
    if opener is None:
        raise ConfigError(f"There is no analyst {name!r}; use one of: {', '.join(sorted(ANALYSTS))}.")
    return opener(choice)
