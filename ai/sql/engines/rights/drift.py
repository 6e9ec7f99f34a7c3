"""What a server holds, and what an examination of it found."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sqlalchemy.engine import URL

from ai.errors import ConfigError

Facts = Mapping[str, str]  # a value by its subject


@dataclass(frozen=True, slots=True)
class RightsDrift:
    """`script` brings a server to the rights, `differences` are the lines of what it changes."""

    script: tuple[str, ...]
    differences: tuple[str, ...]


def differences(found: Facts, wanted: Facts) -> Iterator[str]:
    for subject in sorted({**found, **wanted}):
        if subject not in found:
            yield f"missing  {subject}"
        elif subject not in wanted:
            yield f"beyond   {subject}"
        elif found[subject] != wanted[subject]:
            yield f"changed  {subject}"


def refusal(label: str, error: Exception, url: URL) -> ConfigError:
    """Word an error of a driver, without the password."""
    said = str(error).replace(url.password or "\0", "***")
    return ConfigError(f"{label} did not take the rights: {said}")
