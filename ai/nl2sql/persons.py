"""Who does things, and who has them, as the tables tell."""

from collections.abc import Sequence
from functools import lru_cache

from ai.nl2sql.lexicon import PARTIAL, Lexicon
from ai.nl2sql.schema import display, noun
from ai.nl2sql.spans import dates
from ai.nl2sql.vocabulary import is_kind, single_words_of
from ai.nl2sql.words import name_parts, singular
from ai.sql.catalog import Table

JOINED = frozenset("joined signup signed registered registration created".split())
FAR = 3  # keys between a thing and whose it is


def doers(whole: str, lexicon: Lexicon) -> str:
    """Return the only text of these rows for their doer: “assigned to” of tickets; "" if there is none."""
    named = _named((whole,), lexicon)
    if len(named) != 1:
        return ""
    table = lexicon.table(named.pop())
    keyed = {name for key in table.foreign_keys for name in key.columns}
    texts = [column for column in table.columns if column.kind == "text" and column.name not in keyed]
    found = [column for column in texts if set(single_words_of("doers")) & {*name_parts(column.name)}]
    return " ".join(name_parts(found[0].name)) if len(found) == 1 else ""


def holders(said: Sequence[str], lexicon: Lexicon) -> str:
    """Return whose the things named are: the customers of “overdue invoices”; "" where nobody or several may be."""
    tables = _named([singular(word) for word in said], lexicon)
    whose = holding(tables.pop(), lexicon) if len(tables) == 1 else ""
    return noun(lexicon, whose) if whose else ""


def holding(table: str, lexicon: Lexicon) -> str:
    """Return the table of those whose the rows of another are, as `holders` names them."""
    people = [name for name in lexicon.tables if _is_holder(name)]
    if table in people:
        return ""
    ways = {name: lexicon.links.path(table, name) for name in people if display(lexicon, name)}
    near = [name for name, way in ways.items() if way and len(way) <= FAR and not any(link.many for link in way)]
    return near[0] if len(near) == 1 else ""


@lru_cache(maxsize=16)
def earners(lexicon: Lexicon) -> str:
    """Return what earns: the only things with names that rows of revenue are of; "" where several are, or staff is paid."""
    if any(lexicon.senses((pay,)) for pay in ("salary", "wage")):
        return ""
    rows = {sense.table for sense in lexicon.senses(("revenue",)) if sense.cost < PARTIAL and sense.column}
    ends = {link.target for table in rows for link in lexicon.links.steps.get(table, ()) if not link.many}
    named = [end for end in ends if display(lexicon, end)]
    return named[0] if len(named) == 1 else ""


@lru_cache(maxsize=16)
def joiners(lexicon: Lexicon) -> str:
    """Return who signs up: the only buyers with a day of joining; "" where the data has sign-ups of its own."""
    if any(lexicon.senses((name,)) for name in ("signups", "registrations")):
        return ""
    holding = (name for name in lexicon.tables if _is_holder(name))
    people = [name for name in holding if _has_day_of_joining(lexicon.table(name))]
    return noun(lexicon, people[0]) if len(people) == 1 else ""


def _is_holder(name: str) -> bool:
    """Whether a table is of those who buy or hold things: its last word says so."""
    end = name_parts(name)[-1]
    return is_kind(end, "buyer", "holder")


def _has_day_of_joining(table: Table) -> bool:
    return any(JOINED & {*name_parts(column.name)} for column in dates(table))


def _named(words: Sequence[str], lexicon: Lexicon) -> set[str]:
    senses = (sense for word in words for sense in lexicon.senses((word,)))
    return {sense.table for sense in senses if sense.column is None and sense.cost < PARTIAL}
