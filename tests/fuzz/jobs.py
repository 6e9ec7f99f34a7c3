"""The promises that campaigns try to break: a job opens what it needs, and tries one number after the other."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from resource import RUSAGE_SELF, getrusage
from sqlite3 import connect
from time import thread_time

from ai.errors import ConfigError, QueryFailed, SourceUnavailable, SqlRefused
from ai.sql.catalog import Catalog, Column, Table
from ai.sql.grammars import OWN
from ai.sql.guard import check
from ai.types import ThreadKey
from bot.product import open_product, open_source, workspace_of
from config import load
from tests.databases import databases
from tests.fuzz import mutations
from tests.fuzz.twins import grown, twins

Try = Callable[[int], str]  # a number, and how it broke the promise, or ""
WHOLE_WAY = 25  # every so many queries one goes through the doors of both databases
MOST_SECONDS, MOST_KB = 0.25, 64 * 1024
SALES = Catalog("fuzz", "", (Table("sales", (Column("id", "", "integer"), Column("a", "", "text"))),))


@dataclass(frozen=True)
class Job:
    name: str
    what: str
    aim: int
    opened: Callable[[Path], AbstractContextManager[Try]]


@contextmanager
def twin_queries(kind: str, folder: Path) -> Iterator[Try]:
    with databases() as made, twins(made, kind, folder) as pair:

        def tried(number: int) -> str:
            chance = Random(f"{kind} {number}")
            sql = next(grown(chance, kind))
            tell = pair.run if number % WHOLE_WAY else pair.told
            one, two = tell(sql, *chance.choice([(), ("listed",)]))
            return "" if one == two else f"{sql} tells {one[:200]} from {two[:200]}"

        yield tried


@contextmanager
def bombs(_folder: Path) -> Iterator[Try]:
    catalogs = {dialect: Catalog("fuzz", dialect, SALES.tables) for dialect in OWN}
    for catalog in catalogs.values():
        check("SELECT id FROM sales", catalog)

    def judged(sql: str, catalog: Catalog) -> tuple[float, int]:
        began, before = thread_time(), getrusage(RUSAGE_SELF).ru_maxrss
        with suppress(SqlRefused):
            check(sql, catalog)
        return thread_time() - began, getrusage(RUSAGE_SELF).ru_maxrss - before

    def tried(number: int) -> str:
        chance = Random(f"bomb {number}")
        whole, turn = divmod(number, len(OWN))  # each as it is first, in every dialect
        is_mutated = whole >= len(mutations.BOMBS)
        sql = mutations.bomb(chance) if is_mutated else mutations.BOMBS[whole]
        catalog = catalogs[chance.choice(OWN) if is_mutated else OWN[turn]]
        seconds, kilobytes = judged(sql, catalog)
        if seconds > MOST_SECONDS:  # another process may have slowed it down
            seconds = min(seconds, judged(sql, catalog)[0], judged(sql, catalog)[0])
        if seconds <= MOST_SECONDS and kilobytes <= MOST_KB:
            return ""
        return f"{catalog.dialect}: {seconds * 1000:.0f} ms, {kilobytes:,} KB for {len(sql):,} characters: {sql[:80]}"

    yield tried


@contextmanager
def masked_questions(folder: Path) -> Iterator[Try]:
    with closing(connect(folder / "shop.db")) as connection:
        connection.executescript(mutations.STAFF)
    (folder / "shop.yaml").write_text(mutations.MASKED.format(folder=folder), "utf-8")
    with open_product(load(config_file=folder / "shop.yaml", data_dir=folder / "data")) as product:

        def tried(number: int) -> str:
            asked = mutations.masked_question(Random(f"masked {number}"))
            text = product.orchestrator.process_message(asked, ThreadKey("", "cli", str(number))).text
            return f"{asked!r} is answered {text!r}" if mutations.LIE.search(text) else ""

        yield tried


@contextmanager
def rights_files(folder: Path) -> Iterator[Try]:
    with closing(connect(folder / "shop.db")) as connection:
        connection.executescript(mutations.SHOP)
    yield partial(_start, folder)


def _start(folder: Path, number: int) -> str:
    """Start with a file with one typing mistake; it may be refused, or open nothing more."""
    text = mutations.mistyped(mutations.RIGHTS.format(folder=folder), Random(f"rights {number}"))
    (folder / "shop.yaml").write_text(text, "utf-8")
    try:
        settings = load(config_file=folder / "shop.yaml", data_dir=folder / "data")
        workspace = workspace_of(settings)
        for name in workspace.sources:
            with open_source(name, workspace, settings) as database:
                for sql in mutations.FORBIDDEN:
                    try:
                        with database.run(database.check(sql)) as stream:
                            if any(True for batch in stream.batches for _ in batch):
                                return f"{sql} gives rows with {text!r}"
                    except (SqlRefused, QueryFailed):
                        continue
    except (ConfigError, SourceUnavailable):
        return ""
    return ""


JOBS = (
    *(
        Job(f"twins {kind}", "queries", 100_000, partial(twin_queries, kind))
        for kind in ("sqlite", "duckdb", "postgres", "mysql")
    ),
    Job("bombs", "mutated bombs", 10_000, bombs),
    Job("masks", "masked questions", 500, masked_questions),
    Job("rights", "mutated rights files", 500, rights_files),
)
