"""Choose the analyst: a language model if configured, else the built-in reader."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace

from ai.analysts.port import Analyst
from ai.analysts.registry import ModelChoice, open_analyst, open_summaries
from ai.ledger import Budgets, Prices
from ai.memory_store import MemoryStore
from ai.types import ThreadKey
from config import Settings

NO_KEY = "none"  # for a server that asks for none; the client insists on one


def open_thinking(settings: Settings, memory: MemoryStore) -> AbstractContextManager[Analyst]:
    """Open the analyst; `memory` keeps the book of its calls."""
    if not settings.has_model:
        return open_analyst("built_in")
    return open_analyst("language_model", _choice(settings, memory))


@contextmanager
def open_summing_up(settings: Settings, memory: MemoryStore) -> Iterator[Callable[[ThreadKey], bool]]:
    """Yield a function that sums up a long thread: by the model, or by templates without one."""
    if not settings.has_model:
        yield lambda _thread: False
        return
    with open_summaries(_choice(settings, memory)) as summarise:
        yield replace(memory.summaries, summarise=summarise).refresh


def _choice(settings: Settings, memory: MemoryStore) -> ModelChoice:
    key = settings.openai_api_key
    return ModelChoice(
        model=settings.openai_model,
        key=key.get_secret_value() if key else NO_KEY,
        base_url=settings.openai_base_url,
        ledger=replace(memory.spending, prices=_prices(settings), budgets=_budgets(settings)),
        count=memory.parts.conversations.count,
        seconds=settings.model_seconds,
        structured=settings.model_structured,
        proxy=settings.openai_proxy,
        private=settings.model_privacy,
        candidates=settings.model_candidates,
    )


def _prices(settings: Settings) -> Prices:
    return Prices(
        settings.model_prompt_price,
        settings.model_completion_price,
        settings.model_cached_price,
        settings.model_currency,
    )


def _budgets(settings: Settings) -> Budgets:
    return Budgets(
        settings.model_user_tokens, settings.model_channel_tokens, settings.model_total_tokens, settings.timezone
    )
