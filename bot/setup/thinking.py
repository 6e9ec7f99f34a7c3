"""Choose the analyst: a language model if configured, else the built-in reader."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from ai.analysts.port import Analyst
from ai.analysts.registry import Endpoint, ModelChoice, open_thinkers
from ai.ledger import Budgets, Prices, Purpose
from ai.memory_store import MemoryStore
from ai.types import ThreadKey
from bot.monitoring import NO_SPANS, SILENT, Meter, Spans, WatchedLedger
from config import Settings

NO_KEY = "none"  # for a server that asks for none; the client insists on one
PROFILES = "model_profiles.json"  # what was found out about the servers of models
SQL: tuple[Purpose, ...] = ("write_sql", "repair_sql", "define")
WORDS: tuple[Purpose, ...] = ("phrase", "route", "memory")
SUMMARY: tuple[Purpose, ...] = ("summarise",)


@dataclass(frozen=True, slots=True)
class Thinking:
    """The analyst, and the summarizer of long threads: a model, or templates without one.

    `reach` raises ModelUnavailable when a configured model does not answer, `ping` when its server is not there.
    """

    analyst: Analyst
    sum_up: Callable[[ThreadKey], bool]
    reach: Callable[[], None]
    ping: Callable[[], None]


@contextmanager
def open_thinking(
    settings: Settings, memory: MemoryStore, meter: Meter = SILENT, spans: Spans = NO_SPANS
) -> Iterator[Thinking]:
    """Open the analyst; `memory` keeps the book of its calls."""
    choice = _choice(settings, memory, meter, spans) if settings.has_model else None
    with open_thinkers("language_model" if choice else "built_in", choice) as thinkers:
        if thinkers.summarise is None:
            yield Thinking(thinkers.analyst, lambda _thread: False, thinkers.reach, thinkers.ping)
        else:
            sum_up = replace(memory.summaries, summarise=thinkers.summarise).refresh
            yield Thinking(thinkers.analyst, sum_up, thinkers.reach, thinkers.ping)


def _choice(settings: Settings, memory: MemoryStore, meter: Meter, spans: Spans) -> ModelChoice:
    prices = _prices(settings)
    return ModelChoice(
        endpoint=_endpoint(settings),
        ledger=WatchedLedger(replace(memory.spending, prices=prices, budgets=_budgets(settings)), prices, meter, spans),
        count=memory.parts.conversations.count,
        private=settings.model_privacy,
        candidates=settings.model_candidates,
    )


def _endpoint(settings: Settings) -> Endpoint:
    key = settings.openai_api_key
    models = {
        purpose: model
        for model, purposes in (
            (settings.model_sql, SQL),
            (settings.model_words, WORDS),
            (settings.model_summary, SUMMARY),
        )
        for purpose in purposes
        if model
    }
    return Endpoint(
        model=settings.openai_model,
        key=key.get_secret_value() if key else NO_KEY,
        base_url=settings.openai_base_url,
        seconds=settings.model_seconds,
        structured=settings.model_structured,
        proxy=settings.openai_proxy,
        models=models,
        api_version=settings.openai_api_version,
        output_tokens=settings.model_output_tokens,
        temperature=settings.model_temperature,
        effort=settings.model_effort,
        profiles=settings.data_dir / PROFILES,
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
