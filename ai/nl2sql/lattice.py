"""The lattice: for each run of words, everything that it may stand for, with what each sense costs.

Nothing is decided here. Words of grammar, names of tables and columns, values, numbers and dates lie side by side.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache

from ai.language.date_phrases import date_phrases
from ai.nl2sql.definitions import is_term
from ai.nl2sql.grammar import STATES, Sign, kinds_of, openings, signs
from ai.nl2sql.guesses import COMPUTED, guessed_from, with_heads
from ai.nl2sql.items import EXACT, PARTLY, moved
from ai.nl2sql.items import Item as Item
from ai.nl2sql.lasting import with_durations
from ai.nl2sql.lexicon import Lexicon, Sense
from ai.nl2sql.precedence import (
    cost_of_value,
    is_no_value,
    keys_first,
    named_elsewhere,
    spread_from,
    tables_first,
    whole_columns_first,
    whole_names_first,
    without_grammar,
)
from ai.nl2sql.wording import (
    cost_of_rows,
    doers,
    done_to,
    flag_value,
    is_flag,
    is_reference,
    kind_of,
    made_so,
    meant_as_value,
    named_by_value,
    named_too,
    only_describes,
    said_as_verb,
)
from ai.nl2sql.words import Word, keys, name_parts, scaled, singular

WISHING = frozenset("you please pls just me us to now and so then lets let".split())  # before what is to be done
KEY_WORDS = frozenset("id ids code codes number key".split())
RANKING = frozenset({"adjective", "most", "top"})
MANY_TABLES, MANY_SENSES = 60, 40
MOST_SENSES = 6  # of one phrase; those of tables that the question names go first
MISSPELT = 0.8
LONGEST_LITERAL = 4
COUNTED = frozenset({"of", "the", "different", "distinct"})  # behind a word that counts
FLAGGED, MADE_SO = 0.15, 0.3
OF_A_DAY = 0.6  # a number that a day begins with: “from 1 october”
LEAST_MOST = frozenset({"least", "most"})  # of “at least 3”, no rank
SHADOWED = (0.5, 1.5)  # a value called like a name of the schema, and of the definitions


@dataclass(frozen=True)
class Lattice:
    """All items by their start, the words, the places known, and the tables named."""

    words: tuple[Word, ...]
    items: dict[int, list[Item]] = field(default_factory=dict)
    known: frozenset[int] = frozenset()
    named: frozenset[str] = frozenset()

    def at(self, start: int, kind: str) -> list[Item]:
        return [item for item in self.items.get(start, ()) if item.kind == kind]

    def text(self, start: int, end: int) -> str:
        return " ".join(word.text for word in self.words[start:end])


@lru_cache(maxsize=32)  # of a question to route, then to read
def lattice(words: tuple[Word, ...], lexicon: Lexicon, today: date) -> Lattice:
    """Look up every run of words."""
    found: defaultdict[int, list[Item]] = defaultdict(list)
    near = _near_tables(words, lexicon)
    for start in range(len(words)):
        found[start] += _senses_from(words, start, lexicon, near)
        found[start] += [
            Item("term" if sense.value else "column", start, end, cost, sense=sense)
            for sense, end, cost in spread_from(words, start, lexicon)
        ]
        acts = (*doers(words, start, lexicon), *done_to(words, start, lexicon))
        told = ((0.1, acts), (MADE_SO, made_so(words, start, lexicon)))
        found[start] += [Item("value", start, start + 1, cost, sense=s) for cost, senses in told for s in senses]
        found[start] += _signs_from(words, start, lexicon)
        found[start] += [
            Item("date", start, start + phrase.length, span=phrase.span)
            for phrase in date_phrases(words[start:], today, lexicon.semantics.fiscal_month)
            if not (_compared_number(words, start, phrase.length) or _is_place(words, start, phrase.length))
        ]
        dated = any(item.kind == "date" and item.end > start + 1 for item in found[start])
        found[start] += [moved(item, OF_A_DAY * dated) for item in _number(words, start)]
        found[start] = without_grammar(found[start], words, start, lexicon)
        if not any(item.kind in ("date", "number") for item in found[start]):
            found[start] += guessed_from(words, start, lexicon)
    for start in range(len(words)):
        if not any(item.end > start for item in found[start]):
            found[start] += _misspelt(words[start], start, lexicon)
    for start in range(len(words)):
        found[start] += with_heads(found[start], words, lexicon)
    with_durations(found, words, lexicon)
    whole_names_first(found, words, lexicon)
    whole_columns_first(found, words, lexicon)
    keys_first(found, words, lexicon)
    tables_first(found, words)
    named = {item.sense.table for items in found.values() for item in items if item.sense and _surely_named(item)}
    named_elsewhere(found, named)
    trimmed = {start: _trimmed(items, named, lexicon) for start, items in found.items()}
    known = frozenset(at for items in trimmed.values() for item in items for at in range(item.start, item.end))
    for start in range(len(words)):
        trimmed[start] += _literals(words, start, known)
    return Lattice(words, trimmed, known, frozenset(named))


def _compared_number(words: Sequence[Word], start: int, length: int) -> bool:
    """Whether a single number with a point follows a comparison: “over 4.2” is no day."""
    at = start + length - 1
    if not isinstance(words[at].number, float) or length > 2 or (length == 1 and not start):
        return False
    before = words[at - 1].key
    return before == "than" or "compare" in kinds_of(before)


def _is_place(words: Sequence[Word], start: int, length: int) -> bool:
    """Whether an ordinal is a place, and no day: “3rd highest”."""
    after = words[start + 1].key if start + 1 < len(words) else ""
    return length == 1 and bool(kinds_of(words[start].key) & {"ordinal"}) and bool(kinds_of(after) & RANKING)


def _surely_named(item: Item) -> bool:
    return item.sense is not None and item.kind in ("table", "value") and item.cost < 0.5


def _near_tables(words: Sequence[Word], lexicon: Lexicon) -> frozenset[str]:
    """Return the named tables of a wide schema, and those at most two steps away."""
    if len(lexicon.tables) <= MANY_TABLES:
        return frozenset()
    ends = ((start, end) for start in range(len(words)) for end in range(start + 1, min(len(words), start + 4) + 1))
    keyed = (tuple(word.key for word in words[start:end]) for start, end in ends)
    named = {s.table for key in keyed if key[0] for s in lexicon.senses(key) if s.column is None and s.cost < PARTLY}
    if not named or len(named) > MANY_TABLES:
        return frozenset()
    for _ in range(2):
        named |= {link.target for table in tuple(named) for link in lexicon.links.steps.get(table, ())}
    return frozenset(named)


def _likely(senses: Sequence[Sense], near: frozenset[str]) -> Sequence[Sense]:
    """Keep of many senses those of near tables, else the cheapest."""
    if len(senses) <= MANY_SENSES:
        return senses
    return [sense for sense in senses if sense.table in near] or senses[:MANY_SENSES]


def _senses_from(words: Sequence[Word], start: int, lexicon: Lexicon, near: frozenset[str]) -> Iterator[Item]:
    for end in range(min(len(words), start + lexicon.longest), start, -1):
        said = words[start:end]
        if len(said) > 1 and any(word.quoted for word in said):
            continue
        key = tuple(word.key for word in said)
        if said[0].quoted:
            key = keys(said[0].text)
        kinds = kinds_of(*key) - STATES
        closed = len(said) == 1 and bool(kinds) and not lexicon.defines(key)
        altogether = key == ("total",) and start > 0 and words[start - 1].key == "in"
        for sense in _likely(lexicon.senses(key), near) if key and not altogether else ():
            if closed and _only_grammar(kinds, key, words, start, sense):
                continue
            kind = kind_of(sense)
            if kind == "value" and is_no_value(words, start, key, sense, lexicon, closed=closed):
                continue
            if kind != "value" and (said[0].quoted or named_by_value(key, sense, lexicon)):
                continue
            shadow = SHADOWED[lexicon.defines(key)] * (
                kind == "value" and not said[0].quoted and named_too(words, start, key, sense, lexicon)
            )
            keyed = (
                kind == "column" and not (KEY_WORDS & {*key} or lexicon.defines(key)) and is_reference(sense, lexicon)
            )
            flagged = kind == "column" and sense.value is None and is_flag(sense, lexicon)
            verb = said_as_verb(kind, words, start, end, sense)
            only = len(said) == 1 and kind == "column" and only_describes(words[start], sense)
            rows = cost_of_rows(words[start], sense, lexicon) if len(said) == 1 and kind == "column" else 0.0
            other = cost_of_value(words, start, key, sense, lexicon) if kind == "value" else 0.0
            cost = sense.cost + 0.4 * flagged + 1.2 * keyed + shadow + 1.0 * verb + 0.6 * only + rows + other
            yield Item(kind, start, end, cost, sense=sense)
            yield from _flagged(said, start, sense, lexicon) if flagged else ()
            if sense.column and is_term(sense.field) and lexicon.defines(key):
                yield Item("term", start, end, sense.cost, sense=sense)


def _only_grammar(
    kinds: Collection[str], key: tuple[str, ...], words: Sequence[Word], start: int, sense: Sense
) -> bool:
    """Whether a word of grammar is no name here: who says “show revenue” means no event."""
    if (
        kinds == {"list"}
        and sense.value is None
        and sense.column is None
        and (start == 0 or words[start - 1].key in WISHING)
    ):
        return True
    after = words[start + 1 : start + 2]
    mere = kinds == {"filler"} and sense.column is None and sense.cost <= PARTLY
    named = key == ("number",) and not (after and after[0].key in COUNTED)
    counting = "count" in kinds and not named
    return not mere and sense.cost >= (0.01 if counting else 0.2) and sense.value is None


def _flagged(said: Sequence[Word], start: int, sense: Sense, lexicon: Lexicon) -> Iterator[Item]:
    """Yield the rows that a yes/no column picks: “freelancers” of `is_freelance`."""
    if len(said) == 1 and singular(said[0].key) != said[0].key:
        yield Item("value", start, start + 1, sense.cost + FLAGGED, sense=flag_value(sense, lexicon))


def _signs_from(words: Sequence[Word], start: int, lexicon: Lexicon) -> Iterator[Item]:
    if words[start].quoted or (words[start].key in LEAST_MOST and start and words[start - 1].key == "at"):
        return
    for end in range(min(len(words), start + openings().get(words[start].key, 0)), start, -1):
        if any(word.quoted for word in words[start:end]):
            continue
        for sign in signs().get(tuple(word.key for word in words[start:end]), ()):
            if end - start == 1 and (words[start].key == "us" and meant_as_value(words, start)):
                continue
            if sign.kind == "count" and words[end - 2].key == "amount" and _have_amounts(words[end : end + 1], lexicon):
                continue
            if sign.kind in ("filler", "verb", "list") and lexicon.defines(
                tuple(word.key for word in words[start:end])
            ):
                continue
            yield _signed(sign, start, end)


def _have_amounts(named: Sequence[Word], lexicon: Lexicon) -> bool:
    """Whether an “amount of” these rows is a column of theirs, and not how many they are."""
    tables = {sense.table for word in named for sense in lexicon.senses((word.key,)) if sense.column is None}
    columns = (column for table in tables for column in lexicon.table(table).columns)
    return any("amount" in name_parts(column.name) for column in columns)


def _signed(sign: Sign, start: int, end: int) -> Item:
    return Item(sign.kind, start, end, value=sign.value)


def _number(words: Sequence[Word], start: int) -> Iterator[Item]:
    following = words[start + 1] if start + 1 < len(words) else None
    if found := scaled(words[start], following):
        yield Item("number", start, start + found[1], number=found[0])


def _misspelt(word: Word, start: int, lexicon: Lexicon) -> Iterator[Item]:
    nearest = None if word.quoted or word.key in COMPUTED else lexicon.nearest(word.key)
    if nearest in (None, word.key):
        return  # a word spelt well that names nothing here
    note = f"“{word.text}” was read as {nearest}"
    for sense in lexicon.senses((nearest,)):
        yield Item(kind_of(sense), start, start + 1, sense.cost + MISSPELT, sense=sense, note=note)


def _literals(words: Sequence[Word], start: int, known: frozenset[int]) -> Iterator[Item]:
    """Words that may be a text to look for: quoted, or unknown."""
    if words[start].quoted:
        yield Item("literal", start, start + 1, value=words[start].text)
        return
    end = start
    while end < len(words) and end - start < LONGEST_LITERAL and (end not in known or words[end].text[:1].isupper()):
        end += 1
        yield Item("literal", start, end, 0.3 + 0.1 * sum(at in known for at in range(start, end)),
                   value=" ".join(word.text for word in words[start:end]))  # fmt: skip
    if end == start and words[start].number is None:
        yield Item("anything", start, start + 1, 0.6, value=words[start].text)


def _trimmed(items: list[Item], named: set[str], lexicon: Lexicon) -> list[Item]:
    """Drop the farthest senses of phrases that have many."""
    groups: defaultdict[tuple[str, int], list[Item]] = defaultdict(list)
    for item in items:
        groups[(item.kind if item.sense else "", item.end)].append(item)
    kept: list[Item] = []
    for (kind, _), group in groups.items():
        if kind == "table" and any(item.cost < EXACT for item in group):
            group = [item if item.cost < EXACT else moved(item, PARTLY) for item in group]
        if kind and len(group) > 1 and named:
            group.sort(key=lambda item: item.cost + 0.3 * _distance(item, named, lexicon))
            best = group[0].cost + 0.3 * _distance(group[0], named, lexicon)
            group = [i for i in group if i.cost + 0.3 * _distance(i, named, lexicon) < best + 0.7]
        kept += group[:MOST_SENSES] if kind else group
    return kept


def _distance(item: Item, named: set[str], lexicon: Lexicon) -> int:
    table = item.sense.table if item.sense else ""
    return min((min(lexicon.links.distance(table, other), 4) for other in named), default=0)
