"""`datathread rights`: the rights of the configuration as roles and views of the database itself."""

import sys
from typing import TYPE_CHECKING

import click

from ai.errors import ConfigError
from bot.cli.sources import SOURCE, source_among

if TYPE_CHECKING:
    from ai.sql.engines import RightsDrift


@click.group()
def rights() -> None:
    """Give the database roles that may read what the rights say, for other programs too."""


@rights.command()
@SOURCE
@click.option("--dry-run", is_flag=True, help="Print the SQL, and change nothing.")
def apply(source: str | None, dry_run: bool) -> None:
    """Make the roles and views, or mend them; again and again with the same result."""
    drift = _held(source, keep=not dry_run)
    lines = [f"{statement};" for statement in drift.script] if dry_run else drift.differences
    click.echo("\n".join(lines or ["The database holds the rights already."]))


@rights.command()
@SOURCE
def diff(source: str | None) -> None:
    """Print where the database and the rights differ; exit status 1 when they do."""
    found = _held(source, keep=False).differences
    click.echo("\n".join(found) or "The database holds the rights.")
    sys.exit(1 if found else 0)


def _held(wanted: str | None, *, keep: bool) -> "RightsDrift":
    from bot.product import open_source, workspace_of
    from config import load

    settings = load()
    workspace = workspace_of(settings)
    name = source_among(workspace.sources, wanted)
    login = settings.rights_url.get_secret_value() if settings.rights_url else None
    with open_source(name, workspace, settings, login) as database:
        if not database.has_rights:
            raise ConfigError(f"CONFIG_FILE names no rights on the source {name}; write them there first.")
        return database.hold_rights(keep=keep)
