"""The analysts by name: one line each."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass

from ai.analysts.built_in import BuiltInAnalyst
from ai.analysts.client.endpoint import Endpoint, Structured
from ai.analysts.port import Analyst
from ai.errors import ConfigError
from ai.ledger import Ledger
from ai.types import LoggedMessage, ThreadKey

__all__ = ["ANALYSTS", "Endpoint", "ModelChoice", "Structured", "Thinkers", "open_thinkers"]

Summarise = Callable[[ThreadKey, str, Sequence[LoggedMessage]], str]


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """The configured language model: its endpoint and its book. `private` hides data values from it."""

    endpoint: Endpoint
    ledger: Ledger
    count: Callable[[str], int]
    private: bool = False
    candidates: int = 1


def nothing_to_reach() -> None:
    """Need no server."""


@dataclass(frozen=True, slots=True)
class Thinkers:
    """An analyst, and a summariser if a model is configured.

    `reach` and `ping` raise ModelUnavailable: `reach` if a small call to the model fails, `ping` if no server answers.
    """

    analyst: Analyst
    summarise: Summarise | None = None
    reach: Callable[[], None] = nothing_to_reach
    ping: Callable[[], None] = nothing_to_reach


Opener = Callable[[ModelChoice | None], AbstractContextManager[Thinkers]]


def _built_in(_: ModelChoice | None) -> AbstractContextManager[Thinkers]:
    return nullcontext(Thinkers(BuiltInAnalyst()))


@contextmanager
def _language_model(choice: ModelChoice | None) -> Iterator[Thinkers]:
    from ai.analysts.client.client import ModelClient  # two seconds to load, and few need it
    from ai.analysts.language_model import LanguageModelAnalyst
    from ai.analysts.prompts.prompts import Prompts
    from ai.analysts.summaries import ModelSummaries

    if choice is None:
        raise ConfigError("No language model is configured: set OPENAI_API_KEY or OPENAI_BASE_URL.")
    prompts = Prompts(choice.count, private=choice.private)
    with closing(ModelClient(choice.endpoint, choice.ledger, choice.count)) as client:
        analyst = LanguageModelAnalyst(
            client, BuiltInAnalyst(), prompts, private=choice.private, candidates=choice.candidates
        )
        yield Thinkers(analyst, ModelSummaries(client, private=choice.private), client.reach, client.ping)


ANALYSTS: dict[str, Opener] = {
    "built_in": _built_in,
    "language_model": _language_model,
}


def open_thinkers(name: str, choice: ModelChoice | None = None) -> AbstractContextManager[Thinkers]:
    """Open an analyst by name, with its summariser. ConfigError for an unknown name."""
    opener = ANALYSTS.get(name)
    if opener is None:
        raise ConfigError(f"There is no analyst {name!r}; use one of: {', '.join(sorted(ANALYSTS))}.")
    return opener(choice)
