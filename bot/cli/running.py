"""`datathread run`, `ask` and `check`."""

import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator
from functools import partial
from threading import Event, Timer
from typing import TYPE_CHECKING
from uuid import uuid4

import click

from ai.errors import DatathreadError
from bot.cli import logs

if TYPE_CHECKING:
    from ai.sql.database import Database
    from bot.product import Product
    from config import Settings

LEAVING_SECONDS = 2.5
SWITCH_SECONDS = 0.001  # a thread that computes lets go of the interpreter so often; acknowledgements wait for that


@click.command()
def run() -> None:
    """Answer in Slack; without Slack tokens, in a local Slack with a page of its own."""
    from config import load

    settings = load()
    if settings.has_slack:
        _run_bot(settings)
    else:
        _run_locally(settings)


@click.command()
@click.argument("question")
@click.option("--thread", default=None, help="Name of a conversation to continue; without it, a new one.")
@click.option("--json", "as_json", is_flag=True, help="Print text, sql, columns, rows, reading, analyst and ms.")
def ask(question: str, thread: str | None, as_json: bool) -> None:
    """Answer QUESTION here, as in Slack but without it."""
    from ai.types import ThreadKey
    from bot.product import open_product
    from bot.render.terminal import as_record, as_text
    from config import load

    with open_product(load()) as product:
        product.memory.parts.conversations.count.estimate_brief()
        key = ThreadKey("", "cli", thread or uuid4().hex)
        answer = product.orchestrator.process_message(question, key)
        click.echo(as_record(answer, product.memory) if as_json else as_text(answer))


@click.command()
def check() -> None:
    """Show the configuration and whether each part can be reached; exit status 1 when one cannot."""
    from bot.product import open_product
    from config import load

    settings = load()
    with open_product(settings) as product:
        problems = sum(not _is_well(subject, probe) for subject, probe in _probes(settings, product))
    sys.exit(1 if problems else 0)


def _run_bot(settings: "Settings") -> None:
    from bot.app import open_bot

    logs.start(settings.log_level)
    sys.setswitchinterval(SWITCH_SECONDS)
    stopped = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    with open_bot(settings) as bot:
        click.echo(f"{bot.greeting.name} answers in {bot.greeting.team} (Ctrl-C stops it).")
        stopped.wait()
        leave_within(LEAVING_SECONDS)


def leave_within(seconds: float) -> None:
    """End the process so soon, whatever is still under way: its turns are taken up by the next one."""

    def leave() -> None:
        logging.shutdown()
        os._exit(0)

    timer = Timer(seconds, leave)
    timer.daemon = True
    timer.start()


def _run_locally(settings: "Settings") -> None:
    from bot.demo.launch import LocalRun
    from config import child_environment

    LocalRun(settings.local_slack_port, settings.data_dir, child_environment()).until_stopped(click.echo)


def _is_well(subject: str, probe: Callable[[], str]) -> bool:
    """Print one line of the check; return whether the probe succeeded."""
    try:
        found, well = probe(), True
    except DatathreadError as error:
        found, well = str(error), False
    click.echo(f"{'ok' if well else 'FAILS':6}{subject:20}{found}")
    return well


def _probes(settings: "Settings", product: "Product") -> Iterator[tuple[str, Callable[[], str]]]:
    from bot.contact import greeted, slack_client

    def slack_found() -> str:
        if not settings.has_slack:
            return "no tokens: `datathread run` starts the local Slack"
        greeting = greeted(slack_client(settings), (0.0,))
        scope = ", installed for the whole organisation" if greeting.is_org_install else ""
        return f"{greeting.name} in {greeting.team}{scope}"

    def source_found(database: "Database") -> str:
        database.ping()
        return f"{database.dialect.name}, {len(database.catalog().tables)} tables"

    yield "slack", slack_found
    for name, database in product.sources.items():
        yield f"source {name}", partial(source_found, database)
    yield "memory", lambda: f"{settings.data_dir}"
    yield "analyst", lambda: product.analyst.name
