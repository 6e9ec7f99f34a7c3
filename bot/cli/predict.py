"""`datathread predict`: answer sets of questions the product's own way, without Slack, and write what was shown."""

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import click

from ai.errors import ConfigError, NoResult
from ai.files.json_lines import numbered, written

if TYPE_CHECKING:
    from ai.agents.port import Answer, ChartEvent
    from ai.analysts.port import Draft, Question
    from ai.types import AnsweredQuery, Request, ThreadKey
    from bot.product import Product

log = logging.getLogger(__name__)
SHOWN_ROWS = 1_000
OPTIONS = 4
DEMO = "demo"
ASKER = "asker"
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
EMPTY: dict[str, Any] = dict.fromkeys(("sql", "columns", "rows", "total", "reading"))
LATER: dict[str, Any] = dict.fromkeys(("chart", "drivers", "cause", "confidence"))


@dataclass(frozen=True, slots=True)
class Item:
    """One question of a set, with the messages that come before it in its thread."""

    id: str
    db: str
    question: str
    history: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Threads:
    """The threads of a set, each by its database and what was said in it."""

    open: "dict[tuple[str, ...], ThreadKey]" = field(default_factory=dict)

    def take(self, item: Item) -> "ThreadKey | None":
        """Return the thread in which just the history of an item was said; no other item gets it."""
        return self.open.pop((item.db, *item.history), None)

    def keep(self, item: Item, thread: "ThreadKey") -> None:
        self.open[item.db, *item.history, item.question] = thread


@click.command()
@click.option("--items", type=FILE, required=True, help="JSON lines: id, db, question, history.")
@click.option("--db-dir", type=FOLDER, required=True, help="Folder of DB.sqlite files.")
@click.option("--out", type=click.Path(dir_okay=False, writable=True, path_type=Path), required=True)
@click.option("--semantics", type=FOLDER, default=None, help="Folder of DB.yaml semantics files.")
@click.option("--today", type=click.DateTime(["%Y-%m-%d"]), default=None, help="The asker's day; today without it.")
def predict(items: Path, db_dir: Path, out: Path, semantics: Path | None, today: datetime | None) -> None:
    """Answer each item in a fresh thread, its history first, and write what was shown.

    An item whose history is all that was said in a thread so far goes on in that one.
    """
    questions = read_items(items)
    day, threads = today.date() if today else datetime.now(UTC).date(), Threads()
    with opened(sorted({item.db for item in questions}), db_dir, semantics) as product:
        count = written((answered(product, item, day, threads) for item in questions), out)
    click.echo(f"{count} answers")


def read_items(path: Path) -> list[Item]:
    """Read the items of a file; `ConfigError` names a line that is none."""
    found = []
    for number, line in numbered(path):
        try:
            item = json.loads(line)
            history = tuple(str(said) for said in item.get("history") or ())
            found.append(Item(str(item["id"]), str(item["db"]), str(item["question"]), history))
        except (ValueError, KeyError, TypeError, AttributeError):
            raise ConfigError(f"{path}, line {number}: not a JSON object with id, db and question.") from None
    return found


@contextmanager
def opened(databases: Sequence[str], folder: Path, semantics: Path | None) -> "Iterator[Product]":
    """Open the product over the databases, with a memory of its own that goes afterwards."""
    import yaml

    from bot.product import open_product
    from config import load

    with TemporaryDirectory(prefix="datathread-predict-") as kept:
        sources = {name: source_of(name, folder, semantics) for name in databases}
        config = Path(kept) / "workspace.yaml"
        config.write_text(yaml.safe_dump({"sources": sources}), "utf-8")
        with open_product(load(config_file=config, data_dir=Path(kept) / "data")) as product:
            yield product


def source_of(name: str, folder: Path, semantics: Path | None) -> dict[str, str]:
    """Name the database of an item and its semantics file; the demo has its own."""
    from bot.demo.database import SEMANTICS

    path = (folder / f"{name}.sqlite").absolute()
    if not path.exists():
        raise ConfigError(f"{path} is missing; --db-dir holds one SQLite file for each db of the items.")
    source = {"url": f"sqlite:///{path}"}
    own = semantics / f"{name}.yaml" if semantics else None
    if own is not None and own.exists():
        source["semantics"] = str(own.absolute())
    elif name == DEMO:
        source["semantics"] = str(SEMANTICS)
    return source


def answered(product: "Product", item: Item, day: date, threads: Threads | None = None) -> dict[str, Any]:
    """Return what a person would have seen; an error is told as a turn tells it, and the next item goes on."""
    from bot.turn import FAILED

    try:
        return replied(product, item, day, threads or Threads())
    except Exception:  # the border of an item: one that fails must not keep the others from being answered
        log.exception("item %s failed", item.id)
        told = FAILED.format(f"`{item.id}`")
        return {"id": item.id, "status": "refused", **EMPTY, "text": told, "options": [], **LATER, "ms": 0.0}


def replied(product: "Product", item: Item, day: date, threads: Threads) -> dict[str, Any]:
    """Send the history of an item, unless a thread has it, and then its question; return what was shown."""
    from ai.agents.port import Turn

    thread = threads.take(item) or thread_after(product, item, day)
    threads.keep(item, thread)
    request = request_of(item, item.question, thread, day)
    started = perf_counter()
    if not is_heard(product, request):
        return {"id": item.id, "status": "silent", **EMPTY, "text": "", "options": [], **LATER, "ms": 0.0}
    question = product.context.question(Turn(request))
    answer = said(product, request)
    spent = round((perf_counter() - started) * 1000, 1)
    found = shown(product, request, answer)
    if found["sql"] and (draft := draft_of(product, question)) and draft.reading == found["reading"]:
        found["confidence"] = draft.confidence
    return {"id": item.id, **found, "ms": spent}


def thread_after(product: "Product", item: Item, day: date) -> "ThreadKey":
    """Send the history of an item to a fresh thread."""
    from ai.types import ThreadKey

    thread = ThreadKey("", "predict", uuid4().hex)
    for text in item.history:
        request = request_of(item, text, thread, day)
        if is_heard(product, request):
            said(product, request)
    return thread


def request_of(item: Item, text: str, thread: Any, day: date) -> "Request":
    """Make the request of a message, asked at noon of the day."""
    from ai.types import Request

    noon = datetime.combine(day, time(12), UTC)
    return Request(uuid4().hex, thread, text, "", noon, item.db)


def is_heard(product: "Product", request: "Request") -> bool:
    """Remember a message; return whether it wants an answer. Only the first of a thread mentions the bot."""
    from bot.listeners import LATELY, Line, lines, wants_answer

    before = product.memory.transcripts.newest(request.thread, LATELY)
    product.memory.receive(request.thread, request.turn_id, request.text, request.user, request.asked_at)
    thread, names_data = lines(before, lambda _: ASKER), product.context.names_data
    line = Line(ASKER, request.text)
    return not before or wants_answer(thread, line, 0.0, lambda text: names_data(replace(request, text=text)))


def said(product: "Product", request: "Request") -> "Answer":
    from ai.agents.port import Answer, run_now

    return Answer(tuple(product.orchestrator.answer(request, run_now)))


def shown(product: "Product", request: "Request", answer: "Answer") -> dict[str, Any]:
    """Describe an answer: its status, exact rows, reading and options."""
    from ai.agents.port import ChartEvent, QuestionEvent
    from bot.cli.talking import query_of
    from bot.render.text import plain

    drawn = next((event for event in answer.events if isinstance(event, ChartEvent)), None)
    query = product.memory.query(drawn.query_id) if drawn else query_of(product, answer)
    asked = any(isinstance(event, QuestionEvent) for event in answer.events)
    status = "answered" if query else "asked" if asked else "refused"
    found = rows_of(product, query) if query else {}
    options = [] if query else options_of(product, request, answer)
    chart = {"chart": chart_of(product, request, query, drawn)} if query else {}
    told = {**LATER, **cause_of(answer), **chart}
    return {"status": status, **EMPTY, **found, "text": plain(answer.text), "options": options, **told}


def cause_of(answer: "Answer") -> dict[str, Any]:
    """Return the cause of a change and its drivers, "none" or "data gap" without any; {} where none was asked."""
    from ai.agents.port import CauseEvent

    event = next((event for event in answer.events if isinstance(event, CauseEvent)), None)
    if event is None:
        return {}
    keys = ("dimension", "value", "share_of_change")
    drivers = [dict(zip(keys, driver, strict=True)) for driver in event.drivers]
    without = "data gap" if event.cause == "data gap" else "none"
    return {"drivers": drivers or without, "cause": event.cause}


def chart_of(
    product: "Product", request: "Request", query: "AnsweredQuery", drawn: "ChartEvent | None"
) -> dict[str, Any]:
    """Return the chart of an answer, the one that fits where none is drawn: its kind, and the columns of its parts."""
    from ai.agents.port import Turn
    from ai.agents.querying.charting import Charting
    from ai.charts import chosen
    from bot.cli.wording import columns_of

    view = Charting(product.memory, product.context).view(Turn(request), query)
    design = drawn.chart.design if drawn else chosen(view)
    return columns_of(design, [column.name for column in view.result.columns])


def rows_of(product: "Product", query: "AnsweredQuery") -> dict[str, Any]:
    """Return the exact rows of a query, the first thousand of them, and how many there are."""
    rows: list[list[Any]] = []
    try:
        columns = [column.name for column in product.memory.result(query).columns]
        for batch in product.memory.parts.results.batches(str(query.result)):
            rows += [[exact(cell) for cell in row] for row in batch[: SHOWN_ROWS - len(rows)]]
            if len(rows) >= SHOWN_ROWS:
                break
    except NoResult:
        columns = []
    return {"sql": query.sql, "columns": columns, "rows": rows, "total": query.row_count, "reading": query.reading}


def exact(cell: Any) -> Any:
    """Return a cell as JSON holds it without loss."""
    if isinstance(cell, Decimal):
        return int(cell) if cell == cell.to_integral_value() else float(cell)
    return cell if cell is None or isinstance(cell, bool | int | float | str) else str(cell)


def options_of(product: "Product", request: "Request", answer: "Answer") -> list[Mapping[str, str | None]]:
    """Return the offers instead of an answer, each with its SQL."""
    from ai.agents.port import QuestionEvent

    offered: list[str] = []
    for event in answer.events:
        if isinstance(event, QuestionEvent):
            offered += event.asks or event.options
    if not offered:
        offered = suggested(answer.text)
    return [{"label": text, "sql": sql_of(product, request, text)} for text in offered[:OPTIONS]]


def suggested(text: str) -> list[str]:
    """Return the questions named by a refusal, one a line."""
    from bot.render.text import plain

    return [plain(line.removeprefix("- ")).strip() for line in text.splitlines() if line.startswith("- ")]


def sql_of(product: "Product", request: "Request", text: str) -> str | None:
    """Return the SQL that a message would run now in its thread."""
    from ai.agents.port import Turn

    turn = Turn(replace(request, text=text, turn_id=uuid4().hex))
    draft = draft_of(product, product.context.question(turn))
    return draft.sql if draft else None


def draft_of(product: "Product", question: "Question") -> "Draft | None":
    """Return the analyst's answer to a question, with its confidence."""
    from ai.analysts.port import Draft

    proposal = product.analyst.write_sql(question)
    return proposal if isinstance(proposal, Draft) else None
