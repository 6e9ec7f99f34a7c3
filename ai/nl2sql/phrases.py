"""What the tables and columns of a schema answer to: phrases, each with how far it is from the whole name."""

from collections.abc import Iterable, Iterator

from ai.nl2sql.identifiers import cut
from ai.nl2sql.vocabulary import SUBUNITS, SYNONYMS
from ai.nl2sql.words import name_parts, stem, stems
from ai.sql.catalog import Column, Table

_KEY_PARTS = frozenset({"id", "ids", "code", "key", "fk", "pk", "no", "nr"})
WEAK_PARTS = frozenset(
    {"of", "in", "is", "has", "ref", "tbl", "dim", "fact", "at", "on", "usd", "eur", "gbp", "the", "by"}
)


def table_names(table: Table, referring: Iterable[str]) -> Iterator[tuple[tuple[str, ...], float]]:
    """What a table answers to, surest first: its name, what keys call it, the tail and the parts of its name."""
    parts = name_parts(table.name)
    yield from ((way, 0.0) for way in _spelled(table.name))
    for key in referring:
        called = _without_key(name_parts(key))
        if called:
            yield called, 0.1 if set(called) <= set(parts) else 0.6
    strong = tuple(part for part in parts if part not in WEAK_PARTS)
    yield from (((synonym,), 0.5) for synonym in synonyms(strong[-1:]))
    yield from (((part.removesuffix("er"),), 0.9) for part in strong if part.endswith("er") and len(part) > 5)
    for start in range(len(strong)):
        yield strong[start:], 0.2 + 0.1 * start
    for part in strong[:-1]:
        if len(part) > 2:
            yield (part,), 0.9


def column_names(table: Table, column: Column) -> Iterator[tuple[tuple[str, ...], float]]:
    """What a column answers to: its name, the name without the table's own words, without unit words, its parts."""
    parts = name_parts(column.name)
    yield from ((way, 0.0) for way in _spelled(column.name))
    own = set(stems(name_parts(table.name)))
    strong = tuple(part for part in parts if part not in WEAK_PARTS)
    for start in range(1, len(parts)):
        if set(stems(parts[:start])) <= own and not set(parts[start:]) <= WEAK_PARTS:
            yield parts[start:], 0.1
    if strong and strong != parts:
        yield strong, 0.1
    if "of" in parts:
        yield parts[parts.index("of") + 1 :] + parts[: parts.index("of")], 0.1
    if len(parts) > 1:
        for part in strong:
            if part not in _KEY_PARTS and len(part) > 2:
                yield (part,), 0.4 if part == strong[-1] else 0.5
    yield from (((synonym,), 0.5) for synonym in synonyms(strong))


def read_in_unit(column: Column) -> Iterator[tuple[tuple[str, ...], float]]:
    """What a column counted in cents answers to, once it is shown in dollars: “net”, “net amount”."""
    parts = name_parts(column.name)
    if len(parts) > 1 and parts[-1] in SUBUNITS:
        yield parts[:-1], 0.05
        yield (*parts[:-1], "amount"), 0.1


def synonyms(parts: tuple[str, ...]) -> Iterator[str]:
    for family in SYNONYMS:
        words = family.split()
        if any(stem(word) in stems(parts) for word in words):
            yield from (word for word in words if stem(word) not in stems(parts))


def _spelled(name: str) -> Iterator[tuple[str, ...]]:
    """The words of a name, in one word too, and as they are written where they are short forms."""
    parts, written = name_parts(name), cut(name)
    yield parts
    for way in {parts, written}:
        if len(way) > 1 or way != parts:
            yield ("".join(way),)
    if written != parts:
        yield written


def _without_key(parts: tuple[str, ...]) -> tuple[str, ...]:
    return parts[:-1] if parts and parts[-1] in _KEY_PARTS else parts
