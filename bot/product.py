"""Build the product: everything but Slack and HTTP."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path

from ai.agents.cards import Services
from ai.agents.orchestrator import Orchestrator
from ai.agents.question_context import QuestionContext
from ai.agents.registry import registered
from ai.agents.tools import Exports
from ai.analysts.port import Analyst
from ai.errors import ConfigError, SourceUnavailable
from ai.memory_store import MemoryStore, memory_store, open_with
from ai.results.files import FileRules
from ai.sql.database import Database, QueryLimits, unheard
from ai.sql.dialects import dialect_of
from ai.sql.rights import source_rights_from
from ai.sql.semantics import Semantics, SemanticsFile, inline_semantics, read_semantics
from ai.sql.thread_files import ThreadFiles
from ai.types import OUTSIDERS, ThreadKey
from bot.access import Access, Holders
from bot.demo.database import SEMANTICS, ensure
from bot.http_api.callers import ApiCallers
from bot.inbound import spool_for
from bot.monitoring import NO_SPANS, SILENT, Meter, Spans
from bot.setup import (
    ChannelConfig,
    Forgetting,
    SourceConfig,
    WorkspaceConfig,
    api_callers,
    load_workspace,
    open_thinking,
)
from config import Settings

UNBOUNDED_BYTES = 2**50  # an export streams: rows and seconds bound it, its bytes are not kept


@dataclass(frozen=True, slots=True)
class Product:
    settings: Settings
    workspace: WorkspaceConfig
    access: Access
    callers: ApiCallers
    sources: Mapping[str, Database]
    files: ThreadFiles
    analyst: Analyst
    memory: MemoryStore
    context: QuestionContext
    exports: Exports
    orchestrator: Orchestrator
    sum_up: Callable[[ThreadKey], bool]
    reach_model: Callable[[], None]
    ping_model: Callable[[], None]
    meter: Meter


@contextmanager
def open_product(
    settings: Settings, *, indexes: bool = True, meter: Meter = SILENT, spans: Spans = NO_SPANS
) -> Iterator[Product]:
    """Build the product in the block; without `indexes` others do. Raises ConfigError or SourceUnavailable."""
    heard = partial(_refused, meter)
    settings.make_data_dir()
    workspace = workspace_of(settings)
    with ExitStack() as opened:
        sources = {
            name: opened.enter_context(open_source(name, workspace, settings, heard=heard))
            for name in workspace.sources
        }
        memory = opened.enter_context(_memory(settings, indexes=indexes))
        memory.parts.results.tidy()
        thinking = opened.enter_context(open_thinking(settings, memory, meter, spans))
        files = opened.enter_context(closing(thread_files(settings, sources)))
        context = QuestionContext(memory, files, _semantics(workspace, settings), settings.language)
        exports = opened.enter_context(_exports(settings, sources))
        access = access_of(workspace)
        services = Services(
            memory,
            thinking.analyst,
            context,
            exports,
            registered(),
            access.is_owner,
            _forget(memory, settings),
            settings.suggest_questions,
        )
        yield Product(
            settings=settings,
            workspace=workspace,
            access=access,
            callers=api_callers(settings, workspace),
            sources=sources,
            files=files,
            analyst=thinking.analyst,
            memory=memory,
            context=context,
            exports=exports,
            orchestrator=Orchestrator(services),
            sum_up=thinking.sum_up,
            reach_model=thinking.reach,
            ping_model=thinking.ping,
            meter=meter,
        )


def workspace_of(settings: Settings) -> WorkspaceConfig:
    if not settings.is_demo:
        return load_workspace(settings)
    path = settings.data_dir / "demo.sqlite"
    ensure(path, date.today())  # noqa: DTZ011 - the demo's data ends yesterday where the person is
    return WorkspaceConfig(
        sources={"demo": SourceConfig(url=f"sqlite:///{path}", semantics=str(SEMANTICS))},
        channels={"*": ChannelConfig(source="demo")},
        owners=["*"],
    )


def definitions(workspace: WorkspaceConfig, settings: Settings) -> dict[str, SemanticsFile]:
    """Read the semantics file of each source. Raises ConfigError."""
    found: dict[str, SemanticsFile] = {}
    folder = settings.config_file.parent if settings.config_file else Path()
    for name, source in workspace.sources.items():
        if isinstance(source.semantics, str):
            found[name] = read_semantics(folder / source.semantics)
        elif source.semantics is not None:
            found[name] = inline_semantics(source.semantics, f"{settings.config_file}, sources.{name}.semantics")
    return found


@contextmanager
def open_source(
    name: str,
    workspace: WorkspaceConfig,
    settings: Settings,
    url: str | None = None,
    heard: Callable[[str], object] = unheard,
) -> Iterator[Database]:
    """Open a data source with the rights and limits of a question; `url` is another login, `heard` counts refusals."""
    source = workspace.sources[name]
    limits = QueryLimits(settings.query_seconds, settings.result_rows, settings.result_bytes, at_once=settings.workers)

    def place(field: str) -> str:
        return f"{settings.config_file}, {workspace.place(f'sources.{name}.{field}')}: "

    rights = source_rights_from(source.rights, source.roles, dialect_of(source.url).name, place)
    url = url or source.url
    with closing(
        Database(name, url, limits=limits, rights=rights, ceiling=source.ceiling, on_refusal=heard)
    ) as database:
        if database.has_rights:
            _fit(database, workspace, settings)
        yield database


def _refused(meter: Meter, layer: str) -> None:
    meter.add("refused_queries", layer=layer)


def _fit(database: Database, workspace: WorkspaceConfig, settings: Settings) -> None:
    """Raise ConfigError where rights do not fit; a database that is away is examined later."""
    try:
        found = next(iter(database.misfits()), None)
    except SourceUnavailable:
        return
    if found is not None:
        place = workspace.place(f"sources.{database.name}.{found.field}")
        end = "" if found.reason.endswith("?") else "."
        raise ConfigError(f"{settings.config_file}, {place}: {found.reason}{end}")


def access_of(workspace: WorkspaceConfig) -> Access:
    """Return who may ask here. `open_bot` adds the user groups of Slack."""
    return Access(
        {channel: entry.source for channel, entry in workspace.channels.items()},
        workspace.allow_external,
        {channel: entry.workspace for channel, entry in workspace.channels.items()},
        {role: Holders(frozenset(who.users), tuple(who.groups)) for role, who in workspace.roles.items()},
        owners=frozenset(workspace.owners),
        allow_guests=workspace.allow_guests,
        policies={channel: entry.audience for channel, entry in workspace.channels.items()},
        sharers={channel: entry.share for channel, entry in workspace.channels.items()},
        circles={name: OUTSIDERS & source.roles.keys() for name, source in workspace.sources.items()},
    )


def thread_files(settings: Settings, sources: Mapping[str, Database]) -> ThreadFiles:
    """Return the files of threads beside the sources, under the limits of a question."""
    limits = QueryLimits(settings.query_seconds, settings.result_rows, settings.result_bytes)
    return ThreadFiles(settings.data_dir / "files", sources, limits)


def forgetting(memory: MemoryStore, settings: Settings) -> Forgetting:
    kept_days = workspace_of(settings).kept_days
    return Forgetting(
        memory,
        settings.data_dir / "exports",
        settings.engine,
        kept_days,
        spool_for(settings.data_dir),
        thread_files(settings, {}),
    )


def _forget(memory: MemoryStore, settings: Settings) -> Callable[[ThreadKey], None]:
    keeper = forgetting(memory, settings)

    def forget(thread: ThreadKey) -> None:
        keeper.thread(thread)

    return forget


@contextmanager
def _memory(settings: Settings, *, indexes: bool) -> Iterator[MemoryStore]:
    with (
        closing(open_with(settings)) as memory,
        memory_store.bind(memory),
        memory.search.keeping_up() if indexes else nullcontext(),
    ):
        yield memory


def _semantics(workspace: WorkspaceConfig, settings: Settings) -> dict[str, Semantics]:
    return {name: file.semantics for name, file in definitions(workspace, settings).items()}


@contextmanager
def _exports(settings: Settings, sources: Mapping[str, Database]) -> Iterator[Exports]:
    limits = QueryLimits(settings.export_seconds, settings.export_rows, UNBOUNDED_BYTES)
    rules = FileRules(settings.csv_formula_guard, settings.csv_bom, settings.file_bytes, zip=settings.csv_zip)
    with ExitStack() as opened:
        bulk = {name: opened.enter_context(closing(source.within(limits))) for name, source in sources.items()}
        yield Exports(settings.data_dir / "exports", rules, thread_files(settings, bulk))
