"""Sets of texts about results: JSON lines with id, text, columns and rows in, lines with id, ok and unbound out."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ai.answers.figures import written
from ai.answers.sheet import sheet_of_rows
from ai.errors import ConfigError
from ai.json_lines import numbered
from ai.types import Json

HOW = "a line is a JSON object with id, text, columns and rows (docs/answers.md)"


def checked(items: Path) -> Iterator[dict[str, Json]]:
    """The verdict on each text; `ConfigError` for a line that is not one."""
    for item in _read(items):
        sheet = sheet_of_rows(item["columns"], item["rows"])
        found = written(item["text"], sheet, question=item.get("question", ""))
        yield {"id": item["id"], "ok": not found.unbound, "unbound": list(found.unbound)}


def _read(path: Path) -> Iterator[dict[str, Any]]:
    for number, line in numbered(path):
        yield _item(line, f"{path}, line {number}")


def _item(line: str, where: str) -> dict[str, Any]:
    try:
        item: dict[str, Any] = json.loads(line)
    except ValueError:
        raise ConfigError(f"{where}: not JSON; {HOW}.") from None
    fits = isinstance(item, dict) and isinstance(item.get("text"), str) and "id" in item
    if not fits or not all(isinstance(item.get(name), list) for name in ("columns", "rows")):
        raise ConfigError(f"{where}: something is missing; {HOW}.")
    if not all(isinstance(row, list) for row in item["rows"]) or not all(isinstance(c, str) for c in item["columns"]):
        raise ConfigError(f"{where}: columns are names and rows are lists; {HOW}.")
    return item
