"""A script: lines of data that say which request is answered how. The first line that fits and is not used up answers.

A line is `{"when": {...}, "reply": {...}, "times": 1}`; all of it may be left out but the reply. `when` has `contains`
(strings that must all stand in the prompt), `lacks` (none of them may), `last` (a string of the last message), `question` (of the question that ends it), `tools`
(that must be offered), `schema` (its name, or "json"), `stream`. `times` is how often the line may answer; without it,
ever again. `reply` has the fields of `Reply`; `calls` are `{"name", "args"}`.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from tests.openai_server.chat import Asked, Reply, ToolUse


@dataclass
class Line:
    """One line of a script."""

    reply: Reply
    when: Mapping[str, Any] = field(default_factory=dict)
    times: int | None = None

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "Line":
        fields = dict(data["reply"])
        calls = tuple(ToolUse(**call) for call in fields.pop("calls", ()))
        unknown = set(data.get("when", {})) - TESTS.keys()
        assert not unknown, f"a script cannot look at {unknown}"
        return cls(Reply(calls=calls, **fields), data.get("when", {}), data.get("times"))

    def fits(self, asked: Asked) -> bool:
        return self.times != 0 and all(TESTS[name](asked, wanted) for name, wanted in self.when.items())


class Script:
    """Answers by its lines. Many threads may ask."""

    def __init__(self, lines: Iterable[Mapping[str, Any]]) -> None:
        self._lines = [Line.of(line) for line in lines]
        self._lock = Lock()

    @classmethod
    def load(cls, path: Path) -> "Script":
        return cls(json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip())

    def __call__(self, asked: Asked) -> Reply | None:
        with self._lock:
            line = next((line for line in self._lines if line.fits(asked)), None)
            if line is None:
                return None
            if line.times is not None:
                line.times -= 1
            return line.reply


TESTS: Mapping[str, Callable[[Asked, Any], bool]] = {
    "contains": lambda asked, wanted: all(words in asked.prompt for words in wanted),
    "lacks": lambda asked, wanted: not any(words in asked.prompt for words in wanted),
    "last": lambda asked, wanted: bool(asked.messages) and wanted in asked.messages[-1],
    "question": lambda asked, wanted: bool(asked.messages) and wanted in asked.messages[-1].rpartition("Question: ")[2],
    "tools": lambda asked, wanted: set(wanted) <= set(asked.tools),
    "schema": lambda asked, wanted: asked.schema == wanted,
    "stream": lambda asked, wanted: asked.stream == wanted,
}
