"""`datathread semantics`: draft, check and show the definitions of a source."""

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ai.errors import ConfigError
from bot.cli.sources import SOURCE, source_among

if TYPE_CHECKING:
    from ai.sql.catalog import Catalog
    from ai.sql.semantics import SemanticsFile
    from config import Settings


@click.group()
def semantics() -> None:
    """Define words of a database: metrics, synonyms, wordings."""


@semantics.command()
@SOURCE
def draft(source: str | None) -> None:
    """Print a first semantics file, made from the catalogue."""
    from ai.nl2sql.semantics_draft import draft as drafted
    from config import load

    with _opened(load(), source) as (_, catalog, _):
        click.echo(drafted(catalog), nl=False)


@semantics.command()
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@SOURCE
def check(file: Path | None, source: str | None) -> None:
    """Compare FILE, or the configured one, with the database; exit status 1 when something does not fit."""
    from ai.sql.semantics import read_semantics
    from config import load

    with _opened(load(), source) as (name, catalog, configured):
        found = read_semantics(file) if file else configured
        if found is None:
            raise ConfigError(f"The source {name} has no semantics; give a file, or name one in CONFIG_FILE.")
        problems = list(found.problems(catalog))
    for problem in problems:
        click.echo(problem)
    if problems:
        sys.exit(1)
    said = found.semantics
    counts = f"metrics {len(said.metrics)}, synonyms {len(said.synonyms)}, wordings {len(said.wordings)}"
    click.echo(f"{found.name} fits {name} ({counts}).")


@semantics.command()
@SOURCE
def show(source: str | None) -> None:
    """Print the definitions in use: the file of a source, with the rules that owners approved."""
    from ai.agents.learning.definitions import Definitions
    from ai.memory_store import open_configured
    from ai.sql.semantics import to_yaml
    from config import load

    settings = load()
    with _opened(settings, source) as (name, _, configured), closing(open_configured(settings)) as memory:
        files = {name: configured.semantics} if configured else {}
        click.echo(to_yaml(Definitions(memory, files).of(name)), nl=False)


@contextmanager
def _opened(settings: "Settings", wanted: str | None) -> "Iterator[tuple[str, Catalog, SemanticsFile | None]]":
    """Open the wanted source: its name, its catalogue and its configured definitions."""
    from bot.product import definitions, open_source, workspace_of

    workspace = workspace_of(settings)
    name = source_among(workspace.sources, wanted)
    with open_source(name, workspace, settings) as database:
        yield name, database.catalog(), definitions(workspace, settings).get(name)
