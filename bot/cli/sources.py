"""The option that names a data source, and the source it means."""

from collections.abc import Iterable

import click

from ai.errors import ConfigError

SOURCE = click.option("--source", default=None, help="Name of the data source; needed where there are several.")


def source_among(names: Iterable[str], wanted: str | None) -> str:
    """Return the wanted source, or the only one. Raises ConfigError."""
    known = list(names)
    if wanted not in known and (wanted is not None or len(known) > 1):
        raise ConfigError(f"Say which source with --source: {', '.join(known)}.")
    return wanted or known[0]
