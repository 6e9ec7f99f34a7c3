"""Files of JSON lines."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ai.errors import ConfigError


def numbered(path: Path) -> Iterator[tuple[int, str]]:
    """Iterate over the lines with text and their numbers from 1. `ConfigError` for an unreadable file."""
    if path.exists() and not path.is_file():
        raise ConfigError(f"{path} is no file; give a file of JSON lines.")
    try:
        with path.open(encoding="utf-8", newline="\n") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield number, line
    except (OSError, UnicodeDecodeError):
        raise ConfigError(f"{path} cannot be read; give a file of JSON lines.") from None


def written(lines: Iterable[Mapping[str, Any]], out: Path) -> int:
    """Write objects to a file, one a line; return how many. `ConfigError` where the file cannot be made."""
    count = 0
    try:
        file = out.open("w", encoding="utf-8")
    except OSError:
        raise ConfigError(f"{out} cannot be written; give a file in a folder that is there.") from None
    with file:
        for line in lines:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
            count += 1
    return count
