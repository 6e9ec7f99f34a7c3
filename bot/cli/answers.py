"""`datathread figures`, `say` and `audit`: hold texts against results, and receipts against what is stored."""

import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import click

from ai.json_lines import written
from config import load


@click.command()
@click.option(
    "--items",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    required=True,
    help="JSON lines: id, text, columns, rows.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    required=True,
    help="Written: id, ok, unbound.",
)
def figures(items: Path, out: Path) -> None:
    """Find the figures of each text that its result does not prove."""
    from ai.answers.sets import checked

    click.echo(f"{written(checked(items), out)} texts")


@click.command()
@click.option(
    "--items",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    required=True,
    help="JSON lines: id, question, sql (SQLite), columns (name, type, unit), rows, truncated.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    required=True,
    help="Written: id, text, headings, cells, reading, chart.",
)
@click.option(
    "--semantics", "definitions", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="A semantics file."
)
@click.option("--locale", default="en-US", show_default=True, help="How numbers, money and dates are written.")
@click.option(
    "--today", type=click.DateTime(["%Y-%m-%d"]), default=None, help="The day to speak from; today if not given."
)
def say(items: Path, out: Path, definitions: Path | None, locale: str, today: datetime | None) -> None:
    """Put each result into words, as an answer does."""
    from ai.answers.said import said
    from ai.sql.semantics import NO_SEMANTICS, read_semantics

    semantics = read_semantics(definitions).semantics if definitions else NO_SEMANTICS
    day = (today or datetime.now(UTC)).date()
    click.echo(f"{written(said(items, semantics, locale, day), out)} answers")


@click.command()
@click.argument("turn_id")
def audit(turn_id: str) -> None:
    """Print the receipt of TURN_ID and hold it against the stored SQL and rows; exit status 1 when it is not right."""
    from ai.agents.querying.receipts import audit as audited
    from ai.answers.receipt import closing_lines, lines
    from ai.memory_store import open_configured

    with closing(open_configured(load())) as memory:
        found = audited(memory, turn_id)
    receipt = found.receipt
    click.echo("\n".join([*lines(receipt), receipt.sql, *closing_lines(receipt)]))
    rows = "SQL and rows are" if found.rows_kept else "the rows are no longer kept, the SQL is"
    click.echo("\n".join(f"FAILS {problem}" for problem in found.problems) or f"ok    {rows} as sealed")
    sys.exit(1 if found.problems else 0)
