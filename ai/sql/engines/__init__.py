"""How each kind of database is opened for reading and described: one module per dialect, with one driver."""

from importlib import import_module

from ai.errors import ConfigError
from ai.sql.dialects import Dialect
from ai.sql.engines.port import Backend, QueryLimits


def open_backend(dialect: Dialect, url: str, limits: QueryLimits) -> Backend:
    """Make the backend of a dialect; only its own driver is loaded. Raises ConfigError when there is none."""
    if not dialect.backend:
        raise ConfigError(f"{dialect.label} databases cannot be opened here.")
    module, _, name = dialect.backend.partition(":")
    made: Backend = getattr(import_module(f"{__name__}.{module}"), name)(url, limits)
    return made
