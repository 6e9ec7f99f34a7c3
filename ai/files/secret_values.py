"""Secrets kept outside of settings: in files that `NAME_FILE` names, and behind `${NAME}` in YAML."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote_plus

from ai.errors import ConfigError
from ai.files.regular import read_regular
from ai.files.yaml_file import YamlFile

MOST_BYTES = 64 * 1024
NAME = re.compile(r"\$?\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
ACCOUNT = re.compile(r"://[^@/\s]*:([^@\s]+)@")  # the password of a URL
SHORTEST = 4  # characters; a shorter password is part of many words


@dataclass(frozen=True, slots=True)
class FilledFile:
    """The values of a file with `${NAME}` replaced; `used` holds the values by name."""

    value: Any
    used: Mapping[str, str]

    def hidden(self, text: str) -> str:
        """Write the names again where a text repeats the values."""
        for name, value in self.used.items():
            text = text.replace(value, f"${{{name}}}")
        return text


def from_files(names: Iterable[str], environment: Mapping[str, str]) -> dict[str, str]:
    """Read the settings for which `NAME_FILE` names a file. Raises ConfigError."""
    return {name: text for name in names if (text := _from_file(name, environment)) is not None}


def filled(read: YamlFile, path: Path, environment: Mapping[str, str]) -> FilledFile:
    """Replace each `${NAME}` in texts, and `$${` by `${`. Raises ConfigError for those missing."""
    wanted: dict[str, str] = {}  # where each first stands
    for at, text in _texts_at(read.value, ""):
        for name in _named(text):
            wanted.setdefault(name, at)
    used = {name: value for name in wanted if (value := environment.get(name) or _from_file(name, environment))}
    if missing := [name for name in wanted if name not in used]:
        first = wanted[missing[0]]
        line = read.lines.get(first)
        place = f"line {line}, {first}" if line else first
        verb = "is not set; set it" if len(missing) == 1 else "are not set; set them"
        raise ConfigError(f"{path}, {place}: {' and '.join(missing)} {verb}, or {missing[0]}_FILE.")
    return FilledFile(_replaced(read.value, used), used)


def passwords(values: Iterable[str | None]) -> Iterator[str]:
    """Yield secrets as they may stand in a text: of a URL the password, plain and quoted, anything else whole."""
    for value in filter(None, values):
        found = ACCOUNT.findall(value) if "://" in value else [value]
        yield from (spelled for one in found for spelled in {one, unquote_plus(one)} if len(spelled) >= SHORTEST)


def _from_file(name: str, environment: Mapping[str, str]) -> str | None:
    path = environment.get(f"{name}_FILE")
    if not path:
        return None
    if environment.get(name):
        raise ConfigError(f"Both {name} and {name}_FILE are set; keep one of them.")
    try:
        text = read_regular(Path(path), MOST_BYTES + 1).decode("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        raise ConfigError(
            f"{name}_FILE names {path}, which cannot be read; give a file with the secret alone."
        ) from None
    if not text or len(text) >= MOST_BYTES:
        raise ConfigError(
            f"{name}_FILE names {path}, which is {'too long' if text else 'empty'}; write the secret there."
        )
    return text


def _named(text: str) -> Iterator[str]:
    return (found.group(1) for found in NAME.finditer(text) if not found.group().startswith("$$"))


def _texts_at(value: Any, at: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield at, value
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in parts:
        yield from _texts_at(part, f"{at}.{name}" if at else str(name))


def _replaced(value: Any, used: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return NAME.sub(lambda m: m.group()[1:] if m.group().startswith("$$") else used[m.group(1)], value)
    if isinstance(value, dict):
        return {name: _replaced(part, used) for name, part in value.items()}
    return [_replaced(part, used) for part in value] if isinstance(value, list) else value
