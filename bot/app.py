"""The composition root: a receiver takes messages in, workers answer them. Both are connected to Slack."""

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from importlib import import_module
from math import ceil
from threading import Thread

from slack_bolt import App

from ai.agents.overview import Overview
from ai.agents.querying.charting import Charting
from ai.agents.querying.refinements import Refinements
from ai.agents.querying.verdicts import Verdicts
from ai.agents.registry import registered
from ai.errors import ConfigError, SourceUnavailable
from ai.language.thesaurus import related
from ai.tokens import ENCODING, RankFiles, load_encoding
from bot.access import ANYWHERE, Access, ChannelAudience
from bot.contact import (
    PATIENT,
    GapLedger,
    Greeting,
    bolt_app,
    greeted,
    limiter_of,
    line_of,
    listening,
    posting_client,
    quick_client,
    slack_client,
)
from bot.delivery import Pictures, RateLimiter, SlackDelivery, Surface, fetched
from bot.doctor import Readiness, running, tell_owners
from bot.engine import Engine, Hooks, Room, TurnQueue
from bot.http_api.chats import Chats, MemoryDelivery
from bot.listeners import Intake, Notes, unpacked
from bot.monitoring import NO_SPANS, SILENT, Meter, OtelSpans, SharedMeter, Spans, WatchedTurns, count_lines, levels_of
from bot.people import People, SlackCircles, SlackGroups, SlackMembers, SlackProfiles, Standing
from bot.product import Product, forgetting, open_product
from bot.setup import Forgetting
from bot.turn import Retract, Retractions, TurnRunner, Unpack, surfaces
from config import Settings, metrics_folder

Work = Callable[[], AbstractContextManager[object]]
WORKER_NICENESS = 5  # a third of the receiver's weight where both want a processor
SPARE_SECONDS = 120.0  # for what a step does beside its query
log = logging.getLogger(__name__)


def works(settings: Settings, say: Callable[[str], object]) -> dict[str, Work]:
    """Return the work of each process of a bot, by its name. Raises ConfigError."""
    if not settings.has_slack:
        raise ConfigError(
            "Slack is not set up: set SLACK_BOT_TOKEN, and SLACK_APP_TOKEN or SLACK_SIGNING_SECRET, "
            "or start the local Slack."
        )
    count = settings.processes
    part = settings.model_copy(update={"workers": ceil(settings.workers / count)})
    names = [f"worker {number}" for number in range(1, count + 1)]
    workers = {name: partial(open_worker, part, name) for name in names}
    return {"receiver": partial(open_receiver, settings, say), **workers}


def load_all(settings: Settings) -> None:
    """Load what every process needs, and open nothing."""
    if settings.http_port is not None:
        import_module("bot.http_api.api")
    with suppress(LookupError):  # tokens are estimated then
        load_encoding(ENCODING, RankFiles(settings.tiktoken_cache_dir, settings.tiktoken_download_url))
    registered()
    related("word")


def _meter(settings: Settings, process: str) -> Meter:
    return SharedMeter(metrics_folder(), process) if settings.http_port is not None else SILENT


def _count_from_now(meter: Meter, process: str) -> None:
    meter.add("starts", process=process)
    count_lines(meter)


@contextmanager
def open_receiver(settings: Settings, say: Callable[[str], object]) -> Iterator[None]:
    """Take messages in, store and acknowledge them inside the block; `say` hears when. It answers nothing itself."""
    meter = _meter(settings, "receiver")
    with open_product(settings, indexes=False, meter=meter) as product, ExitStack() as opened:
        product.memory.parts.require_sound()
        _count_from_now(meter, "receiver")
        client = posting_client(settings, meter)
        queue = opened.enter_context(closing(TurnQueue(settings.engine, settings.data_dir)))
        queue.open()
        limiter = limiter_of(settings, meter=meter)
        opened.callback(limiter.close)
        slack = _slack_parts(product, limiter)
        greeting, access = slack.greeting, slack.access
        people = People(greeting.home, slack.profiles, tells_guests=not access.allow_guests, language=settings.language)
        notes = Notes(client, people.texts_for)
        opened.callback(notes.close)
        intake = Intake(
            memory=product.memory,
            access=access,
            accept=queue.enqueue_all,
            queue=queue,
            verdicts=Verdicts(product.memory, product.context),
            refinements=Refinements(product.memory, product.context),
            people=people,
            bot_user=greeting.user_id,
            tell=notes.say,
            timezone_of=slack.timezone_of,
            begin=notes.begin,
            overview=Overview(product.memory, product.context),
            forget=forgetting(product.memory, settings).person,
            later=notes.later,
            files=product.files,
            is_quick=registered().is_quick,
            site=greeting.site,
            is_member=slack.audience.includes,
        )
        channels = [channel for channel in access.channels if channel != ANYWHERE]
        line = line_of(settings, intake, limiter, channels, notes, client)
        # Its client waits for nothing: Slack wants an answer soon.
        bolt = bolt_app(client, intake, greeting, line.reception.receive)
        if settings.http_port is not None:
            opened.enter_context(open_http(product, intake, queue, bolt, settings.http_port))
        ledger = GapLedger(product.memory.lines, intake.team, settings.data_dir / "lines")
        opened.enter_context(listening(settings, bolt, line, ledger))
        Thread(target=tell_owners, args=(product, client), daemon=True).start()
        say(f"{greeting.name} answers in {greeting.team} (Ctrl-C stops it).")
        yield


@contextmanager
def open_worker(settings: Settings, name: str) -> Iterator[None]:
    """Answer inside the block what is in the queue. A worker steps back behind the receiver."""
    os.nice(WORKER_NICENESS)
    meter = _meter(settings, name)
    spans = NO_SPANS
    with ExitStack() as opened:
        if settings.otel_exporter_otlp_endpoint:
            spans = opened.enter_context(closing(OtelSpans(settings.otel_exporter_otlp_endpoint)))
        product = opened.enter_context(open_product(settings, meter=meter, spans=spans))
        _count_from_now(meter, name)
        limiter = limiter_of(settings, settings.processes, meter)
        slack = _slack_parts(product, limiter)
        pictures = Pictures(product.exports.folder)
        in_slack = Surface(slack.delivery, slack.timezone_of, slack.language_of, slack.greeting.site, pictures=pictures)
        unpack = partial(unpacked, product.files, partial(fetched, posting_client(settings, meter)))
        runner = _runner(product, slack, in_slack, unpack)
        engine = _engine(product, runner, slack.delivery.retract, limiter, spans)
        warm_up(product)
        engine.launch()
        opened.callback(engine.close)
        opened.callback(limiter.close)
        yield


@dataclass(frozen=True, slots=True)
class SlackParts:
    """What every process has of Slack."""

    greeting: Greeting
    profiles: SlackProfiles
    timezone_of: Callable[[str], str]
    language_of: Callable[[str], str]
    access: Access
    audience: ChannelAudience
    delivery: SlackDelivery


def _slack_parts(product: Product, limiter: RateLimiter) -> SlackParts:
    settings, meter = product.settings, product.meter
    client = slack_client(settings, meter)
    profiles, greeting = SlackProfiles(quick_client(settings, meter)), greeted(client, PATIENT)
    home = greeting.home

    def standing_of(user: str) -> Standing:
        return home.standing(profiles(user))

    access = replace(product.access, members=SlackGroups(client), standing_of=standing_of)
    members = SlackMembers(client, product.memory.moves, home.team_id)
    return SlackParts(
        greeting=greeting,
        profiles=profiles,
        timezone_of=partial(profiles.timezone, otherwise=settings.timezone),
        language_of=partial(profiles.language, otherwise=settings.language),
        access=access,
        audience=ChannelAudience(access, members, SlackCircles(client, home, profiles), greeting.user_id),
        delivery=SlackDelivery(
            posting_client(settings, meter), limiter=limiter, files=product.memory.lifecycle.shared_files
        ),
    )


def _runner(product: Product, slack: SlackParts, in_slack: Surface, unpack: Unpack) -> TurnRunner:
    timezone, language = product.settings.timezone, product.settings.language
    over_http = Surface(MemoryDelivery(product.memory), lambda _: timezone, lambda _: language, keeps_files=True)
    return TurnRunner(
        memory=product.memory,
        orchestrator=product.orchestrator,
        access=slack.access,
        readers_of=slack.audience,
        surface_of=surfaces(in_slack, over_http),
        afterwards=product.sum_up,
        source_of_files=product.files.source_of,
        unpack=unpack,
    )


def _engine(product: Product, runner: TurnRunner, retract: Retract, limiter: RateLimiter, spans: Spans) -> Engine:
    settings = product.settings
    is_watched = product.meter is not SILENT or spans is not NO_SPANS or settings.log_format == "json"
    run = WatchedTurns(runner.run, product.meter, spans) if is_watched else runner.run
    return Engine(
        settings.engine,
        settings.data_dir,
        Retractions(product.memory, retract, run),
        Room(settings.workers, limiter.is_full, settings.shares),
        Hooks(
            on_poison=runner.give_up,
            hourly=lambda: expire(forgetting(product.memory, settings)),
            on_wait=runner.wait,
            hang_seconds=max(settings.export_seconds, settings.query_seconds, settings.model_seconds) + SPARE_SECONDS,
        ),
    )


def expire(forgetting: Forgetting) -> None:
    if gone := forgetting.expired(datetime.now(UTC)).turns:
        log.info("forgot %d turns that have had their time", len(gone))


@contextmanager
def open_http(product: Product, intake: Intake, queue: TurnQueue, bolt: App, port: int) -> Iterator[str]:
    """Serve the HTTP API inside the block, and Slack itself where there is a signing secret. Yields the address."""
    from bot.http_api.api import Service, create_app  # FastAPI takes long to load, and few need it
    from bot.http_api.metrics import metrics_router
    from bot.http_api.server import serving
    from bot.http_api.slack_events import slack_router

    audience = product.context.audience
    settings = product.settings
    chats = Chats(product.memory, intake.access, queue.enqueue, audience, product.exports.folder)
    with closing(Readiness(running(product, queue))) as readiness:
        service = Service(
            memory=product.memory,
            chats=chats,
            callers=product.callers,
            wait_seconds=settings.http_wait_seconds,
            ready=readiness.states,
            forget=forgetting(product.memory, settings).thread,
            charting=Charting(product.memory, product.context),
        )
        app = create_app(service)
        if (secret := settings.slack_signing_secret) is not None:
            app.include_router(slack_router(bolt, secret.get_secret_value()))
        if isinstance(product.meter, SharedMeter):
            page = partial(product.meter.page, levels_of(queue, product.memory, settings.data_dir))
            token = settings.metrics_token
            app.include_router(metrics_router(page, token.get_secret_value() if token else None))
        with serving(app, port, settings.http_host) as url:
            yield url


def warm_up(product: Product) -> None:
    """Load the catalogues and the tokenizer, so that the first question need not wait."""
    product.memory.parts.conversations.count("")
    for database in product.sources.values():
        try:
            database.catalog()
        except SourceUnavailable as error:
            log.warning("%s", error)
