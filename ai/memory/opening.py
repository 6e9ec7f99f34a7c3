"""Opens the parts of a memory. Every commit is synced to the disk; SQLite overwrites deleted text with zeros."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any, TypeAlias

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, TimeoutError
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

from ai.errors import ConfigError, Corrupt, DatathreadError, MissingExtra, SourceUnavailable
from ai.memory.embeddings import Encoder, Vectors
from ai.memory.limits import MemoryLimits, composed_aloud
from ai.memory.log.database import DAMAGE, Lock, alone, begin, reading, writing
from ai.memory.log.kept_files import DatabaseFiles
from ai.memory.log.lines import LineMarks
from ai.memory.migrations import REVISION, knows
from ai.memory.seals import Chain, fresh_keys
from ai.memory.views.cache import Shared, WindowCache, cache_at
from ai.memory.views.conversation import Conversations
from ai.results.places import FolderFiles, KeptFiles
from ai.results.store import ResultStore
from ai.results.upkeep import DiskBudget
from ai.tokens import ANYWHERE, RankFiles, TokenCounter

BUSY_SECONDS = 30
SECONDS_PER_DAY = 86_400
NO_READS = "The database of the memory cannot be read ({}); check STATE_URL, its server and its disk."
NO_WRITES = "The database of the memory takes no writes ({}); check STATE_URL, its server and its disk."
NEWER = (
    "The memory {!r} is at step {} of its tables and this release knows steps up to {}: start the newer release again, "
    "or restore a backup from before it into an empty store."
)
RETRY_SECONDS = 0.02  # between two tries to switch a new store to WAL
SIZES = {
    "sqlite": "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
    "postgresql": "SELECT pg_database_size(current_database())",
}
PRAGMAS = ("synchronous=FULL", "foreign_keys=ON", "secure_delete=ON")
DRIVERS = {"sqlite": "sqlite", "postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}

ResultsOn: TypeAlias = Callable[[Engine], ResultStore]


@dataclass(frozen=True, slots=True)
class Parts:
    engine: Engine
    results: ResultStore
    conversations: Conversations
    limits: MemoryLimits
    cache: WindowCache
    chain: Chain
    vectors: Vectors | None = None

    def ping(self) -> None:
        """Raise SourceUnavailable while the database takes no writes."""
        try:
            LineMarks(self.engine).raise_mark("", 0.0)  # changes nothing, and needs to be able to
        except (DBAPIError, TimeoutError) as error:
            raise SourceUnavailable(NO_WRITES.format(type(error).__name__)) from None

    def require_sound(self) -> None:
        """Raise Corrupt where SQLite finds a fault anywhere in its file; it reads all of that."""
        if self.engine.dialect.name == "sqlite":
            with reading(self.engine) as connection:
                found = connection.execute(text("PRAGMA quick_check(1)")).scalar()
            if found != "ok":
                raise Corrupt(DAMAGE.format(self.engine.url, found))

    def levels(self) -> tuple[int, float]:
        """Return the bytes of the database, and when a line last gave a sign of life (0: never).

        SourceUnavailable when it cannot be read.
        """
        try:
            with reading(self.engine) as connection:
                size = int(connection.scalar(text(SIZES[self.engine.dialect.name])) or 0)
            return size, LineMarks(self.engine).last_beat()
        except (DBAPIError, TimeoutError) as error:
            raise SourceUnavailable(NO_READS.format(type(error).__name__)) from None

    def shared_cache(self) -> Callable[[], bool] | None:
        """Return what tells whether Redis answers; None where windows are kept in this process."""
        return self.cache.answers if isinstance(self.cache, Shared) else None


def open_parts(
    state_url: str,
    results: ResultStore | ResultsOn,
    limits: MemoryLimits,
    redis: str | None = None,
    ranks: RankFiles = ANYWHERE,
    encoder: Encoder | None = None,
    chain: Chain | None = None,
) -> Parts:
    """Open the database and its parts; `results` may need the database. ConfigError or SourceUnavailable.

    Redis is used on PostgreSQL only: SQLite itself is quicker.
    """
    chain = chain or Chain(fresh_keys())
    limits, engine = composed_aloud(limits), open_engine(state_url, chain)
    results = results if isinstance(results, ResultStore) else results(engine)
    cache = cache_at(redis if engine.dialect.name == "postgresql" else None)
    conversations = Conversations(engine, limits, TokenCounter(files=ranks))
    return Parts(engine, results, conversations, limits, cache, chain, Vectors(engine, encoder) if encoder else None)


def results_at(place: str, root: Path, total_bytes: int, days: float) -> ResultsOn:
    """Return a function to open the results made in `root` and kept there, in the database, or at a URL.

    It raises ConfigError for another place, SourceUnavailable for one that does not answer.
    """
    return lambda engine: ResultStore(
        root, DiskBudget(total_bytes, days * SECONDS_PER_DAY), files_at(place, root, engine)
    )


def files_at(place: str, root: Path, engine: Engine) -> KeptFiles:
    if place in PLACES:
        return PLACES[place](root, engine)
    from ai.results.places.bucket import BucketFiles  # loads the clients of all clouds

    return BucketFiles(place)


PLACES: dict[str, Callable[[Path, Engine], KeptFiles]] = {
    "folder": lambda root, _: FolderFiles(root),
    "database": lambda _, engine: DatabaseFiles(engine),
}


def open_engine(state_url: str, chain: Chain | None = None) -> Engine:
    """Open the database with up-to-date tables.

    ConfigError for a bad URL or the tables of a newer release, SourceUnavailable when nothing answers, Corrupt when
    SQLite cannot read its file.
    """
    engine = unopened(state_url)
    with opening(engine):
        if revision_of(engine) != REVISION:
            _upgrade(engine, chain or Chain(fresh_keys()))
    return engine


def unopened(state_url: str) -> Engine:
    """Return the engine of a database not looked into yet. ConfigError for a bad URL."""
    url = _checked(state_url)
    if url.get_backend_name() == "sqlite":
        return _sqlite(url)
    try:
        return create_engine(url, max_overflow=-1)
    except ModuleNotFoundError:
        raise MissingExtra("STATE_URL", "postgres") from None


@contextmanager
def opening(engine: Engine) -> Iterator[None]:
    """Drop the engine, and tell why, where its database cannot be opened in the block."""
    try:
        yield
    except DBAPIError as error:
        engine.dispose()
        raise SourceUnavailable(f"STATE_URL names {engine.url!r}, which cannot be opened ({error.orig}).") from None
    except DatathreadError:
        engine.dispose()
        raise


def revision_of(engine: Engine) -> str | None:
    """Return the step of the tables, None where there are none. ConfigError for a newer one."""
    with reading(engine) as connection:
        return revision_in(connection)


def _checked(state_url: str) -> URL:
    try:
        url = make_url(state_url)
    except ArgumentError:
        raise ConfigError(f"STATE_URL is {state_url!r}: give a URL such as sqlite:///state.sqlite.") from None
    backend = url.drivername.partition("+")[0]
    if backend not in DRIVERS:
        raise ConfigError(f"STATE_URL names a {backend} database: the memory is kept in SQLite or PostgreSQL.")
    return url.set(drivername=DRIVERS[backend])


def _sqlite(url: URL) -> Engine:
    in_memory = url.database in (None, "", ":memory:")
    # Another connection to a database in memory is another database, so there must be just one.
    bounds = {"poolclass": QueuePool, "pool_size": 1, "max_overflow": 0} if in_memory else {"max_overflow": -1}
    engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False}, **bounds)
    event.listen(engine, "connect", _configure)
    event.listen(engine, "begin", begin)
    return engine


def _configure(connection: Any, _: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # the driver's own idea of transactions lets no one begin with a lock
    _switch_to_wal(connection)
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")


def _switch_to_wal(connection: sqlite3.Connection) -> None:
    """Retry: SQLite refuses at once while another process switches the same store."""
    ends = monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorname != "SQLITE_BUSY" or monotonic() > ends:
                raise
            Event().wait(RETRY_SECONDS)
        else:
            return


def revision_in(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    current: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    if current is not None and not knows(current):
        raise ConfigError(NEWER.format(connection.engine.url, current, REVISION))
    return current


def _upgrade(engine: Engine, chain: Chain) -> None:
    from ai.memory.migrations.runner import upgrade  # loads Alembic, which a store of today's shape does not need

    with migrating(engine) as connection:
        if revision_in(connection) != REVISION:  # another process was quicker
            upgrade(connection)
        chain.adopt(connection)


@contextmanager
def migrating(engine: Engine) -> Iterator[Connection]:
    """Open a writing transaction, one at a time; it sees the work of the one before."""
    if engine.dialect.name == "postgresql":  # whose own level may be one that keeps to the moment before the lock
        engine = engine.execution_options(isolation_level="READ COMMITTED")
    with writing(engine) as connection:
        alone(connection, Lock.MIGRATING)
        yield connection
