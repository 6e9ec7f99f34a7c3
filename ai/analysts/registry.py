"""The analysts by name: one line each."""

from collections.abc import Callable

from ai.analysts.built_in import BuiltInAnalyst
from ai.analysts.port import Analyst
from ai.errors import ConfigError

ANALYSTS: dict[str, Callable[[], Analyst]] = {
    "built_in": BuiltInAnalyst,
}


def build_analyst(name: str) -> Analyst:
    """The analyst of this name; ConfigError names what is allowed."""
    factory = ANALYSTS.get(name)
    if factory is None:
        raise ConfigError(f"There is no analyst {name!r}; use one of: {', '.join(sorted(ANALYSTS))}.")
    return factory()
