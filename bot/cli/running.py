"""`datathread run`, `ask` and `check`."""

import gc
import logging
import os
import sys
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import click

from ai.errors import ConfigError, NoResult, UserError
from bot.cli import logs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ai.agents.port import Answer
    from ai.charts import ResultChart
    from ai.charts.draw import PictureKind
    from ai.types import ThreadKey
    from bot.doctor import Check
    from bot.product import Product
    from config import Settings

KINDS: "dict[str, PictureKind]" = {".png": "png", ".svg": "svg", ".json": "spec"}
LEAVING_SECONDS, SPARE_SECONDS = 2.5, 0.3
COLLECTING = 10_000  # objects made between two collections while the bot answers: about a question's
M_ARENA_MAX, HEAPS = -8, 2  # glibc's name for their number
SWITCH_SECONDS = 0.001  # a thread that computes lets go of the interpreter so often; acknowledgements wait for that


class Picture(click.Path):
    """A file to draw into, of a kind that can be drawn."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, writable=True, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse another ending than .png, .svg or .json before the question is asked."""
        path = Path(str(super().convert(value, param, ctx)))
        if path.suffix.lower() not in KINDS:
            self.fail(f"{path.name} has no ending of a picture; name a file that ends in {' or '.join(KINDS)}.")
        return path


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
@click.argument("question", default="")
@click.option("--thread", default=None, help="Name of a conversation to continue; without it, a new one.")
@click.option("--json", "form", flag_value="json", help="Print text, sql, columns, rows, reading, analyst and ms.")
@click.option("--csv", "form", flag_value="csv", help="Print the rows as CSV, and nothing else.")
@click.option("--receipt", "form", flag_value="receipt", help="Print the answer with its receipt: SQL, turn, seal.")
@click.option("--sql", "form", flag_value="sql", help="Print the SQL, and nothing else.")
@click.option(
    "--chart", type=Picture(), default=None, help="Draw the answer into this .png, .svg or .json (Vega-Lite)."
)
def ask(question: str, thread: str | None, form: str | None, chart: Path | None) -> None:
    """Answer QUESTION here, as in Slack but without it; without QUESTION, talk until Ctrl-D."""
    from ai.types import ThreadKey
    from bot.cli.talking import shown, talk
    from bot.product import open_product
    from config import load

    with open_product(load()) as product:
        _require_tables(product)
        product.memory.parts.conversations.count.estimate_brief()
        key = ThreadKey("", "cli", thread or uuid4().hex)
        if not question:
            talk(product, key, form or "text")
            return
        answer = product.orchestrator.process_message(question, key)
        click.echo(shown(product, answer, form or "text"))
        if chart is not None:
            _draw(product, answer, key, chart)


def _require_tables(product: "Product") -> None:
    for name, database in product.sources.items():
        if not database.catalog().tables:
            raise ConfigError(f"The database of the source {name} has no tables; fill it, or correct DATABASE_URL.")


def _draw(product: "Product", answer: "Answer", thread: "ThreadKey", path: Path) -> None:
    """Write the chart of an answer to a file; exit status 1 where there is none."""
    from ai.charts.draw import DRAWERS

    kind = KINDS[path.suffix.lower()]
    try:
        chart = _chart_of(product, answer, thread)
    except UserError as problem:
        click.echo(f"No chart: {problem}", err=True)
        sys.exit(1)
    path.write_bytes(DRAWERS[kind](chart.spec))
    if chart.legend:
        click.echo(chart.legend)


def _chart_of(product: "Product", answer: "Answer", thread: "ThreadKey") -> "ResultChart":
    """Return the chart shown with an answer, else the fitting one. Raises UserError."""
    from ai.agents.port import ChartEvent
    from ai.agents.querying.charting import Charting
    from bot.cli.talking import query_of

    for event in answer.events:
        if isinstance(event, ChartEvent):
            return event.chart
    query = query_of(product, answer)
    if query is None:
        raise NoResult("this answer has no rows.")
    return Charting(product.memory, product.context).again(product.context.lone_turn("", thread), query.turn_id)


@click.command()
def check() -> None:
    """Try tokens, scopes, events, data, rights, writes and the model; exit status 1 when one needs mending."""
    from bot.doctor import checks
    from bot.product import open_product
    from config import load

    with open_product(load()) as product:
        sys.exit(_told(checks(product)))


@click.command()
def status() -> None:
    """Tell whether each part that a question needs works now, as `/readyz` does; exit status 1 when one does not."""
    from bot.doctor import Readiness, running
    from bot.engine import TurnQueue
    from bot.product import open_product
    from config import load

    settings = load()
    with (
        open_product(settings, indexes=False) as product,
        closing(TurnQueue(settings.engine, settings.data_dir)) as queue,
    ):
        sys.exit(_told(Readiness(running(product, queue)).checks()))


def _told(checks: "Iterable[Check]") -> int:
    problems = 0
    for one in checks:
        problems += not one.is_well
        click.echo(f"{'ok' if one.is_well else 'FAILS':6}{one.subject:20}{one.found}")
    return min(problems, 1)


def _run_bot(settings: "Settings") -> None:
    from bot.app import load_all, works
    from bot.cli.family import Family
    from bot.monitoring import shared_folder
    from bot.product import workspace_of
    from bot.setup import secrets_of
    from config import share_metrics

    settings.make_data_dir()
    logs.start(settings.log_level, secrets_of(settings, workspace_of(settings)), settings.log_format)
    sys.setswitchinterval(SWITCH_SECONDS)
    _share_heaps()
    family = Family(works(settings, click.echo), lambda: leave_within(LEAVING_SECONDS))
    load_all(settings)
    gc.freeze()  # what is loaded now is shared by all processes, as long as nobody writes to it
    gc.set_threshold(COLLECTING)
    with ExitStack() as opened:
        if settings.http_port is not None:
            share_metrics(opened.enter_context(shared_folder()))
        sys.exit(family.run(LEAVING_SECONDS + SPARE_SECONDS))


def _share_heaps() -> None:
    """Let all threads allocate from two heaps, with glibc: each heap of a thread keeps what was freed in it."""
    from ctypes import CDLL

    with suppress(OSError, AttributeError):
        CDLL(None).mallopt(M_ARENA_MAX, HEAPS)


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

    settings.make_data_dir()
    LocalRun(settings.local_slack_port, settings.data_dir, child_environment()).until_stopped(click.echo)
