"""The command line: run the bot, ask without Slack, and say what is configured.

What a command needs is imported when it runs, so that `--help` is quick and a wrong setting is told before anything
heavy is loaded.
"""

import json
import logging
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from threading import Event
from typing import IO, TYPE_CHECKING, Any
from uuid import uuid4

import click

from ai.errors import ConfigError, DatathreadError, SourceUnavailable
from ai.json_lines import numbered, written
from bot.cli.answers import audit, figures, say
from bot.cli.evaluation import evaluate
from bot.cli.semantics import semantics
from config import Settings, child_environment, load

if TYPE_CHECKING:
    from ai.memory_store import MemoryStore
    from ai.sql.database import Database
    from bot.app import Product

ALL = 1_000_000
LOADING_SECONDS = 60.0  # nobody waits in a thread for these counts, and they must be exact
QUIET_LOGGERS = ("slack_bolt", "slack_sdk", "dbos", "alembic")


@click.group()
def commands() -> None:
    """Answer data questions in Slack threads, with SQL that is checked before it runs."""


@commands.command()
def run() -> None:
    """Answer in Slack; without Slack tokens, in a local Slack with a page of its own."""
    settings = load()
    if settings.has_slack:
        _run_bot(settings)
    else:
        _run_locally(settings)


@commands.command()
@click.argument("question")
@click.option("--thread", default=None, help="Name of a conversation to go on with; without it, a new one.")
@click.option("--json", "as_json", is_flag=True, help="Print text, sql, columns, rows, reading, analyst and ms.")
def ask(question: str, thread: str | None, as_json: bool) -> None:
    """Answer QUESTION here, the same way as in Slack but without it."""
    from ai.types import ThreadKey
    from bot.app import open_product
    from bot.render.terminal import as_record, as_text

    with open_product(load()) as product:
        key = ThreadKey("", "cli", thread or uuid4().hex)
        answer = product.orchestrator.process_message(question, key)
        click.echo(as_record(answer, product.memory) if as_json else as_text(answer))


@commands.command()
def check() -> None:
    """Say what is configured and whether it can be reached; exit status 1 when something cannot."""
    from bot.app import open_product

    settings = load()
    with open_product(settings) as product:
        problems = sum(not _told(subject, probe) for subject, probe in _probes(settings, product))
    sys.exit(1 if problems else 0)


@commands.command()
@click.option("--schema", "schema_file", required=True, type=click.Path(path_type=Path), help="S.json or S.json.gz.")
@click.option("--items", required=True, type=click.Path(path_type=Path), help="Lines with id and question.")
@click.option("--budget", default=4000, show_default=True, help="Tokens that tables and columns may take.")
def link(schema_file: Path, items: Path, budget: int) -> None:
    """Print, for each question, the tables and columns that it may be about, within a budget of tokens."""
    from ai.sql.catalog import Linker, read_schema
    from ai.tokens import TokenCounter

    linker = Linker(read_schema(schema_file), TokenCounter(patience=LOADING_SECONDS))
    for number, item in _items(items):
        found = linker.link(item["question"], budget)
        record = {"id": item.get("id", number), "tables": found.tables, "columns": found.columns}
        click.echo(json.dumps({**record, "tokens": found.tokens}, ensure_ascii=False))


@commands.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def slack(options: tuple[str, ...]) -> None:
    """Start the local Slack alone, for any Bolt app; `datathread slack --help` lists its options."""
    from local_slack.__main__ import main as serve

    sys.exit(serve(list(options), "datathread slack"))


@commands.command()
@click.option("--dialect", required=True, help="Dialect of the cases, as sqlglot names it: postgres, mysql, duckdb …")
@click.option("--policy", required=True, type=click.File("r"), help="JSON file with the rights to judge by.")
@click.option("--url", default=None, help="A database for the engine's own opinion (layer L5).")
def guard(dialect: str, policy: IO[str], url: str | None) -> None:
    """Judge queries: cases (JSON lines with id and sql) on standard input, verdicts on standard output."""
    from ai.sql.corpus import judge_from

    judge = judge_from(dialect, read_json(policy), url)
    for verdict in judge.verdicts(sys.stdin):
        click.echo(verdict)


def read_json(file: IO[str]) -> Any:
    """What a JSON file holds; `ConfigError` when it is none."""
    try:
        return json.load(file)
    except ValueError:
        raise ConfigError(f"{file.name} is not JSON; see docs/security.md for what it holds.") from None


commands.add_command(semantics)
commands.add_command(figures)
commands.add_command(say)
commands.add_command(audit)
commands.add_command(evaluate)


@commands.group()
def memory() -> None:
    """Look at what is remembered, write it out, forget it."""


@memory.command()
def stats() -> None:
    """Say how much is kept."""
    with _memory() as store:
        keys = store.parts.conversations.keys()
        figures = [store.windows.get_memory_stats(key) for key in keys]
        messages, tokens = sum(f.total_messages for f in figures), sum(f.total_tokens for f in figures)
        click.echo(f"{len(keys)} threads, {messages} messages, {tokens} tokens")


@memory.command()
@click.argument("thread")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of Markdown.")
def export(thread: str, as_json: bool) -> None:
    """Write out THREAD, given as team/channel/ts: every message, and every query with its SQL."""
    from ai.memory.keeping import export as written_out
    from ai.types import ThreadKey

    key = ThreadKey.of(thread)
    with _memory() as store:
        write = written_out.as_json if as_json else written_out.as_markdown
        click.echo(write(key, store.archives.everything(key), store.queries(key, ALL)[::-1]), nl=False)


@memory.command()
@click.option("--thread", default=None, help="Forget a thread, given as team/channel/ts.")
@click.option("--person", default=None, help="Forget what a person asked, by the id of the user.")
@click.option("--everything", is_flag=True, help="Forget all.")
@click.option("--expired", is_flag=True, help="Forget what is older than its channel keeps (retention_days).")
def forget(thread: str | None, person: str | None, everything: bool, expired: bool) -> None:
    """Forget for good: log, index, archives, results, exports, states, down to the bytes of the files."""
    if [thread is not None, person is not None, everything, expired].count(True) != 1:
        raise click.UsageError("Say what to forget: one of --thread, --person, --everything or --expired.")
    from ai.types import ThreadKey
    from bot.app import forgetting

    with _memory() as store:
        keeper = forgetting(store, load())
        if thread is not None:
            gone = keeper.thread(ThreadKey.of(thread))
        elif person is not None:
            gone = keeper.person(person)
        else:
            gone = keeper.everything() if everything else keeper.expired(datetime.now(UTC))
        click.echo(f"{len(gone.turns)} turns of {len(gone.threads)} threads are forgotten.")
        if not gone.scrubbed:
            raise SourceUnavailable("Somebody is reading the memory: its words are gone, their bytes may not be yet.")


SET_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
OUT_FILE = click.Path(dir_okay=False, writable=True, path_type=Path)


@commands.command()
@click.option("--items", type=SET_FILE, required=True, help="JSON lines: id, queries (question, sql), description.")
@click.option("--out", type=OUT_FILE, required=True, help="Written: id, index of the query that is meant, top.")
def match(items: Path, out: Path) -> None:
    """Find the query that each description means, the same way as in a thread."""
    from ai.memory.corpora import matched

    click.echo(f"{written(matched(items), out)} descriptions")


@commands.command()
@click.option("--docs", type=SET_FILE, required=True, help="JSON lines: thread, id, author, at, text.")
@click.option("--questions", type=SET_FILE, required=True, help="JSON lines: id, thread, text.")
@click.option("--k", default=20, show_default=True, type=click.IntRange(min=1), help="How many messages to rank.")
@click.option("--budget", default=4000, show_default=True, type=click.IntRange(min=1), help="Tokens of the prompt.")
@click.option("--out", type=OUT_FILE, required=True, help="Written: id, ids in order of rank, prompt_ids.")
def recall(docs: Path, questions: Path, k: int, budget: int, out: Path) -> None:
    """Find what each question is about, the same way as in a thread."""
    from ai.memory.corpora import recalled

    click.echo(f"{written(recalled(docs, questions, k, budget), out)} questions")


def main() -> None:
    """Run a command. What is wrong is said in one sentence on standard error, with exit status 2."""
    try:
        commands.main(prog_name="datathread", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.Abort:
        sys.exit(130)
    except DatathreadError as error:
        click.echo(str(error), err=True)
        sys.exit(2)


@contextmanager
def _memory() -> "Iterator[MemoryStore]":
    """The memory that the settings name."""
    from ai.memory_store import open_configured

    with closing(open_configured(load())) as store:
        yield store


def _run_bot(settings: Settings) -> None:
    from bot.app import open_bot

    logging.basicConfig(level=settings.log_level, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    for name in QUIET_LOGGERS:  # their lower levels write message bodies into the log
        logging.getLogger(name).setLevel(logging.ERROR)
    stopped = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    with open_bot(settings) as bot:
        click.echo(f"{bot.greeting.name} answers in {bot.greeting.team} (Ctrl-C stops it).")
        stopped.wait()


def _run_locally(settings: Settings) -> None:
    from bot.demo.launch import LocalRun

    LocalRun(settings.local_slack_port, settings.data_dir, child_environment()).until_stopped(click.echo)


def _items(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """The lines of a JSONL file with their numbers; ConfigError for a line without a question."""
    for number, line in numbered(path):
        try:
            item = json.loads(line)
            yield number, {**item, "question": str(item["question"])}
        except (ValueError, KeyError, TypeError):
            raise ConfigError(f"{path}, line {number}: not a JSON object with a question.") from None


def _told(subject: str, probe: Callable[[], str]) -> bool:
    """Print one line of the check; whether all is well there."""
    try:
        found, well = probe(), True
    except DatathreadError as error:
        found, well = str(error), False
    click.echo(f"{'ok' if well else 'FAILS':6}{subject:20}{found}")
    return well


def _probes(settings: Settings, product: "Product") -> Iterator[tuple[str, Callable[[], str]]]:
    from bot.contact.connecting import slack_client
    from bot.contact.greeting import greeted

    def slack_found() -> str:
        if not settings.has_slack:
            return "no tokens: `datathread run` starts the local Slack"
        greeting = greeted(slack_client(settings), (0.0,))
        return f"{greeting.name} in {greeting.team}"

    def source_found(database: "Database") -> str:
        database.ping()
        return f"{database.dialect.name}, {len(database.catalog().tables)} tables"

    yield "slack", slack_found
    for name, database in product.sources.items():
        yield f"source {name}", partial(source_found, database)
    yield "memory", lambda: f"{settings.data_dir}"
    yield "analyst", lambda: product.analyst.name
