"""How a name is said: as a verb, a code, a word of grammar, or the value or column it names."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain

from ai.language.thesaurus import is_word
from ai.language.words import EMPTY, participles
from ai.nl2sql.definitions import is_metric, is_term
from ai.nl2sql.grammar import MAY_NAME, MAY_TELL, STATES, kinds_of
from ai.nl2sql.lexicon import PARTIAL, Lexicon, Sense
from ai.nl2sql.phrases import ENDED, TAKEN_IN
from ai.nl2sql.values import SAME_TERM, STATE_NAMES, TERMS, truths
from ai.nl2sql.vocabulary import ADDED
from ai.nl2sql.words import DONE, Word, is_participle, name_parts, singular, stem

DERIVED = re.compile(r"(?:ity|tion|sion|ment|ness|ance|ence|ive|ism|ist)$")  # no form of the word it comes from
ACTORS = frozenset({"we", "i", "they", "you", "people", "did", "does", "do", "to"})  # before what they do
DOER = 4  # words between “did” and what was done
DID = frozenset({"did", "does", "do"})  # before one who acts: “did customers pay on time?”
AS_FIGURE, AS_DAY = 1.5, 0.4
RATING = frozenset("to we they you people who did do does can i not".split())
AFTER_RATES = frozenset(["", *"by in per of for this last since vs and over".split()])  # “returns rate by category”
BEING = frozenset("is are was were already not been".split())
COUNTS = frozenset({("how", "many"), ("number", "of")})
REASONS = frozenset("because due reason reasons".split())  # before what was given as one
PLACES = frozenset({"us", "uk"})  # said in small letters too
IN = frozenset({"in", "the", "from", "for", "within", "excluding", "without", "vs", "versus", "our", "and", "or", "of"})


def must_be_read(words: Sequence[Word], start: int) -> bool:
    """Whether a word may not pass as grammar: “make” of “cost per make”, “works” of “how many works do we have”."""
    word = words[start]
    if start == 0 or word.key in EMPTY:
        return False
    before = words[start - 1].key
    after = words[start + 1].key if start + 1 < len(words) else ""
    named = singular(before) == before or after in AFTER_RATES  # a “return rate” rates nothing
    if word.key in ("rate", "rates") and named and before not in RATING:
        return True
    counted = start > 1 and (words[start - 2].key, words[start - 1].key) in COUNTS and singular(word.key) != word.key
    return (counted or "group" in kinds_of(words[start - 1].key)) and is_word(singular(word.key))


def kind_of(sense: Sense) -> str:
    return "value" if sense.value is not None else "column" if sense.column else "table"


def is_called(words: tuple[str, ...], lexicon: Lexicon) -> bool:
    """Whether these lower-case words name something whole, not a part of its name."""
    return any(sense.cost < PARTIAL for sense in lexicon.senses(words))


def named_too(words: Sequence[Word], start: int, key: tuple[str, ...], value: Sense, lexicon: Lexicon) -> bool:
    """Whether what may be a value, and is not written like one, is also the name of a table or a column."""
    written = start > 0 and words[start].text[:1].isupper()
    if len(key) > 1 and kinds_of(key[0]) & {"ordinal", "top"} and any(not s.column for s in lexicon.senses(key[-1:])):
        return not written  # “first order” is rather a row than a text
    alike = [other for other in lexicon.values.get(key, ()) if other.table == value.table]
    if any(map(is_state, alike)) and any(is_term(other.field) for other in alike):
        return is_state(value)  # what the file calls open goes before a status of that name
    named = [s for s in lexicon.senses(key) if s.value is None and s.cost < PARTIAL and not is_derived(key, s, lexicon)]
    if any(map(is_state, alike)) and _describes(words, start, value, lexicon):
        acts = is_participle(key[-1])
        own = (sense for sense in named if sense.table != value.table or (sense.column is None and not acts))
        paid = "valued" in kinds_of(key[-1])  # “paid orders” have nothing to do with the day of a payout
        named = [sense for sense in own if sense.column is None or not paid]
    surely = [sense for sense in named if sense.cost < ENDED or singular(key[-1]) == key[-1]]
    return not written and bool(surely) and all(sense.column != value.column for sense in named)


def named_by_value(key: tuple[str, ...], sense: Sense, lexicon: Lexicon) -> bool:
    """Whether a noun that might say when rows began or ended is a kind of them: “attendance at launches”."""
    if is_derived(key, sense, lexicon):
        return True
    alike = any(other.table == sense.table and not other.cost for other in lexicon.values.get((singular(key[-1]),), ()))
    return len(key) == 1 and sense.column is not None and sense.cost == ENDED and singular(key[0]) != key[0] and alike


def is_derived(key: tuple[str, ...], sense: Sense, lexicon: Lexicon) -> bool:
    """Whether a value is another word than a name with its stem: the category “Productivity” is no product."""
    if len(key) != 1 or not DERIVED.search(key[0]) or not lexicon.values.get(key):
        return False
    own = {*name_parts(sense.table), *name_parts(sense.column or ""), *chain(*lexicon.defined)}
    return singular(key[0]) not in {*map(singular, own)} and stem(key[0]) in {*map(stem, own)}


def _describes(words: Sequence[Word], start: int, value: Sense, lexicon: Lexicon) -> bool:
    """Whether a state stands before its rows or after “are”: “paid payments”, “only paid ones”."""
    after = words[start + 1].key if start + 1 < len(words) else ""
    senses = lexicon.senses((after,)) if after else ()
    named = any(sense.column is None and sense.table == value.table for sense in senses)
    return named or after == "ones" or (start > 0 and words[start - 1].key in BEING | {"only", "just", "still"})


def is_state(value: Sense) -> bool:
    """Whether a value tells the state of a row."""
    return value.column is not None and not is_term(value.field) and bool(STATE_NAMES & {*name_parts(value.column)})


def is_code(word: Word, key: tuple[str, ...], sense: Sense) -> bool:
    """Whether two letters stand for a country that the data has by name: “KR”; “in” and “de” do not."""
    return len(key) == 1 and len(word.text) == 2 and str(sense.value).lower() != key[0] and key[0] not in PLACES


def said_as_verb(kind: str, words: Sequence[Word], start: int, end: int, sense: Sense) -> bool:
    """“what did we pay” names no part of `pay_method`, “booked” no table that is called bookings."""
    if kind == "table":
        done = words[start].key in DONE or words[start].key.endswith("ed")
        return end == start + 1 and done and words[start].key not in name_parts(sense.table)
    acts = start > 0 and (words[start - 1].key in ACTORS or words[0].key in DID)
    return kind == "column" and sense.cost >= PARTIAL and acts


def only_describes(word: Word, sense: Sense) -> bool:
    """Whether things in the plural only describe a column: “units” are no `unit_price`, “reviews” a `review_count`."""
    one = singular(word.key)
    if one == word.key or sense.cost < PARTIAL or sense.column is None or sense.column[:1] in "=?@":
        return False
    *before, last = name_parts(sense.column)
    return one in before and last not in ADDED and last != "name"


def cost_of_rows(word: Word, sense: Sense, lexicon: Lexicon) -> float:
    """Return the cost of taking rows for a figure or day called by a deed: “bills” for “billed”."""
    if sense.column is None or sense.value is not None or sense.column[:1] in ("?", "@"):
        return 0.0
    if REASONS & {*name_parts(sense.column)} and singular(word.key) not in REASONS:
        return AS_FIGURE  # “cancellations” are none of their reasons
    deed = any(part.endswith("ed") for part in name_parts(sense.column))
    deed = deed and (sense.column[:1] == "=" or lexicon.column(sense.field).kind in ("date", "datetime"))
    rows = any(other.column is None and other.cost < PARTIAL for other in lexicon.senses((word.key,)))
    if not (deed and rows) or singular(word.key) == word.key or word.key in name_parts(sense.column):
        return 0.0
    return AS_FIGURE if sense.column[:1] == "=" else AS_DAY


def is_reference(sense: Sense, lexicon: Lexicon) -> bool:
    """A key is rather said for the row that it refers to."""
    if is_metric(sense.field):
        return False
    table, column = lexicon.table(sense.table), lexicon.column(sense.field)
    referring = {name.lower() for key in table.foreign_keys for name in key.columns}
    return column.name.lower() in referring or (column.name,) == table.primary_key


def is_flag(sense: Sense, lexicon: Lexicon) -> bool:
    """A yes/no column is rather said for the rows that have it."""
    return bool(truths(lexicon.column(sense.field)))


def flag_value(sense: Sense, lexicon: Lexicon) -> Sense:
    """Return the value of a yes/no column that says yes."""
    return replace(sense, value=next(value for value, true in truths(lexicon.column(sense.field)) if true))


def meant_as_value(words: Sequence[Word], start: int) -> bool:
    """A closed-class word is a value where it is written as one: in capitals, or after a preposition."""
    word = words[start]
    shouting = all(other.text.isupper() for other in words if other.text.isalpha())
    titled = all(other.text[:1].isupper() for other in words if other.text.isalpha())
    capital = (word.text.isupper() and not shouting) or (start > 0 and word.text[:1].isupper() and not titled)
    compared = word.key in PLACES and start + 1 < len(words) and words[start + 1].key in ("vs", "versus")  # “us vs uk”
    after = start > 0 and words[start - 1].key in IN and len(word.key) < 4 and not _plain(word)
    return word.quoted or capital or compared or after


def is_state_of(words: Sequence[Word], start: int, sense: Sense, lexicon: Lexicon) -> bool:
    """Whether a word of grammar is the state of the rows named right before it: “visits done”, “visits are done”."""
    before = next((word.key for word in reversed(words[:start]) if word.key not in BEING), "")
    if not before or not kinds_of(words[start].key) <= MAY_TELL:
        return False
    rows = singular(before) != before and any(
        named.table == sense.table and named.column is None for named in lexicon.senses((before,))
    )
    return rows and str(sense.value).lower() == words[start].key


def describes_rows(words: Sequence[Word], start: int, sense: Sense, lexicon: Lexicon) -> bool:
    """Whether a word of grammar is the state of rows named beside it: “available cats”, “female and available”."""
    word, beside = words[start], words[start + 1 : start + 2]
    if start > 1 and words[start - 1].key == "and":
        beside = words[:start]
    kinds = kinds_of(word.key)
    stated = bool(STATE_NAMES & {*name_parts(sense.column or "")}) and kinds <= MAY_TELL
    if word.key in TERMS:
        alike = str(sense.value).lower() in (word.key, SAME_TERM.get(word.key))
        return alike and _tells_term(words, start, sense, lexicon)
    listed = (
        bool(kinds) and kinds <= MAY_NAME and str(sense.value).lower() == word.key
    )  # “how many print subscriptions”
    around = {other.key for other in (*words[max(0, start - 1) : start], *words[start + 1 : start + 2])}
    if listed and ((start > 0 and words[start - 1].key in IN | {"on", "with"}) or around & {"vs", "versus"}):
        return True
    yes = (
        kinds <= MAY_TELL and not is_term(sense.field) and bool(truths(lexicon.column(sense.field)))
    )  # “current plans”
    told = listed or (str(sense.value).lower() == word.key and stated)
    if sense.value is None or not (told or (yes and word.key in name_parts(sense.column or ""))):
        return False
    senses = (other for each in beside for other in lexicon.senses((each.key,)))
    before, after = ("" if start == 0 else words[start - 1].key), words[start + 1 : start + 2]
    if (stated or listed) and (before in name_parts(sense.column or "") or [other.key for other in after] == ["ones"]):
        return True  # “with status declined”, “the lost ones”
    named = [other for other in senses if other.value is not None or other.column is None]
    return any(other.table == sense.table or (listed and _has_one(other, sense, lexicon)) for other in named)


def of_others(words: Sequence[Word], start: int, value: Sense, lexicon: Lexicon) -> bool:
    """Whether a value's word is said of other rows: “open payouts” of no open-air place, “most money” of no reason."""
    word = words[start]
    if meant_as_value(words, start) or is_state(value):
        return False
    if word.key in TAKEN_IN:
        return not (REASONS | {*name_parts(value.column or "")}) & {other.key for other in words}
    named = lexicon.senses((words[start + 1].key,)) if start + 1 < len(words) and kinds_of(word.key) & STATES else ()
    tables = {sense.table for sense in named if sense.column is None and sense.cost < PARTIAL}
    return bool(tables) and value.table not in tables


def _tells_term(words: Sequence[Word], start: int, sense: Sense, lexicon: Lexicon) -> bool:
    """Whether “annual” stands before its contracts or plans, or where a value does: “only annual”, “on monthly”."""
    before, after = (words[at].key if 0 <= at < len(words) else "" for at in (start - 1, start + 1))
    if after == "ones" or before in {"on", "only", "just"} or {before, after} & {"vs", "versus"}:
        return after != "basis"
    senses = lexicon.senses((after,)) if after else ()
    return any(
        other.value is None and other.table == sense.table and other.column in (None, sense.column) for other in senses
    )


def _has_one(rows: Sense, owner: Sense, lexicon: Lexicon) -> bool:
    """Whether each row has one thing of a value: subscriptions of print plans."""
    way = lexicon.links.path(rows.table, owner.table) if rows.column is None else None
    return bool(way) and not any(link.many for link in way or ())


def _plain(word: Word) -> bool:
    """A word that is grammar wherever it stands."""
    return word.key in (
        "it",
        "is",
        "in",
        "at",
        "be",
        "do",
        "to",
        "or",
        "of",
        "on",
        "all",
        "any",
        "no",
        "me",
        "my",
        "the",
        "who",
    )


def done_to(words: Sequence[Word], start: int, lexicon: Lexicon) -> list[Sense]:
    """Return the states a verb leads to: what “we did win” is won."""
    asked = {word.key for word in words[max(0, start - DOER) : start]} & DID
    if not asked or words[start].quoted or singular(words[start].key) != words[start].key:
        return []
    told = {sense.table for word in words[:start] for sense in lexicon.senses((word.key,)) if sense.column is None}
    states = (sense for form in participles(words[start].key) for sense in lexicon.values.get((form,), ()))
    return [sense for sense in states if sense.table in told and is_state(sense)]


def made_so(words: Sequence[Word], start: int, lexicon: Lexicon) -> list[Sense]:
    """Return the states that things are named after: “refunds” are refunded."""
    word = words[start]
    known = (
        word.quoted
        or singular(word.key) == word.key
        or kinds_of(word.key) - {"gain"}
        or is_called((word.key,), lexicon)
    )
    return [] if known else [*_states(lexicon).get(stem(singular(word.key)), ())]


@lru_cache(maxsize=8)
def _states(lexicon: Lexicon) -> dict[str, list[Sense]]:
    """Return the states that tell what was done, by stem."""
    found: dict[str, list[Sense]] = {}
    for key, senses in lexicon.values.items():
        if len(key) == 1 and is_participle(key[0]):
            found.setdefault(stem(key[0]), []).extend(sense for sense in senses if is_state(sense))
    return found


def doers(words: Sequence[Word], start: int, lexicon: Lexicon) -> list[Sense]:
    """Return the values naming the person: “who owns the account” asks for its owner."""
    if start == 0 or words[start - 1].key != "who" or words[start].quoted:
        return []
    names = (f"{words[start].stem}{ending}" for ending in ("er", "r", "or"))
    return [sense for name in names for sense in lexicon.values.get((name,), ()) if sense.value is not None]
