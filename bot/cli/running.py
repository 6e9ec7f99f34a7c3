"""`datathread run`, `ask` and `check`."""

import logging
import os
import signal
import sys
from threading import Event, Timer
from typing import TYPE_CHECKING
from uuid import uuid4

import click

from bot.cli import logs

if TYPE_CHECKING:
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
        key = ThreadKey("", "cli", thread or uuid4().hex)
        answer = product.orchestrator.process_message(question, key)
        click.echo(as_record(answer, product.memory) if as_json else as_text(answer))


@click.command()
def check() -> None:
    """Try tokens, scopes, events, data, rights, writes and the model; exit status 1 when one needs mending."""
    from bot.doctor import checks
    from bot.product import open_product
    from config import load

    problems = 0
    with open_product(load()) as product:
        for one in checks(product):
            problems += not one.is_well
            click.echo(f"{'ok' if one.is_well else 'FAILS':6}{one.subject:20}{one.found}")
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
