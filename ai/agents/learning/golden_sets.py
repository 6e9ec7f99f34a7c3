"""Golden questions from a file or the memory; outcomes as JSON or text."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path

from ai.agents.learning.golden import Golden, Outcome
from ai.agents.learning.trials import changes
from ai.errors import ConfigError
from ai.files.json_lines import numbered
from ai.memory_store import MemoryStore
from ai.results.table import Row
from ai.types import Json

ACCEPTED = 1_000  # newest accepted answers
SHOWN = 5  # rows and cells printed of a difference
MARKS = {"same": "ok", "changed": "CHANGED", "unanswered": "NO ANSWER", "stale": "STALE"}


def accepted(memory: MemoryStore, source: str) -> Iterator[Golden]:
    """Oldest first."""
    for answer in reversed(memory.verified.of_source(source, ACCEPTED)):
        yield Golden(f"accepted-{answer.id}", answer.question, answer.sql, answer.day)


def read(path: Path, today: date) -> Iterator[Golden]:
    """Read lines `{"id", "question", "sql"}`, perhaps with a `day`. Raises ConfigError."""
    for number, line in numbered(path):
        try:
            item = json.loads(line)
            day = date.fromisoformat(item["day"]) if "day" in item else today
            yield Golden(str(item.get("id", number)), str(item["question"]), str(item["sql"]), day)
        except (ValueError, KeyError, TypeError):
            raise ConfigError(f"{path}, line {number}: give a JSON object with id, question and sql.") from None


def record(outcome: Outcome) -> dict[str, Json]:
    found = outcome.difference
    return {
        "id": outcome.golden.id,
        "question": outcome.golden.question,
        "state": outcome.state,
        "golden_sql": outcome.golden.sql,
        "sql": outcome.sql,
        "problem": outcome.problem,
        "judged": outcome.judged,
        "cut": any(rows.is_cut for rows in (outcome.before, outcome.after) if rows),
        "same": found.same if found else 0,
        "missing": [_cells(row) for row in found.missing] if found else [],
        "extra": [_cells(row) for row in found.extra] if found else [],
        "changed": [
            {"column": cell.column, "before": _cell(cell.before), "after": _cell(cell.after)}
            for cell in (found.changed if found else ())
        ],
    }


def lines(outcome: Outcome) -> Iterator[str]:
    """One line for a terminal, then the first differing rows."""
    change = f": {changes(outcome)}" if outcome.state != "same" else ""
    yield f"{MARKS[outcome.state]:10}{outcome.golden.id}  {outcome.golden.question}{change}"
    if (found := outcome.difference) is None:
        return
    yield from _first("missing", map(str, map(_cells, found.missing)))
    yield from _first("extra", map(str, map(_cells, found.extra)))
    yield from _first("changed", (f"{cell.column}: {cell.before} -> {cell.after}" for cell in found.changed))


def judgement(outcomes: Iterable[Outcome]) -> str:
    """Say who was right where reader and model differed, "" where they never did."""
    told = Counter(outcome.judged for outcome in outcomes if outcome.judged)
    if not told:
        return ""
    shares = ", ".join(f"{who} {told[who]}" for who in ("reader", "model", "both", "neither") if told[who])
    return f"Reader and language model differed on {told.total()}; right was: {shares}."


def _first(kind: str, differences: Iterable[str]) -> Iterator[str]:
    every: Sequence[str] = list(differences)
    yield from (f"{'':10}  {kind} {line}" for line in every[:SHOWN])
    if len(every) > SHOWN:
        yield f"{'':10}  … and {len(every) - SHOWN:,} more {kind}"


def _cells(row: Row) -> list[Json]:
    return [_cell(value) for value in row]


def _cell(value: object) -> Json:
    return value if isinstance(value, bool | int | float | str | None) else str(value)
