"""`datathread link`, `match`, `recall`, `guard`, `figures`, `say` and `listen`: run files of cases through one part."""

import json
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from ai.errors import ConfigError
from ai.files.json_lines import numbered, written

if TYPE_CHECKING:
    from bot.listeners import Line

LOADING_SECONDS = 60.0  # nobody waits in a thread for these counts, and they must be exact
SET_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
OUT_FILE = click.Path(dir_okay=False, writable=True, path_type=Path)


@click.command()
@click.option("--schema", "schema_file", required=True, type=click.Path(path_type=Path), help="S.json or S.json.gz.")
@click.option("--items", required=True, type=click.Path(path_type=Path), help="Lines with id and question.")
@click.option("--budget", default=4000, show_default=True, help="Tokens for tables and columns.")
def link(schema_file: Path, items: Path, budget: int) -> None:
    """Print the tables and columns that each question may be about, within a budget of tokens."""
    from ai.sql.catalog import Linker, read_schema
    from ai.tokens import TokenCounter

    linker = Linker(read_schema(schema_file), TokenCounter(patience=LOADING_SECONDS))
    for number, item in _items(items):
        found = linker.link(item["question"], budget)
        record = {"id": item.get("id", number), "tables": found.tables, "columns": found.columns}
        click.echo(json.dumps({**record, "tokens": found.tokens}, ensure_ascii=False))


@click.command()
@click.option("--items", type=SET_FILE, required=True, help="JSON lines: id, queries (question, sql), description.")
@click.option("--out", type=OUT_FILE, required=True, help="Written: id, index of the best query, top.")
def match(items: Path, out: Path) -> None:
    """Find the query that each description means, as in a thread."""
    from ai.memory.corpora import matched

    click.echo(f"{written(matched(items), out)} descriptions")


@click.command()
@click.option("--docs", type=SET_FILE, required=True, help="JSON lines: thread, id, author, at, text.")
@click.option("--questions", type=SET_FILE, required=True, help="JSON lines: id, thread, text.")
@click.option("--k", default=20, show_default=True, type=click.IntRange(min=1), help="How many messages to rank.")
@click.option("--budget", default=4000, show_default=True, type=click.IntRange(min=1), help="Tokens of the prompt.")
@click.option("--out", type=OUT_FILE, required=True, help="Written: id, ids in order of rank, prompt_ids.")
def recall(docs: Path, questions: Path, k: int, budget: int, out: Path) -> None:
    """Find the messages that each question is about, as in a thread."""
    from ai.memory.corpora import recalled
    from ai.memory.embeddings import encoder_at
    from config import load

    settings = load()
    encoder = encoder_at(settings.embedding_model, settings.embedding_floor)
    click.echo(f"{written(recalled(docs, questions, k, budget, encoder), out)} questions")


@click.command()
@click.option("--dialect", required=True, help="Dialect of the cases, as sqlglot names it: postgres, mysql, duckdb …")
@click.option("--policy", required=True, type=click.File("r"), help="JSON file with the rights to judge by.")
@click.option("--url", default=None, help="A database for the engine's own opinion (layer L5).")
def guard(dialect: str, policy: IO[str], url: str | None) -> None:
    """Judge queries: cases (JSON lines with id and sql) on standard input, verdicts on standard output."""
    from ai.sql.corpus import judge_from

    with closing(judge_from(dialect, _json(policy), url)) as judge:
        for verdict in judge.verdicts(sys.stdin):
            click.echo(verdict)


@click.command()
@click.option("--items", type=SET_FILE, required=True, help="JSON lines: id, text, columns, rows.")
@click.option("--out", type=OUT_FILE, required=True, help="Written: id, ok, unbound.")
def figures(items: Path, out: Path) -> None:
    """Find the figures of each text that its result does not prove."""
    from bot.cli.wording import checked

    click.echo(f"{written(checked(items), out)} texts")


@click.command()
@click.option(
    "--items", type=SET_FILE, required=True, help="JSON lines: id, question, sql (SQLite), columns, rows, truncated."
)
@click.option("--out", type=OUT_FILE, required=True, help="Written: id, text, headings, cells, reading, chart.")
@click.option("--semantics", "definitions", type=SET_FILE, help="A semantics file.")
@click.option("--locale", default="en-US", show_default=True, help="How numbers, money and dates are written.")
@click.option("--today", type=click.DateTime(["%Y-%m-%d"]), help="The day to speak from; today if not given.")
def say(items: Path, out: Path, definitions: Path | None, locale: str, today: datetime | None) -> None:
    """Put results into words, as an answer does."""
    from ai.sql.semantics import NO_SEMANTICS, read_semantics
    from bot.cli.wording import said

    semantics = read_semantics(definitions).semantics if definitions else NO_SEMANTICS
    day = (today or datetime.now(UTC)).date()
    click.echo(f"{written(said(items, semantics, locale, day), out)} answers")


def _json(file: IO[str]) -> Any:
    try:
        return json.load(file)
    except ValueError:
        raise ConfigError(f"{file.name} is not JSON; see docs/security.md for its shape.") from None


def _items(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the numbered lines of a JSONL file. Raises ConfigError for a line without a question."""
    for number, line in numbered(path):
        try:
            item = json.loads(line)
            yield number, {**item, "question": str(item["question"])}
        except (ValueError, KeyError, TypeError):
            raise ConfigError(f"{path}, line {number}: not a JSON object with a question.") from None


@click.command()
@click.option("--items", required=True, type=SET_FILE, help="JSON lines: id, thread, text, who, minutes_since_last.")
@click.option("--out", required=True, type=OUT_FILE, help="Where the verdicts go, one a line.")
def listen(items: Path, out: Path) -> None:
    """Tell the messages that want an answer from talk among people."""
    click.echo(f"{written(heard(items), out)} messages")


def heard(items: Path) -> Iterator[dict[str, str]]:
    from bot.listeners import wants_answer

    for number, line in numbered(items):
        try:
            case = json.loads(line)
            wanted = wants_answer(*moment(case))
            verdict = {"id": str(case["id"]), "verdict": "answer" if wanted else "silent"}
        except (ValueError, KeyError, TypeError, AttributeError):
            raise ConfigError(f"{items}, line {number}: not a JSON object with id, thread, text and who.") from None
        yield verdict


def moment(case: dict[str, Any]) -> "tuple[list[Line], Line, float]":
    """Return the thread of a case, what is said in it, and the minutes since its last line."""
    from bot.listeners import US, Line

    thread = [Line(US if said["who"] == "bot" else said["who"], said["text"]) for said in case["thread"]]
    return thread, Line(case["who"], case["text"]), float(case.get("minutes_since_last") or 0)
