"""Every limit of Slack as a row of data: limits.jsonl, strict where sources disagree.

A row has a name, a value, its unit, a source and a status: "documented", "seen live" (reported from the real Slack) or
"guess". A rules file overrides values: {"limits": {"table.rows": 50, "chart.series": {"value": 12, "source": "…"}}}.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

Status = Literal["documented", "seen live", "guess"]
Value = int | float | tuple[str, ...] | None


class RulesError(ValueError):
    """No usable rules file; the message says how to mend it."""


@dataclass(frozen=True, slots=True)
class Limit:
    """One row. `value` None means unlimited; a tuple lists allowed words."""

    name: str
    value: Value
    unit: str
    status: Status
    source: str


@dataclass(slots=True)
class Limits:
    """All rows by name; tests may exchange them on the run."""

    rows: Mapping[str, Limit]

    def __getitem__(self, name: str) -> float:
        """Return a number; infinity where the row sets no limit."""
        value = self.rows[name].value
        assert not isinstance(value, tuple)
        return float("inf") if value is None else value

    def words(self, name: str) -> frozenset[str]:
        value = self.rows[name].value
        assert isinstance(value, tuple)
        return frozenset(value)

    def count(self, name: str) -> int:
        """Return a whole number. Raises OverflowError for a row without a limit."""
        return int(self[name])

    def overridden(self, path: Path) -> "Limits":
        """Return these limits with the values of a rules file. Raises RulesError."""
        given = _read(path).get("limits")
        if not isinstance(given, dict):
            raise RulesError(f'The rules file {path} needs an object "limits" of names and values.')
        return self.changed(given, f"The rules file {path}", path.name)

    def changed(self, given: Mapping[str, Any], where: str, source: str) -> "Limits":
        """Return these limits with other values, given plain or as objects of value, status and source.

        Raises RulesError, worded with `where` they stand.
        """
        return Limits({**self.rows, **{name: self._row(name, entry, where, source) for name, entry in given.items()}})

    def _row(self, name: str, entry: Any, where: str, source: str) -> Limit:
        facts = entry if isinstance(entry, dict) else {"value": entry}
        old = self.rows.get(name)
        if old is None:
            raise RulesError(f"{where} names {name}, which is no limit of Slack known here.")
        value, status = facts.get("value"), facts.get("status", "seen live")
        is_list = isinstance(value, list) and all(isinstance(word, str) for word in value)
        is_number = isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
        if isinstance(old.value, tuple) != is_list or not (is_list or is_number or value is None):
            wanted = "a list of words" if isinstance(old.value, tuple) else "a number from 0 on, or null for none"
            raise RulesError(f"{where} must give {name} as {wanted}.")
        if status not in get_args(Status):
            raise RulesError(f"{where} must give {name} the status {', '.join(get_args(Status))}.")
        found = tuple(value) if isinstance(value, list) else value
        return replace(old, value=found, status=status, source=str(facts.get("source", source)))


@cache
def strict() -> Limits:
    """Return the limits every source accepts."""
    lines = Path(__file__).with_name("limits.jsonl").read_text("utf-8").splitlines()
    return Limits({row.name: row for row in map(_row, lines)})


def _row(line: str) -> Limit:
    facts = json.loads(line)
    value = facts.pop("value")
    return Limit(value=tuple(value) if isinstance(value, list) else value, **facts)


def _read(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise RulesError(f"The rules file {path} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise RulesError(f"The rules file {path} is no valid JSON: {error}.") from None
    return content if isinstance(content, dict) else {}
