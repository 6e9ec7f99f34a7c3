"""Behaviour cases are lines of data: this reads them, and names each after its `case`."""

import json
from pathlib import Path
from typing import Any

import pytest


def cases(path: Path) -> list[Any]:
    """The lines of a JSONL file as pytest parameters; a line without a `case` is named by its number."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    return [pytest.param(line, id=line.get("case", str(number))) for number, line in enumerate(lines, 1)]
