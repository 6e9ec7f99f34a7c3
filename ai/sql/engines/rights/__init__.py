"""Rights as roles and views of the engine itself: a second fence beside the guard."""

from collections.abc import Callable, Sequence
from importlib import import_module

from sqlalchemy.engine import URL

from ai.errors import ConfigError
from ai.sql.dialects import dialect_of, normal_url
from ai.sql.engines.rights.drift import RightsDrift
from ai.sql.engines.rights.plan import EngineRole, roles_of

__all__ = ["EngineRole", "RightsDrift", "hold", "roles_of"]

MODULES = {"postgres": "postgres", "mysql": "mariadb"}


def hold(url: str, roles: Sequence[EngineRole], *, keep: bool) -> RightsDrift:
    """Let a server hold these roles if `keep`; compare otherwise. Raises `ConfigError`."""
    dialect = dialect_of(url)
    if dialect.name not in MODULES:
        raise ConfigError(f"{dialect.label} has no roles, so the guard alone keeps the rights on it.")
    held: Callable[[URL, Sequence[EngineRole], bool], RightsDrift]
    held = import_module(f"ai.sql.engines.rights.{MODULES[dialect.name]}").held
    return held(normal_url(url), roles, keep)
