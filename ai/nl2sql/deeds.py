"""Deeds: the rows made by a verb (“watched” plays, “given” donations), and the column of the doer (“owns”)."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from ai.language.thesaurus import DERIVED, base_forms, german, is_word, related
from ai.nl2sql.definitions import is_term
from ai.nl2sql.grammar import kinds_of
from ai.nl2sql.guesses import coded
from ai.nl2sql.lexicon import PARTIAL, Lexicon
from ai.nl2sql.meaning import Field, Filter
from ai.nl2sql.schema import days, surest_days
from ai.nl2sql.spans import dates, is_first_day, nouns_of, verb_of
from ai.nl2sql.values import STATE_NAMES
from ai.nl2sql.vocabulary import words_of
from ai.nl2sql.wording import is_state
from ai.nl2sql.words import is_participle, name_parts, stem
from ai.sql.catalog import Table

DOERS = ("er", "or", "ee", "ant")  # “buyer” is who buys, no purchase
WHOLE, PART, BY_DAY = 0.0, 0.2, 0.1  # what it costs to know a table by its name, a part of it, one of its days
ALIKE = 4  # letters that a noun and its participle share: refund, refunded
OF_A_TIME = frozenset("churn attrition turnover retention growth".split())  # rates of those there at its beginning
DETAILED = frozenset("by in at on due before after with for".split())  # behind a state: “cancelled by customer”
COMPOUND = 6  # letters of a noun that may be the end of a longer one: `kursbuchungen`
Made = tuple[str, tuple[Filter, ...], float]  # a table, the conditions of its rows, what it costs


def is_deed(word: str) -> bool:
    """Whether a word may be a verb: “watched”, “gave”."""
    return word.isalpha() and bool(is_participle(word) or "verb" in kinds_of(word) or _family(word))


@lru_cache(maxsize=512)
def _family(word: str) -> tuple[str, ...]:
    """Return the words for a deed and what it makes, of vocabulary.tsv."""
    forms = {word, *base_forms(word)}
    return tuple(other for line in words_of("deed") if forms & {*line.split()} for other in line.split())


@lru_cache(maxsize=512)
def nouns_made(deed: str) -> frozenset[str]:
    """Return the stems of what a deed may make: “inspected” -> inspection, “booked” -> booking, buchung."""
    base = [form for form in base_forms(deed) if form != deed and is_word(form)]
    found = {*_family(deed), *base, *(noun for noun in nouns_of(deed) if is_word(noun))}
    near = (word for word, distance in related(deed) if distance == DERIVED and not word.endswith(DOERS))
    found |= {word for word in near if word[:3] == deed[:3] and " " not in word}
    found |= {word for noun in tuple(found) for word in german(noun)}
    return frozenset(stem(word) for word in found)


def rows_made(deed: str, tables: Iterable[Table], lexicon: Lexicon) -> Iterator[Made]:
    """Yield the tables of rows a deed makes, by their names or by their days: `gebucht_am`, `DonatedOn`."""
    nouns, said = nouns_made(deed), stem(deed)
    for table in tables:
        names = [stem(part) for part in name_parts(table.name)]
        compound = any(len(noun) >= COMPOUND and name.endswith(noun) for name in names for noun in nouns)
        if nouns & {*names[-1:]}:
            yield table.name, (), WHOLE
        elif nouns & {*names} or compound or _is_called(table.name, nouns, lexicon):
            yield table.name, (), PART
        for day in dates(table):
            if said in {stem(part) for part in verb_of(day.name)}:
                always = not day.nullable or is_first_day(table, day.name)
                test = () if always else (Filter(Field(table.name, day.name), "not null"),)
                yield table.name, test, BY_DAY


def _is_called(table: str, nouns: frozenset[str], lexicon: Lexicon) -> bool:
    """Whether one of the nouns is another name of a table: a synonym, or what its keys call it."""
    senses = (sense for noun in nouns for sense in lexicon.names.get((noun,), ()))
    return any(sense.table == table and sense.column is None and sense.cost < PARTIAL for sense in senses)


def doer_of(deed: str, table: Table) -> str | None:
    """Return the only optional column of who does it: `owner_id` of “owns”, `handled_by` of “handles”."""
    base = {form for form in base_forms(deed) if is_word(form)}
    doers = {f"{form.removesuffix('e')}{ending}" for form in base for ending in ("er", "or")}
    found = [
        column.name
        for column in table.columns
        if column.nullable
        and (doers & {*(parts := name_parts(column.name))} or ("by" in parts and said_in(deed, parts)))
    ]
    return found[0] if len(found) == 1 else None


def said_in(deed: str, parts: Iterable[str]) -> bool:
    return stem(deed) in {stem(part) for part in parts}


def states_of(noun: str, lexicon: Lexicon) -> Iterator[Made]:
    """Yield the rows to which a deed was done, by a state, a yes or no, or a day: “cancellation” -> cancelled."""
    if noun in OF_A_TIME:
        return
    found = _told_by_value(noun, lexicon)
    for table, states in found.items():
        defined = [field for field, _ in states if is_term(field)]
        fields = {field for field, _ in states if not defined or field in defined}
        if len(fields) == 1 and (counted := rows_in_state(table, lexicon)):
            field = fields.pop()
            values = tuple(dict.fromkeys(value for other, value in states if other == field))
            yield counted, (Filter(field, "=" if len(values) == 1 else "in", values),), WHOLE  # type: ignore[arg-type]
    for name, rows in lexicon.tables.items():
        days_of = [
            day for day in dates(rows) if day.nullable and any(names_deed(noun, verb) for verb in verb_of(day.name))
        ]
        if len(days_of) == 1 and name not in found:
            yield name, (Filter(Field(name, days_of[0].name), "not null"),), BY_DAY


def _told_by_value(noun: str, lexicon: Lexicon) -> dict[str, list[tuple[Field, object]]]:
    """Return the states called by a noun, by table: its participle, else the code for it."""
    found: dict[str, list[tuple[Field, object]]] = {}
    for words, senses in lexicon.values.items():
        if not (words[0][:ALIKE] == noun[:ALIKE] and names_deed(noun, words[0])):
            continue
        for sense in senses:
            whole = len(words) == 1 or (isinstance(sense.value, str) and words[1] in DETAILED)
            if sense.value is not None and whole and (words[0] != noun or sense.value is True or sense.value == 1):
                found.setdefault(sense.table, []).append((sense.field, sense.value))
    for sense, *_ in coded(noun, lexicon) if not found else ():
        if is_state(sense):  # “acceptance” is ACC
            found.setdefault(sense.table, []).append((sense.field, sense.value))
    return found


def day_of_all(noun: str, table: str, lexicon: Lexicon) -> Field | None:
    """Return the only day of all rows, not that of the deed itself: `booked_at`, not `cancelled_at`."""
    found = [
        field for field in days(lexicon, table) if not any(names_deed(noun, verb) for verb in verb_of(field.column))
    ]
    kept = found if len(found) == 1 else surest_days(lexicon, found)
    return kept[0] if len(kept) == 1 else None


def names_deed(noun: str, participle: str) -> bool:
    """Whether a noun names what a participle says: cancellation and cancelled."""
    if noun == participle:
        return True
    alike = participle.startswith(noun[:ALIKE])
    return is_participle(participle) and alike and stem(noun) in nouns_made(participle)


def rows_counted(table: str, lexicon: Lexicon) -> str:
    """Return whose rows “how many sold” counts where a mere list of states is named: the lots of `lot_status`."""
    is_list = bool(STATE_NAMES & {*name_parts(table)})
    return (rows_in_state(table, lexicon) if is_list else "") or table


def rows_in_state(table: str, lexicon: Lexicon) -> str:
    """Return the table whose rows have a state: of a mere list of states, the only one that refers to it."""
    if dates(lexicon.tables[table]):
        return table
    users = {link.target for link in lexicon.links.steps.get(table, ()) if link.many}
    return users.pop() if len(users) == 1 else ""
