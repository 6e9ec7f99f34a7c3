"""`datathread figures` and `datathread audit`: hold texts against results, and receipts against what is stored."""

import sys
from contextlib import closing
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
@click.argument("turn_id")
def audit(turn_id: str) -> None:
    """Print the receipt of TURN_ID and hold it against the stored SQL and rows; exit status 1 when it is not right."""
    from ai.agents.querying.receipts import audit as audited
    from ai.answers.receipt import lines
    from ai.memory_store import open_configured

    with closing(open_configured(load())) as memory:
        found = audited(memory, turn_id)
    click.echo("\n".join([found.receipt.sql, *lines(found.receipt)]))
    rows = "SQL and rows are" if found.rows_kept else "the rows are no longer kept, the SQL is"
    click.echo("\n".join(f"FAILS {problem}" for problem in found.problems) or f"ok    {rows} as sealed")
    sys.exit(1 if found.problems else 0)
