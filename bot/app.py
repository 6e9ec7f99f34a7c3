"""The composition root: the one place that names concrete classes and wires them.

`open_product` builds what answers questions, `open_bot` what connects it to Slack. Both are context managers: what they
open they close, in the opposite order.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from threading import Thread

from slack_bolt import App

from ai.agents.cards import Services
from ai.agents.orchestrator import Orchestrator
from ai.agents.querying.verdicts import Verdicts
from ai.agents.question_context import QuestionContext
from ai.agents.registry import registered
from ai.agents.tools import Exports
from ai.analysts.port import Analyst
from ai.errors import ConfigError, SourceUnavailable
from ai.memory_store import MemoryStore, limits_of, memory_store, open_memory
from ai.results.files import FileRules
from ai.results.store import ResultStore
from ai.results.upkeep import DiskBudget
from ai.sql.database import Database, QueryLimits
from ai.sql.dialects import dialect_of
from ai.sql.rights import source_rights_from
from ai.sql.semantics import SemanticsFile, inline_semantics, read_semantics
from ai.tokens import RankFiles
from ai.types import ThreadKey
from bot.access import ANYWHERE, Access, Holders
from bot.contact.connecting import bolt_app, listening, pace_of, posting_client, slack_client
from bot.contact.greeting import PATIENT, Greeting, greeted
from bot.delivery import Delivery
from bot.demo.database import SEMANTICS, ensure
from bot.engine import Engine
from bot.forgetting import Forgetting
from bot.http_api.callers import Caller, Callers, digest
from bot.http_api.chats import Chats, MemoryDelivery, Runners
from bot.listeners.desk import Desk
from bot.people.membership import SlackGroups
from bot.people.timezones import SlackTimezones
from bot.render.message import SLACK
from bot.setup.thinking import open_summing_up, open_thinking, recalled
from bot.setup.workspace_file import ChannelConfig, SourceConfig, Workspace, load_workspace
from bot.turn import TurnRunner
from config import Settings

SECONDS_PER_DAY = 86_400
BYTES_OF_A_STREAM = 2**50  # an export is bounded by rows and time; its bytes pass through and are not kept
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Product:
    """Everything that answers questions, without Slack."""

    settings: Settings
    access: Access
    callers: Callers
    sources: Mapping[str, Database]
    analyst: Analyst
    memory: MemoryStore
    context: QuestionContext
    orchestrator: Orchestrator
    sum_up: Callable[[ThreadKey], bool]


@dataclass(frozen=True, slots=True)
class Bot:
    """A connected bot."""

    product: Product
    engine: Engine
    greeting: Greeting


def is_demo(settings: Settings) -> bool:
    """Whether nothing is configured, so that people ask about the demo's data."""
    return settings.config_file is None and settings.database_url is None


def workspace_of(settings: Settings) -> Workspace:
    """The configured data sources, or the demo's when nothing is configured."""
    if not is_demo(settings):
        return load_workspace(settings)
    path = settings.data_dir / "demo.sqlite"
    ensure(path, date.today())  # noqa: DTZ011 - the demo's data ends yesterday where the person is
    return Workspace(
        sources={"demo": SourceConfig(url=f"sqlite:///{path}", semantics=str(SEMANTICS))},
        channels={"*": ChannelConfig(source="demo")},
        owners=["*"],
    )


def definitions(workspace: Workspace, settings: Settings) -> dict[str, SemanticsFile]:
    """What the semantics file of each source says. ConfigError when one cannot be read."""
    found: dict[str, SemanticsFile] = {}
    folder = settings.config_file.parent if settings.config_file else Path()
    for name, source in workspace.sources.items():
        if isinstance(source.semantics, str):
            found[name] = read_semantics(folder / source.semantics)
        elif source.semantics is not None:
            found[name] = inline_semantics(source.semantics, f"{settings.config_file}, sources.{name}.semantics")
    return found


@contextmanager
def open_source(name: str, workspace: Workspace, settings: Settings) -> Iterator[Database]:
    """One data source alone, within the limits of a question."""
    limits = QueryLimits(settings.query_seconds, settings.result_rows, settings.result_bytes)
    with closing(_database(name, workspace.sources[name], limits)) as database:
        yield database


@contextmanager
def open_product(settings: Settings) -> Iterator[Product]:
    """Build what answers questions. ConfigError or SourceUnavailable when something is wrong or missing."""
    workspace = workspace_of(settings)
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    with ExitStack() as opened:
        limits = QueryLimits(settings.query_seconds, settings.result_rows, settings.result_bytes)
        sources = {name: _database(name, source, limits) for name, source in workspace.sources.items()}
        for database in sources.values():
            opened.callback(database.close)
        results = ResultStore(
            settings.data_dir / "results", DiskBudget(settings.results_bytes, settings.results_days * SECONDS_PER_DAY)
        )
        results.tidy()
        ranks = RankFiles(settings.tiktoken_cache_dir, settings.tiktoken_download_url)
        memory = open_memory(settings.state, results, limits_of(settings), settings.redis, ranks)
        opened.callback(memory.close)
        opened.enter_context(memory_store.bind(memory))
        opened.enter_context(memory.search.keeping_up())
        analyst = opened.enter_context(open_thinking(settings, memory))
        sum_up = opened.enter_context(open_summing_up(settings, memory))
        semantics = {name: file.semantics for name, file in definitions(workspace, settings).items()}
        context = QuestionContext(memory, sources, semantics, recalled(settings))
        bulk_limits = QueryLimits(settings.export_seconds, settings.export_rows, BYTES_OF_A_STREAM)
        bulk = {name: database.within(bulk_limits) for name, database in sources.items()}
        for database in bulk.values():
            opened.callback(database.close)
        exports = Exports(
            settings.data_dir / "exports",
            FileRules(settings.csv_formula_guard, settings.csv_bom, settings.file_bytes, zip=settings.csv_zip),
            bulk,
        )
        access = access_of(workspace)
        services = Services(memory, analyst, context, exports, registered(), access.is_owner)
        yield Product(
            settings=settings,
            access=access,
            callers=callers_of(settings, workspace),
            sources=sources,
            analyst=analyst,
            memory=memory,
            sum_up=sum_up,
            context=context,
            orchestrator=Orchestrator(services),
        )


def access_of(workspace: Workspace) -> Access:
    """The rules of who may ask here, without Slack to say who is in a user group."""
    return Access(
        {channel: entry.source for channel, entry in workspace.channels.items()},
        workspace.allow_external,
        {channel: entry.workspace for channel, entry in workspace.channels.items()},
        {role: Holders(frozenset(who.users), tuple(who.groups)) for role, who in workspace.roles.items()},
        owners=frozenset(workspace.owners),
    )


@contextmanager
def open_bot(settings: Settings) -> Iterator[Bot]:
    """Connect to Slack and start answering. ConfigError when the settings for it are missing."""
    if not settings.has_slack:
        raise ConfigError(
            "Slack is not set up: set SLACK_BOT_TOKEN, and SLACK_APP_TOKEN or SLACK_SIGNING_SECRET, or start the local Slack."
        )
    with open_product(settings) as product, ExitStack() as opened:
        client, pace = slack_client(settings), pace_of(settings)
        greeting = greeted(client, PATIENT)
        access = replace(product.access, members=SlackGroups(client))
        runner = TurnRunner(
            memory=product.memory,
            orchestrator=product.orchestrator,
            delivery=Delivery(posting_client(settings), pace=pace),
            access=access,
            timezone_of=SlackTimezones(client, settings.timezone),
            site=greeting.site,
            afterwards=product.sum_up,
        )
        over_http = replace(
            runner,
            delivery=MemoryDelivery(product.memory),
            timezone_of=lambda _: settings.timezone,
            site=SLACK,
            keeps_files=True,
        )
        runners = Runners(runner, over_http)
        engine = Engine(
            settings.engine,
            settings.data_dir,
            runners.run,
            workers=settings.workers,
            poll_seconds=settings.poll_seconds,
            on_poison=runners.give_up,
            hourly=lambda: expire(forgetting(product.memory, settings)),
        )
        engine.launch()
        opened.callback(engine.close)
        desk = Desk(product.memory, access, engine, Verdicts(product.memory, product.context))
        bolt = bolt_app(posting_client(settings), desk)  # it must not wait: an event is acknowledged within seconds
        if settings.http_port is not None:
            opened.enter_context(open_http(product, desk, bolt, engine, settings.http_port))
        channels = [channel for channel in access.channels if channel != ANYWHERE]
        opened.enter_context(listening(settings, bolt, desk, pace, greeting, channels))
        Thread(target=warm_up, args=(product,), daemon=True).start()
        yield Bot(product, engine, greeting)


def expire(forgetting: Forgetting) -> None:
    """Forget what has had its time, and say how much that was."""
    if gone := forgetting.expired(datetime.now(UTC)).turns:
        log.info("forgot %d turns that have had their time", len(gone))


@contextmanager
def open_http(product: Product, desk: Desk, bolt: App, engine: Engine, port: int) -> Iterator[str]:
    """Answer over HTTP as well, Slack itself where it signs what it sends; gives the address."""
    from bot.http_api.api import Service, create_app  # FastAPI takes long to load, and few need it
    from bot.http_api.server import serving
    from bot.http_api.slack_events import slack_router

    audience = product.context.audience
    chats = Chats(product.memory, desk.access, engine.enqueue, audience, product.settings.data_dir / "exports")
    parts = {f"source {name}": database.ping for name, database in product.sources.items()}
    service = Service(product.memory, chats, product.callers, product.settings.http_wait_seconds, parts)
    app = create_app(service)
    if (secret := product.settings.slack_signing_secret) is not None:
        app.include_router(slack_router(bolt, secret.get_secret_value()))
    with serving(app, port) as url:
        yield url


def callers_of(settings: Settings, workspace: Workspace) -> Callers:
    """Who may call over HTTP. ConfigError when nobody could. A proxy that brings Slack brings everybody to this machine."""
    tokens = workspace.api_tokens
    known = {digest(t.token): Caller(t.team, t.user, tuple(t.channels)) for t in tokens}
    for_slack = settings.slack_signing_secret is not None
    if settings.http_port is not None and not (known or for_slack or is_demo(settings)):
        raise ConfigError("HTTP_PORT is set, but CONFIG_FILE names no api_tokens; add one, or leave HTTP_PORT out.")
    return Callers(known, open_to_this_machine=is_demo(settings) and not for_slack)


def warm_up(product: Product) -> None:
    """Load what the first question would otherwise wait for: the catalogues and the tokenizer."""
    product.memory.parts.conversations.count("")
    for database in product.sources.values():
        try:
            database.catalog()
        except SourceUnavailable as error:
            log.warning("%s", error)


def forgetting(memory: MemoryStore, settings: Settings) -> Forgetting:
    """What forgets in the memory that the settings name, and around it."""
    return Forgetting(memory, settings.data_dir / "exports", settings.engine, workspace_of(settings).kept_days)


def _database(name: str, source: SourceConfig, limits: QueryLimits) -> Database:
    """A data source with the rights that the configuration gives to those who ask."""
    rights = source_rights_from(source.rights, source.roles, dialect_of(source.url).name)
    return Database(name, source.url, limits=limits, rights=rights, ceiling=source.ceiling)
