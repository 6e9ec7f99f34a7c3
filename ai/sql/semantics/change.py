"""Corrections of definitions: a sentence, a metric or a wording, as a value and as JSON.

Approved changes are laid over the semantics file in order; the file itself stays as it is.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import cache

from pydantic import TypeAdapter, ValidationError

from ai.sql.catalog import Catalog, Column, Table
from ai.sql.semantics.check import misfits_of
from ai.sql.semantics.vocabulary import Metric, Semantics, Wording
from ai.types import Json

NAME = r"[\"`]?(?P<{}>[^\W\d]\w*)[\"`]?"
WORTH = r"(?:'(?P<quoted>[^']*)'|\"(?P<double>[^\"]*)\"|(?P<plain>[\w.+-]+))"
CONDITION = re.compile(
    rf"^(?:{NAME.format('table')}\.)?{NAME.format('column')} *(?:=|==|is|equals) *{WORTH}$", re.IGNORECASE
)
AGGREGATE = re.compile(
    r"^(?P<expression>[A-Z_]+ *\(.*?)(?: (?:of|from|over) (?P<table>[^\W\d]\w*))?(?: where (?P<condition>.+))?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A rule in words, followed by language models only."""

    text: str


Change = Sentence | Metric | Wording


@cache
def _kinds() -> dict[str, TypeAdapter[Sentence] | TypeAdapter[Metric] | TypeAdapter[Wording]]:
    return {"sentence": TypeAdapter(Sentence), "metric": TypeAdapter(Metric), "wording": TypeAdapter(Wording)}


def as_json(change: Change) -> dict[str, Json]:
    kept = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(change).items()}
    return {"kind": type(change).__name__.lower(), **kept}


def change_from(kept: Json) -> Change | None:
    """Read what `as_json` wrote; return None for anything else."""
    if not isinstance(kept, dict) or (kind := _kinds().get(str(kept.get("kind")))) is None:
        return None
    try:
        return kind.validate_python({name: value for name, value in kept.items() if name != "kind"})
    except ValidationError:  # of another version, with other fields
        return None


def overlaid(semantics: Semantics, changes: Iterable[Change], version: int) -> Semantics:
    """Lay changes over definitions; `version` counts the changes since the file was written."""
    for change in changes:
        semantics = _with(semantics, change)
    return replace(semantics, version=semantics.version + version)


def in_words(change: Change) -> str:
    """Describe a change on one line."""
    match change:
        case Sentence(text):
            return text
        case Wording(word, table, column, value):
            return f"{word} means {table}.{column} = '{value}'"
        case Metric():
            where = f" where {change.condition}" if change.condition else ""
            return f"{change.name} means {change.expression} of {change.table}{where}"


def defined(term: str, means: str, catalog: Catalog) -> Metric | Wording | None:
    """Read "by `term` we mean `means`" as a value of a column or an aggregate; return None when it is neither."""
    means = means.strip().rstrip(".;")
    if found := CONDITION.match(means):
        return next(_wordings(term, found, catalog), None)
    if found := AGGREGATE.match(means):
        return _metric(term, found, catalog)
    return None


def fits(change: Change, catalog: Catalog) -> bool:
    """Whether the catalogue has all that a change names."""
    return not misfits_of(_with(Semantics(), change), catalog)


def _with(semantics: Semantics, change: Change) -> Semantics:
    match change:
        case Sentence(text):
            return replace(semantics, rules=(*semantics.rules, text))
        case Metric(name):
            others = (metric for metric in semantics.metrics if metric.name.casefold() != name.casefold())
            return replace(semantics, metrics=(*others, change))
        case Wording(word):
            kept = (wording for wording in semantics.wordings if wording.word.casefold() != word.casefold())
            return replace(semantics, wordings=(*kept, change))


def _wordings(term: str, found: re.Match[str], catalog: Catalog) -> Iterator[Wording]:
    """Yield wordings for a condition of the named table, or the only one it fits."""
    value = next(part for part in (found["quoted"], found["double"], found["plain"]) if part is not None)
    holding = [pair for table in catalog.tables if (pair := _column(table, found["table"], found["column"]))]
    named = [pair for pair in holding if _without(term, pair[0]) != term]
    for table, column in named or (holding if len(holding) == 1 else []):
        wording = Wording(_without(term, table), table.name, column.name, value)
        if fits(wording, catalog):
            yield wording


def _column(table: Table, wanted: str | None, name: str) -> tuple[Table, Column] | None:
    column = table.column(name) if wanted is None or wanted.lower() == table.name.lower() else None
    return (table, column) if column else None


def _without(term: str, table: Table) -> str:
    """Drop the table from a term: "active users" of users is "active"."""
    words, last = term.split(), table.name.lower().rstrip("s").rpartition("_")[2]
    return " ".join(words[:-1]) if len(words) > 1 and words[-1].lower().rstrip("s") == last else term


def _metric(term: str, found: re.Match[str], catalog: Catalog) -> Metric | None:
    """Return the metric over the named table, else over the only table with its columns."""
    given = [catalog.table(found["table"])] if found["table"] else list(catalog.tables)
    metrics = (Metric(term, table.name, found["expression"], found["condition"] or "") for table in given if table)
    fitting = [metric for metric in metrics if fits(metric, catalog)]
    return fitting[0] if len(fitting) == 1 else None
