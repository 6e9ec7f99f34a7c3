"""`datathread figures`: hold texts against the results that they are about."""

from pathlib import Path

import click


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
    from ai.memory.search.sets import written

    click.echo(f"{written(checked(items), out)} texts")
