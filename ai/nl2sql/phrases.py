"""What the tables and columns of a schema answer to: phrases, each with how far it is from the whole name."""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations

from ai.language.shortened import figure_parts
from ai.nl2sql.identifiers import cut
from ai.nl2sql.vocabulary import JOINING, MEASURED_IN, SUBUNITS, UNITS_SAID, is_kind, words_of
from ai.nl2sql.words import name_parts, singular, stem, stems, without_kind
from ai.sql.catalog import Column, Table

CANCELLED, ERASED = frozenset({"cancelled", "canceled"}), frozenset({"deleted", "removed"})
LEFT = ("left", "lost", "churned", "quit")  # said of customers

_KEY_PARTS = frozenset({"id", "ids", "code", "key", "fk", "pk", "sk", "no", "nr"})
WEAK_PARTS = frozenset("of in is has ref am tbl dim fact fct stg at on usd eur gbp the by".split())
JOINED = frozenset(("signup", "sign up", "signed up", "registration", "registered"))
BOUNDS = frozenset("start begin end finish due launch open close expiry".split())  # of `start_date`, `end_date`
NAMES_OF_DAYS = frozenset({"date", "day", "time"})
PAIRED = 0.3  # two words of a longer name
_CODED = frozenset({"code", "type", "kind"})  # “species code” is said for the species
_UNSAID = _CODED | {"name"}
MOST_KINDS, KINDS_OF = 30, 0.1  # “fuel type” of a column of few kinds of fuel
ENDED = 0.35  # another word for the end of a row
SYNONYM = 0.5  # a synonym for a part of a name
OTHERWISE = 0.2  # the whole name, with a synonym for a part of it


IN_ROLE = 0.6  # what its rows are to those that refer to them: “buyers” of the users
PREFIXED = 0.02  # a name without the prefix for the kind of table
TAKEN_IN = frozenset("revenue turnover money earnings income earn".split())  # said of what was sold, seldom of its rows
SOLD = frozenset({"sale", "sales", "revenue", "turnover"})
NAMED = 2  # parts of “host name”, where “co host name” is another one


def table_names(table: Table, referring: Iterable[str]) -> Iterator[tuple[tuple[str, ...], float]]:
    """What a table answers to, surest first: its name, what keys call it, the tail and the parts of its name."""
    parts = name_parts(table.name)
    yield from ((way, 0.0) for way in _spelled(table.name))
    for key in referring:
        called = without_key(name_parts(key))
        if called:
            yield called, 0.1 if set(called) <= set(parts) else IN_ROLE
            others = synonyms(called) if set(called) < set(parts) else ()
            nouns = (other for other in others if not called[0].startswith(other))  # who “paid” means no payments
            yield from (((other,), OTHERWISE) for other in nouns)
    strong = tuple(part for part in parts if part not in WEAK_PARTS)
    if (plain := without_kind(parts, len(table.foreign_keys))) != parts:
        yield plain, PREFIXED
    yield from (((synonym,), SYNONYM) for synonym in synonyms(strong[-1:]))
    yield from ((way, OTHERWISE) for way in _said_otherwise(strong) if not TAKEN_IN & set(way))
    yield from (((part.removesuffix("er"),), 0.9) for part in strong if part.endswith("er") and len(part) > 5)
    for start in range(len(strong)):
        yield strong[start:], 0.2 + 0.1 * start
    for part in strong[:-1]:
        if len(part) > 2 and part not in SOLD:  # the sales of `sales_reps` are none of these rows
            yield (part,), 0.9


def _is_said_without_end(parts: tuple[str, ...], table: Table) -> bool:
    """Whether the last word of a column goes unsaid: donors are `donor_name`, and no `donor_type` beside it."""
    if len(parts) < 2 or parts[-1] not in _UNSAID:
        return False
    named = any(name_parts(column.name) == (*parts[:-1], "name") for column in table.columns)
    return named == (parts[-1] == "name")


def column_names(table: Table, column: Column) -> Iterator[tuple[tuple[str, ...], float]]:
    """What a column answers to: its name, the name without the table's own words, without unit words, its parts."""
    parts = name_parts(column.name)
    yield from ((way, 0.0) for way in _spelled(column.name))
    parts = figure_parts(parts, column.kind)
    own = {*stems(name_parts(table.name)), table.name[0].lower()}
    strong = tuple(part for part in parts if part not in WEAK_PARTS)
    strong = strong[:-1] if len(strong) > 1 and strong[-1] in MEASURED_IN else strong
    yield from ((way, 0.1) for way in _measured(strong))
    yield from ((parts[start:], 0.05) for start in _after_own(parts, own))
    if strong and strong != parts:
        yield strong, 0.1
    if len(strong) == 2 and not set(strong) & _KEY_PARTS:
        yield strong[::-1], 0.15
    if _is_said_without_end(parts, table) and not set(stems(parts[:-1])) <= own:
        yield parts[:-1], 0.1
    if 1 < len(column.values) <= MOST_KINDS:
        yield from _of_kinds(parts)
    if column.kind in ("date", "datetime"):
        yield from _dated(strong, parts, table)
    if "of" in parts:
        yield parts[parts.index("of") + 1 :] + parts[: parts.index("of")], 0.1
    yield from ((pair, PAIRED) for pair in _pairs(strong))
    if len(parts) > 1:
        for part in strong:
            if part not in _KEY_PARTS and len(part) > 2:
                yield (part,), _cost_of(part, strong)
    otherwise = [way for start in _after_own(parts, own) for way in _said_otherwise(parts[start:])]
    otherwise += [*_said_otherwise(strong), *_others(parts)]
    unsaid = TAKEN_IN if parts[-1] in _KEY_PARTS else frozenset()
    yield from (((synonym,), SYNONYM) for synonym in synonyms(strong) if synonym not in unsaid)
    yield from ((way, OTHERWISE) for way in otherwise if not unsaid & set(way))


def _of_kinds(parts: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], float]]:
    """What a column of few values answers to: “claim type” for `claim`, “status” for `st`."""
    if parts[-1] == "st":
        yield from (((*parts[:-1], state), 0.1) for state in ("status", "state"))
    if parts[-1] not in _CODED:
        yield from (((*parts, kind), KINDS_OF) for kind in ("type", "kind"))


def _cost_of(part: str, strong: tuple[str, ...]) -> float:
    """What a part alone costs: less at the end, or right before a mere “name”."""
    if part == strong[-1] == "name":
        return 0.1
    return 0.4 if part == strong[-1] or (strong[-1] == "name" and part == strong[0] and len(strong) == NAMED) else 0.5


def _measured(parts: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Return “battery” for `battery_kwh`, “units” and “pieces” for a quantity."""
    if len(parts) > 1 and parts[-1] in UNITS_SAID:
        yield parts[:-1]
    if parts[-1:] == ("quantity",):
        yield from (("units",), ("pieces",))


def _dated(strong: tuple[str, ...], parts: tuple[str, ...], table: Table) -> Iterator[tuple[tuple[str, ...], float]]:
    if strong and not {*parts} & NAMES_OF_DAYS:
        yield (*strong, "date"), 0.05
    verb = tuple(part for part in strong if part not in NAMES_OF_DAYS)
    if len(verb) == 1 and verb[0] in BOUNDS:
        yield verb, 0.1
    if " ".join(verb) in JOINED:
        yield from ((tuple(said.split()), 0.1) for said in sorted(JOINING))
    if len(verb) == 1 and stem(verb[0]) == stem("start"):
        yield ("launch",), ENDED
    yield from (((other,), ENDED) for other in _other_ends(verb, table))


def _other_ends(parts: tuple[str, ...], table: Table) -> Iterator[str]:
    """Yield other words for the day a row ended; a customer leaves by cancelling, not by being deleted."""
    days = {part for column in table.columns if column.kind in ("date", "datetime") for part in name_parts(column.name)}
    cancelled = bool(days & CANCELLED) and is_kind(table.name, "buyer", "contracted")
    if cancelled and {*parts} & (CANCELLED | ERASED):
        yield from LEFT if {*parts} & CANCELLED else ()
        return
    for line in words_of("ended"):
        if len(parts) == 1 and parts[0] in (words := line.split()):
            yield from (word for word in words if word != parts[0])


def _after_own(parts: tuple[str, ...], own: set[str]) -> Iterator[int]:
    """Where the words end that a column's name only repeats from its table's."""
    for start in range(1, len(parts)):
        if set(stems(parts[:start])) <= own and not set(parts[start:]) <= WEAK_PARTS:
            yield start


def _pairs(parts: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    if len(parts) > 2:
        yield from combinations(parts, 2)


def read_in_unit(column: Column) -> Iterator[tuple[tuple[str, ...], float]]:
    """What a column counted in cents answers to, once it is shown in dollars: “net”, “net amount”."""
    parts = name_parts(column.name)
    if len(parts) > 1 and parts[-1] in SUBUNITS:
        yield parts[:-1], 0.05
        yield (*parts[:-1], "amount"), 0.1
        if parts[:-1] == ("total",):
            yield ("amount",), 0.1


def synonyms(parts: tuple[str, ...]) -> Iterator[str]:
    """Words that may stand for one word of a name."""
    kept = stems(parts)
    for part in parts:
        yield from (" ".join(way) for way in _others((part,)) if len(way) == 1 and stem(way[0]) not in kept)


def _said_otherwise(parts: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """A name with a synonym in place of some of its words: “given name”, “number of seats”."""
    for start in range(len(parts)):
        for end in range(start + 1, len(parts) + 1):
            yield from ((*parts[:start], *way, *parts[end:]) for way in _others(parts[start:end]))


def _others(parts: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return the other phrases for a name; “paid” and “payment” are of the same stem, and no other words for pay."""
    return _families().get(stems(parts), ()) if tuple(map(singular, parts)) in _as_written() else ()


@cache
def _as_written() -> frozenset[tuple[str, ...]]:
    phrases = (phrase.split("_") for family in words_of("synonyms") for phrase in family.split())
    return frozenset(tuple(map(singular, phrase)) for phrase in phrases)


@cache
def _families() -> dict[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """The other phrases of each phrase's families, by its stems."""
    found: dict[tuple[str, ...], tuple[tuple[str, ...], ...]] = {}
    for family in words_of("synonyms"):
        phrases = [tuple(phrase.split("_")) for phrase in family.split()]
        for phrase in phrases:
            others = tuple(other for other in phrases if other != phrase)
            found[stems(phrase)] = (*found.get(stems(phrase), ()), *others)
    return found


def _spelled(name: str) -> Iterator[tuple[str, ...]]:
    """The words of a name, in one word too, and as they are written where they are short forms."""
    parts, written = name_parts(name), cut(name)
    yield parts
    for way in {parts, written}:
        if len(way) > 1 or way != parts:
            yield ("".join(way),)
    if written != parts:
        yield written


def without_key(parts: tuple[str, ...]) -> tuple[str, ...]:
    return parts[:-1] if parts and parts[-1] in _KEY_PARTS else parts
