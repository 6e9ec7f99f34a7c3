"""Senses of words that the database spells otherwise: written apart, shortened, or said with a related word."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product

from ai.language.shortened import CLIPPED, SHORTEST, SKELETON, is_begun, is_short, shortening
from ai.language.thesaurus import DERIVED, NEAR, SAME, base_forms, is_word, related
from ai.language.words import COMMON
from ai.nl2sql.definitions import is_metric
from ai.nl2sql.grammar import MAY_TELL, kinds_of
from ai.nl2sql.items import Item
from ai.nl2sql.lexicon import PARTIAL, Lexicon, Sense
from ai.nl2sql.meaning import Field
from ai.nl2sql.phrases import SOLD, TAKEN_IN, WEAK_PARTS
from ai.nl2sql.schema import display, is_numeric
from ai.nl2sql.values import STATE_NAMES
from ai.nl2sql.vocabulary import is_kind
from ai.nl2sql.wording import is_reference, is_state, kind_of
from ai.nl2sql.words import Word, is_participle, keys, name_parts, singular, stem, stems

LONGEST = 3
JOINED, RELATED, SHORTENED = 0.05, 0.45, 0.3
PART_OF_COLUMN = 0.3  # things in the plural are no part of a column: “drivers” are no `km_drv`
FARTHEST_SHORT = 0.5  # how far a shortened name may be from the whole one
PART_OF_VALUE, MOST_WITH, LONGEST_NAME = 0.3, 6, 6  # a word of the values of a few, of so many words
KEYED = 0.5  # a key is rather said for the row
FARTHEST = {SAME: 0.5, DERIVED: 0.5, NEAR: 0.15}  # how far a related word may be from the whole name
HEADS = frozenset(
    "score point size type amount number value count level title code percentage status figure rating total name "
    "date kind medal field"
    " information detail data".split()
)
HEADED = 0.1
GROUPS = frozenset({"team", "department", "dept", "division", "crew", "squad"})
FEW_VALUES = 40
OF_THEIR_OWN = frozenset({"app", "api", "sku", "url", "vat", "web"})  # short forms that are words by now
# How figures are computed of others: no related names, nor slips of such.
COMPUTED = frozenset("ratio ratios correlation quotient variance deviation percentile forecast forecasts".split())
OPEN = frozenset({"verb", "worth", "clock"})  # kinds of grammar that may be names
DEED = re.compile(r"\w+(?:ed|ing)")
OF_A_STATE = re.compile(r"\w+(?:ed|ing|en|wn)")  # “withdrawn” as well
WRITTEN = frozenset("description notes note comment comments text body summary remark remarks".split())
NUMBERS = frozenset({"code", "id", "number", "sku", "key"})  # what these tell apart has no words
CODE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*")
Guess = tuple[int, Sense, float, str]  # where it ends, the sense, its cost, what it was read as


def guesses(words: Sequence[Word], start: int, lexicon: Lexicon) -> Iterator[Guess]:
    """Yield what the words from `start` may name, where they are not spelt so."""
    for end in range(min(len(words), start + LONGEST), start, -1):
        said = words[start:end]
        if not all(word.key.isalpha() and not word.quoted for word in said):
            continue
        if not _known(said, lexicon):
            parted = () if _is_inside(words, start, end, lexicon) else _parted(said, lexicon)
            yield from ((end, sense, cost, name) for sense, cost, name in (*_guessed(said, lexicon), *parted))
        elif len(said) == 1 and OF_A_STATE.fullmatch(said[0].key) and kinds_of(said[0].key) <= MAY_TELL:
            yield from (
                (end, sense, cost, name) for sense, cost, name in coded(said[0].key, lexicon) if is_state(sense)
            )


def _parted(said: Sequence[Word], lexicon: Lexicon) -> Iterator[tuple[Sense, float, str]]:
    """Yield the only value with these words among others."""
    found = [(field, values[0]) for field, values in values_with(said, lexicon) if len(values) == 1]
    yield from ((Sense(field.table, field.column, value), PART_OF_VALUE, value) for field, value in found)


def _is_inside(words: Sequence[Word], start: int, end: int, lexicon: Lexicon) -> bool:
    """Whether words are part of a value said in full: “Gardens” of “Evergreen Gardens”."""
    spans = product(range(max(0, start - LONGEST_NAME), start + 1), range(end, min(len(words), end + LONGEST_NAME) + 1))
    wider = (span for span in spans if span != (start, end))
    return any(tuple(word.key for word in words[first:last]) in lexicon.values for first, last in wider)


def guessed_from(words: Sequence[Word], start: int, lexicon: Lexicon) -> Iterator[Item]:
    """What words name that the database spells otherwise."""
    for end, sense, cost, name in guesses(words, start, lexicon):
        said = " ".join(word.text for word in words[start:end])
        note = f"“{said}” was read as {name}" if name else ""
        yield Item(kind_of(sense), start, end, cost, sense=sense, note=note)
    for end in range(start + 2, min(len(words), start + LONGEST) + 1):
        several = any(len(values) > 1 for _, values in values_with(words[start:end], lexicon))
        if several and not _is_inside(words, start, end, lexicon):
            yield Item("literal", start, end, JOINED, value=" ".join(word.text for word in words[start:end]))


def is_spelt_alike(note: str) -> bool:
    """Whether a word was read as another with the same beginning, its short form, or a name with it: no mere guess."""
    said, _, name = note.lstrip("“").partition("” was read as ")
    if {*stems(keys(said))} <= {*stems(keys(name))}:
        return True
    pairs = list(zip(keys(said), name.split(), strict=False))
    return said[:2].lower() == name[:2].lower() or all(word == part or is_begun(part, word) for word, part in pairs)


def with_heads(items: Sequence[Item], words: Sequence[Word], lexicon: Lexicon) -> Iterator[Item]:
    """The names of columns with a word behind them that says nothing more."""
    for item in items:
        if item.kind == "column" and item.end < len(words) and is_mere_head(words[item.end], lexicon):
            yield replace(item, end=item.end + 1, cost=item.cost + HEADED)
        if item.kind == "value" and item.end < len(words) and _is_their_group(item, words[item.end], lexicon):
            yield replace(item, end=item.end + 1)


def _is_their_group(item: Item, word: Word, lexicon: Lexicon) -> bool:
    """Whether a word after a department only says that it is one: “the warehouse team”."""
    column = (item.sense.column or "") if item.sense else ""
    return word.key in GROUPS and bool(GROUPS & {*name_parts(column)}) and not lexicon.senses((word.key,))


def is_mere_head(word: Word, lexicon: Lexicon) -> bool:
    """Whether a word after the name of a column says nothing more: “total score”, “memory size”."""
    return not word.quoted and singular(word.key) in HEADS and not lexicon.senses((word.key,))


def coded(word: str, lexicon: Lexicon) -> Iterator[tuple[Sense, float, str]]:
    """Yield the states and kinds whose codes shorten a word: CANC for “cancelled”, one in each column."""
    if len(word) < SHORTEST or word in COMMON or singular(word) != word or word in TAKEN_IN | SOLD:
        return  # “surgeons” are people, no kind of visit
    forms = (word, *base_forms(word))
    for table, column, codes in _codes_of(lexicon):
        fits = {code: how for code in codes if (how := _code_fits(code.lower(), forms)) is not None}
        best = [code for code, how in fits.items() if how == min(fits.values())]
        if len(best) == 1:
            yield Sense(table, column, best[0]), SHORTENED, best[0]


def values_with(words: Sequence[Word], lexicon: Lexicon) -> Iterator[tuple[Field, tuple[str, ...]]]:
    """Yield columns with the few values holding these words: “Single implant” for implants. Of people, just one."""
    if not words or any(word.quoted or not word.key.isalpha() or len(word.key) < SHORTEST for word in words):
        return
    if any(DEED.fullmatch(word.key) for word in words) or lexicon.senses(tuple(word.key for word in words)):
        return  # who is managing it is no managing director, and who has no manager is no cinema manager
    held = _words_in_values(lexicon)
    found = set.intersection(*(held.get(stem(word.key), set()) for word in words))
    one = words[0].key if len(words) == 1 and not words[0].text[:1].isupper() else ""
    common = bool(one) and singular(one) == one and is_word(one)  # “route” is not the shop called Silk Route
    for field in sorted({field for field, _ in found}, key=lambda field: (field.table, field.column)):
        if common and field in display(lexicon, field.table):
            continue
        values = tuple(sorted(value for at, value in found if at == field))
        most = 1 if is_kind(field.table, "people") else MOST_WITH
        if len(values) <= most and len(values) * 2 <= len(lexicon.column(field).values):
            yield field, values


@lru_cache(maxsize=16)
def _words_in_values(lexicon: Lexicon) -> dict[str, set[tuple[Field, str]]]:
    """Return the values of several words by the stem of each."""
    found: defaultdict[str, set[tuple[Field, str]]] = defaultdict(set)
    for table in lexicon.catalog.tables:
        for column in table.columns:
            stated = (STATE_NAMES | WRITTEN) & {*name_parts(column.name)}  # “en route” is no route
            for value in column.values if column.kind == "text" and not stated else ():
                words = keys(value) if " " in value else ()
                for each in stems(words) if 1 < len(words) <= LONGEST_NAME else ():
                    found[each].add((Field(table.name, column.name), value))
    return dict(found)


def _code_fits(code: str, forms: Sequence[str]) -> int | None:
    if name_parts(code) in {(form,) for form in forms}:
        return SKELETON
    found = [fit for form in forms if (fit := shortening(code, form)) is not None]
    return min((fit for fit in found if fit < CLIPPED or OF_A_STATE.fullmatch(forms[0])), default=None)


@lru_cache(maxsize=16)
def _codes_of(lexicon: Lexicon) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Return the columns of few values that are all written as codes: CANC, PEND, PAID."""
    columns = ((table.name, column) for table in lexicon.catalog.tables for column in table.columns)
    few = ((table, column) for table, column in columns if 1 < len(column.values) <= FEW_VALUES)
    return tuple(
        (table, column.name, column.values)
        for table, column in few
        if all(map(CODE.fullmatch, column.values))
        and (name_parts(column.name)[-1] not in NUMBERS or STATE_NAMES & {*name_parts(column.name)})
    )


def _known(said: Sequence[Word], lexicon: Lexicon) -> bool:
    keys = tuple(word.key for word in said)
    if kinds_of(*keys) - OPEN or _in_definition(keys, lexicon) or COMPUTED & {*keys}:
        return True
    return any(s.cost < PARTIAL or s.value is not None for s in lexicon.senses(keys))


def _in_definition(keys: tuple[str, ...], lexicon: Lexicon) -> bool:
    """Whether a word is one of the semantics file's: what it means there is no matter of guessing."""
    said = set(keys) | {stem(key) for key in keys}
    return any(said & set(phrase) for phrase in lexicon.defined)


def _guessed(said: Sequence[Word], lexicon: Lexicon) -> Iterator[tuple[Sense, float, str]]:
    keys = tuple(word.key for word in said)
    if len(said) == LONGEST and keys[1] == "to":
        yield from ((sense, sense.cost + JOINED, "") for sense in lexicon.senses(keys[::2]) if sense.cost < PARTIAL)
    if len(said) > 1:
        yield from (
            (sense, sense.cost + JOINED, "") for sense in lexicon.senses(("".join(keys),)) if sense.cost < PARTIAL
        )
    shortened = [*_shortened(keys, lexicon), *(coded(keys[0], lexicon) if len(keys) == 1 else ())]
    yield from shortened
    if len(said) < LONGEST and not shortened:
        yield from _related(" ".join(keys), lexicon)


def _related(phrase: str, lexicon: Lexicon) -> Iterator[tuple[Sense, float, str]]:
    for word, distance in related(phrase):
        if set(stems(word.split())) <= set(stems(phrase.split())):
            continue
        words = tuple(word.split())
        for sense in lexicon.senses(words):
            if sense.value is not None and not word.endswith("s") and words not in lexicon.values:
                continue  # a related word is no value's singular
            if sense.value is not None:
                few = distance == SAME and len(lexicon.column(sense.field).values) <= FEW_VALUES
                if few and not is_proper_name(sense, lexicon):
                    yield sense, RELATED + 0.3, str(sense.value)
            elif sense.cost <= FARTHEST[distance] and (sense.column is not None or word not in TAKEN_IN):
                if _is_farther(words, sense, lexicon, distance) or (
                    DEED.fullmatch(phrase) and _is_thing(sense, lexicon)
                ):
                    continue
                yield sense, RELATED + sense.cost + 2 * distance, word


def _is_thing(sense: Sense, lexicon: Lexicon) -> bool:
    """Whether a sense names things, which no deed does: who booked has nothing to do with the title of a book."""
    if sense.column is None or is_metric(sense.field):
        return False
    return sense.field in display(lexicon, sense.table) and not any(map(is_participle, name_parts(sense.column)))


def _is_farther(words: tuple[str, ...], sense: Sense, lexicon: Lexicon, distance: float) -> bool:
    """Whether a name lacks a related word itself: a figure is only of its stem, or a table a synonym of it."""
    parts = name_parts(sense.column or sense.table)
    if {singular(part) for part in parts} & {singular(word) for word in words}:
        return False
    if sense.column is None or is_metric(sense.field):
        return sense.column is None and sense.cost > 0
    alike = [part for part in parts if stem(part) in stems(words)]  # `price_paid` is no pay
    done = all(map(is_participle, alike)) and is_numeric(lexicon, sense.field)
    return bool(alike) and (distance == SAME or done)


def is_proper_name(sense: Sense, lexicon: Lexicon) -> bool:
    """Whether a value names one thing, so that it has no synonyms: a team called Aurora is no morning."""
    return sense.value is not None and sense.field in display(lexicon, sense.field.table)


def _shortened(keys: Sequence[str], lexicon: Lexicon) -> Iterator[tuple[Sense, float, str]]:
    """Yield senses of words shortened in the schema: “rentals” for `fct_rnt`."""
    ways = [_parts_for(key, lexicon) or (key,) for key in keys]
    things, deed = singular(keys[-1]) != keys[-1], DEED.fullmatch(keys[-1])
    for parts in product(*ways):
        changed = [part for part, key in zip(parts, keys, strict=True) if part != key]
        for sense in lexicon.senses(parts) if changed else ():
            if deed and sense.column is None:
                continue
            if sense.value is None and sense.cost <= (PART_OF_COLUMN if things and sense.column else FARTHEST_SHORT):
                keyed = sense.column is not None and is_reference(sense, lexicon)
                yield sense, SHORTENED + sense.cost + KEYED * keyed, " ".join(parts)


@lru_cache(maxsize=4_096)
def _parts_for(word: str, lexicon: Lexicon) -> tuple[str, ...]:
    """Return the shortened parts of names in the schema for a word of a question, those of tables first."""
    whole, short = _parts_of(lexicon)
    if len(singular(word)) < SHORTEST or stem(word) in whole or word in COMMON:
        return ()
    if kinds_of(word) - OPEN:
        return ()
    if lexicon.names.get((stem(word),)) or lexicon.values.get((word,)):
        return ()
    forms = {word, singular(word), *base_forms(word), *base_forms(singular(word))}
    fits = {
        part: min(how)
        for part in short
        if (how := [fit for form in forms if (fit := shortening(part, form)) is not None])
    }
    best = [part for part, how in fits.items() if how == min(fits.values())]
    tables = [part for part in best if short[part]]
    return tuple(tables or best)


@lru_cache(maxsize=16)
def _parts_of(lexicon: Lexicon) -> tuple[frozenset[str], dict[str, bool]]:
    """Return the stems and the shortened words of a schema's names."""
    tables = {part for table in lexicon.catalog.tables for part in name_parts(table.name)}
    columns = {part for table in lexicon.catalog.tables for c in table.columns for part in name_parts(c.name)}
    short = {part for part in tables | columns if is_short(part) and part not in WEAK_PARTS | OF_THEIR_OWN}
    return frozenset(stems((*(tables | columns - short),))), {part: part in tables for part in sorted(short)}
