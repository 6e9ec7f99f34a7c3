"""`datathread audit --who U --since D`: the log of access."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ai.memory_store import AccessEntry

WHO = click.option("--who", default="", help="the id of a user: print what this person was told or refused")
SINCE = click.option("--since", type=click.DateTime(), help="print what was told or refused from this day on, in UTC")


def print_access(who: str, since: datetime | None) -> None:
    """Print the entries of the log of access, oldest first."""
    from ai.memory_store import open_configured
    from config import load

    with closing(open_configured(load())) as memory:
        entries = memory.access.of(who, since.replace(tzinfo=UTC) if since else None)
    for entry in entries:
        click.echo("  ".join(_fields(entry)))
    click.echo(f"{len(entries)} entries")


def _fields(entry: "AccessEntry") -> Iterator[str]:
    yield f"{entry.at:%Y-%m-%d %H:%M:%S}"
    yield entry.person
    yield f"{entry.outcome} by {entry.surface}"
    yield f"{entry.source}: {', '.join(entry.tables) or '-'}"
    yield f"as {entry.right}"
    if entry.readers or entry.hidden_from:
        yield f"{entry.readers} readers, hidden from {entry.hidden_from}"
    yield entry.turn_id or "-"
