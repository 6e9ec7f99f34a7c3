"""The promises that campaigns try to break: a job opens what it needs, and tries one number after the other."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from sqlite3 import connect

from ai.errors import ConfigError, QueryFailed, SourceUnavailable, SqlRefused
from ai.sql.grammars import OWN
from ai.types import ThreadKey
from bot.product import open_product, open_source, workspace_of
from config import load
from tests.cases import cases
from tests.databases import databases
from tests.fuzz import mutations
from tests.fuzz.attacks import attacks
from tests.fuzz.http_bodies import http_calls, slack_bodies
from tests.fuzz.judging import bombs
from tests.fuzz.literals import literals
from tests.fuzz.masked_truth import masked_queries
from tests.fuzz.names import names
from tests.fuzz.outcome import Outcome, Try
from tests.fuzz.twins import grown, kind_of, twins
from tests.paths import ROOT

INTERFERENCE = ROOT / "tests" / "contract" / "interference.jsonl"
KNOWN = tuple(case.values[0]["sql"] for case in cases(INTERFERENCE))  # told twins apart once, and come first
WHOLE_WAY = 25  # every so many queries one goes through the doors of both databases


@dataclass(frozen=True)
class Job:
    name: str
    what: str
    aim: int
    opened: Callable[[Path], AbstractContextManager[Try]]


@contextmanager
def twin_queries(kind: str, folder: Path) -> Iterator[Try]:
    with databases() as made, twins(made, kind, folder) as pair:

        def tried(number: int) -> Outcome:
            chance = Random(f"{kind} {number}")
            sql = KNOWN[number] if number < len(KNOWN) else next(grown(chance, kind))
            tell = pair.run if number % WHOLE_WAY else pair.told
            roles = chance.choice([(), ("listed",)])
            one, two = tell(sql, *roles)
            if one != two and "QueryTimeout" in one + two:  # a machine under load stood still
                one, two = tell(sql, *roles)
            return Outcome("" if one == two else f"{sql} tells {one[:200]} from {two[:200]}", kind_of(one))

        yield tried


@contextmanager
def masked_questions(folder: Path) -> Iterator[Try]:
    with closing(connect(folder / "shop.db")) as connection:
        connection.executescript(mutations.STAFF)
    (folder / "shop.yaml").write_text(mutations.MASKED.format(folder=folder), "utf-8")
    with open_product(load(config_file=folder / "shop.yaml", data_dir=folder / "data")) as product:

        def tried(number: int) -> Outcome:
            asked, thread = mutations.masked_questions(Random(f"masked {number}")), ThreadKey("", "cli", str(number))
            told = [product.orchestrator.process_message(one, thread).text for one in asked]
            fault = f"{asked} is answered {told}" if any(map(mutations.LIE.search, told)) else ""
            return Outcome(fault, "told that it is masked" if "masked" in told[0] else "answered otherwise")

        yield tried


@contextmanager
def rights_files(folder: Path) -> Iterator[Try]:
    with closing(connect(folder / "shop.db")) as connection:
        connection.executescript(mutations.SHOP)
    yield partial(_start, folder)


def _start(folder: Path, number: int) -> Outcome:
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
                                return Outcome(f"{sql} gives rows with {text!r}", "started")
                    except (SqlRefused, QueryFailed):
                        continue
    except (ConfigError, SourceUnavailable):
        return Outcome("", "refused to start")
    return Outcome("", "started")


JOBS = (
    *(Job(f"twins {kind}", "queries", 100_000, partial(twin_queries, kind)) for kind in OWN),
    *(Job(f"literals {kind}", "values as SQL writes them", 20_000, partial(literals, kind)) for kind in OWN),
    *(Job(f"names {kind}", "queries of shared names", 20_000, partial(names, kind)) for kind in OWN),
    *(Job(f"attacks {kind}", "attacks in other queries and spaces", 20_000, partial(attacks, kind)) for kind in OWN),
    Job("bombs", "mutated bombs", 10_000, bombs),
    Job("masks", "masked questions", 500, masked_questions),
    Job("hidden cells", "queries that show masked cells or not", 20_000, masked_queries),
    Job("rights", "mutated rights files", 500, rights_files),
    Job("slack bodies", "odd events, presses and forms", 50_000, slack_bodies),
    Job("http calls", "odd HTTP calls", 50_000, http_calls),
)
