"""The keys that a schema forgot to declare: `native_lang_id` and `lang` refer to `langs`, `MANAGER_ID` to the employees.

By names alone, and for keys of text by their values; a column that could lead to two tables leads to none. A column
called like the key of just one table is that key, and who something was done by is one of the staff.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ai.nl2sql.vocabulary import is_kind, single_words_of
from ai.nl2sql.words import is_participle, name_parts, singular
from ai.sql.catalog import Catalog, Column, ForeignKey, Table

NUMBERED = frozenset({"id", "code", "cd", "key", "fk", "no", "nr", "number", "ref"})
SUPERIORS = frozenset("manager supervisor boss".split())
STAFF = frozenset("employee staff personnel worker colleague".split())
PARENT = "parent"
BY = "by"  # at the end of who did it: `roasted_by`
OF_THEIR_KIND = frozenset("referred invited introduced recommended recruited".split())  # by others of the same table
MERE_KEYS = frozenset({"id", "code", "key", "no", "number", "name"})  # that do not say of what
REFERRING = frozenset({"ref", "fk"})  # before the name of a key
# What is more often a number of its own than one of a row.
NUMBERS = frozenset(
    "order season year month week day level grade rank position class stage round period quarter".split()
)
FIGURES = frozenset(
    "per max min avg average total sum num count price cost amount size on in at of with to is has was".split()
)

Names = Mapping[tuple[str, ...], Sequence[Table]]


@dataclass(frozen=True, slots=True)
class Referred:
    """The tables that a column may refer to: by their names, by that of their key, and the one of who works here."""

    named: Names
    keyed: Names
    staff: Table | None


def with_forgotten_keys(catalog: Catalog) -> Catalog:
    """Return the catalogue with keys that names tell of."""
    named: dict[tuple[str, ...], list[Table]] = {}
    keyed: dict[tuple[str, ...], list[Table]] = {}
    for table in catalog.tables:
        if len(table.primary_key) == 1:
            named.setdefault(_parts(table.name), []).append(table)
            keyed.setdefault(name_parts(table.primary_key[0]), []).append(table)
    named |= _holders(named)
    staff = [table for parts, tables in named.items() if len(parts) == 1 and parts[0] in STAFF for table in tables]
    referred = Referred(named, keyed, staff[0] if len(staff) == 1 else None)
    return replace(catalog, tables=tuple(_completed(table, referred) for table in catalog.tables))


def _holders(named: Names) -> dict[tuple[str, ...], list[Table]]:
    """Return the only table of those who buy or hold things for all words for them: `member` of the riders."""
    tables = [table for parts, found in named.items() if is_kind(parts[-1], "buyer", "holder") for table in found]
    words = {word for kind in ("buyer", "holder") for word in single_words_of(kind)} if len(tables) == 1 else set()
    return {(word,): tables for word in words if (word,) not in named}


def _completed(table: Table, referred: Referred) -> Table:
    declared = {name.lower() for key in table.foreign_keys for name in key.columns}
    found = []
    for column in table.columns:
        if column.name.lower() in declared or table.primary_key == (column.name,):
            continue
        target = _target(table, column, referred)
        if target and _fits(column, target):
            found.append(ForeignKey((column.name,), target.name, target.primary_key, is_guessed=True))
    return replace(table, foreign_keys=(*table.foreign_keys, *found)) if found else table


def _target(table: Table, column: Column, referred: Referred) -> Table | None:
    """Return the only table that a key is named after, or the people who work here for a superior."""
    *parts, mark = _parts(column.name)
    named, person = referred.named, referred.staff
    if (other := _keyed_alike(table, column, referred.keyed)) is not None:
        return other
    if mark == BY and len(parts) == 1 and is_participle(parts[0]):
        return table if parts[0] in OF_THEIR_KIND and len(table.primary_key) == 1 else person
    if mark not in NUMBERED:
        return _called_alike(table, column, named)
    if not parts:
        return None
    for start in range(len(parts)):
        if tables := named.get(tuple(parts[start:])):
            return tables[0] if len(tables) == 1 and (tables[0] is not table or start) else None
    if tables := named.get((*_parts(table.name), *parts)):
        return tables[0]
    if parts == [PARENT] and len(table.primary_key) == 1:
        return table
    return person if person and (parts[-1] in SUPERIORS or _is_short_for_a_role(parts[-1], person)) else None


def _keyed_alike(table: Table, column: Column, keyed: Names) -> Table | None:
    """Return the only other table whose key is called so: `sku` of products, `driver_emp` of `emp_no` of staff."""
    parts = name_parts(column.name)
    *before, last = parts
    of_what = before or last not in MERE_KEYS
    alike = [other for other in keyed.get(parts, ()) if of_what and other is not table]
    if not alike and before and last not in NUMBERED:
        short = (other for mark in NUMBERED for other in keyed.get((last, mark), ()))
        alike = [other for other in short if other is not table and last not in other.name.lower()]
    return alike[0] if len(alike) == 1 else None


def _called_alike(table: Table, column: Column, named: Names) -> Table | None:
    """Return the only other table that a column without a mark is called by one row of: `bike`, `home_zone`."""
    said = name_parts(column.name)
    parts = said[1:] if said[0] in REFERRING else said
    if not parts or singular(parts[-1]) != parts[-1] or parts[-1] in NUMBERS or FIGURES & {*parts}:
        return None
    tables = next((tables for start in range(len(parts)) if (tables := named.get(tuple(parts[start:])))), ())
    return tables[0] if len(tables) == 1 and tables[0] is not table else None


def _is_short_for_a_role(word: str, person: Table) -> bool:
    """Whether a word has the initials of what some of the staff are: `pm_id`, with project managers."""
    roles = (value.lower().split() for column in person.columns for value in column.values)
    return len(word) > 1 and any(word == "".join(part[0] for part in role) for role in roles)


def _fits(column: Column, target: Table) -> bool:
    """Whether the values of a key can be those of the target's; of words each has to be one."""
    key = target.column(target.primary_key[0])
    if key is None or key.kind != column.kind:
        return False
    return column.kind == "integer" or (bool(column.values) and set(column.values) <= set(key.values))


def _parts(name: str) -> tuple[str, ...]:
    return tuple(_words(name))


def _words(name: str) -> Iterator[str]:
    for part in name_parts(name):
        yield from (singular(word) for word in name_parts(singular(part)))
