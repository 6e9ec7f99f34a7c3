"""Slips in what is typed: “brnach” for a branch, “hwo” for how, words of time; and “un” before a state."""

from functools import lru_cache

from ai.language.spelling import nearest, slip_of
from ai.language.thesaurus import german, is_word
from ai.nl2sql.grammar import grammar_words, kinds_of, openings, signs
from ai.nl2sql.lexicon import Lexicon, Sense
from ai.nl2sql.vocabulary import single_words_of
from ai.nl2sql.wording import is_state
from ai.nl2sql.words import Word, keys, name_parts, plural, singular, split
from ai.sql.semantics import Semantics

LIKE = 74.0  # likeness of a slip to the word of time that was meant
CLOSE = 82.0  # likewise, to another word
ACRONYM = 4  # letters of what is written in capitals
SHORTEST, SHORTEST_SLIP = 4, 5
SENT = frozenset({"shipped", "sent", "dispatched"})


def mended(word: Word, lexicon: Lexicon) -> tuple[Word, ...]:
    """Return a word, or the one meant by an unknown word."""
    key = word.key
    if word.text.isupper() and 1 < len(key) <= ACRONYM:
        return (word,)  # “AWS” is no “was”
    if plain := _swapped(word, lexicon):
        return split(plain)
    if word.quoted or len(key) < SHORTEST or not key.isalpha() or signs().get((key,)) or lexicon.senses((key,)):
        return (word,)
    if key in _within_values(lexicon):
        return (word,)  # “labs” of “nova labs”
    if key.startswith("un") and (state := _state(key[2:], lexicon)):
        return split(f"not {state}")
    if (name := _slip(key, lexicon)) and not word.text[0].isupper():
        return split(name)
    told = _told(lexicon.semantics)
    times = single_words_of("time")
    known = key in openings() or key in times or is_word(key) or lexicon.nearest(key)
    if word.text[0].isupper() or known or key in told or singular(key) in told:
        return (word,)
    meant = nearest(key, times, LIKE) or nearest(key, (*told, *single_words_of("mistyped")), CLOSE)
    return split(meant) if meant and meant[0] == key[0] else (word,)


def _slip(key: str, lexicon: Lexicon) -> str:
    """Return the name of a table, a column or a state meant by one wrong letter: “branch” for “brnach”."""
    one = singular(key)
    if len(one) < SHORTEST_SLIP or is_word(key) or is_word(one) or kinds_of(key):
        return ""
    meant = slip_of(one, _names(lexicon)) or ""
    return plural(meant) if meant and one != key else meant


@lru_cache(maxsize=16)
def _names(lexicon: Lexicon) -> tuple[str, ...]:
    """Return the words that tables, columns and states are called by, in the singular."""
    named = {part for table in lexicon.catalog.tables for part in name_parts(table.name)}
    named |= {part for table in lexicon.catalog.tables for column in table.columns for part in name_parts(column.name)}
    named |= {words[0] for words, all_ in lexicon.values.items() if len(words) == 1 and any(map(is_state, all_))}
    return tuple(sorted({singular(word) for word in named if len(word) >= SHORTEST_SLIP}))


@lru_cache(maxsize=16)
def _within_values(lexicon: Lexicon) -> frozenset[str]:
    """Return the words of values that have several."""
    return frozenset(word for words in lexicon.values if len(words) > 1 for word in words)


@lru_cache(maxsize=16)
def _told(semantics: Semantics) -> tuple[str, ...]:
    """Return the words of the names that the semantics file gives."""
    names = [name for metric in semantics.metrics for name in (metric.name, *metric.synonyms)]
    names += [name for term in semantics.terms for name in (term.name, *term.synonyms)]
    names += [synonym.word for synonym in semantics.synonyms] + [wording.word for wording in semantics.wordings]
    return tuple(sorted({word for name in names for word in keys(name) if len(word) > SHORTEST}))


def _swapped(word: Word, lexicon: Lexicon) -> str:
    """Undo two swapped letters: “how” for “hwo”."""
    key = word.key
    if word.quoted or len(key) < len("teh") or not key.isalpha() or key in openings() or is_word(singular(key)):
        return ""
    swaps = (f"{key[:at]}{key[at + 1]}{key[at]}{key[at + 2 :]}" for at in reversed(range(len(key) - 1)))
    meant = next((said for said in swaps if said in grammar_words()), "")
    return "" if not meant or lexicon.senses((key,)) else meant


def _state(word: str, lexicon: Lexicon) -> str:
    """Return the word, or its German one, for a column that may be empty or a value of a state."""
    return next((name for name in (word, *german(word)) if _is_state(name, lexicon)), "")


def _is_state(word: str, lexicon: Lexicon) -> bool:
    if any(
        sense.value is not None and is_state(sense) and _is_last(sense, lexicon) for sense in lexicon.senses((word,))
    ):
        return True
    senses = (sense for sense in lexicon.senses((word,)) if sense.column and sense.value is None)
    return any(
        lexicon.column(sense.field).nullable and not sense.field.column.startswith(("=", "?")) for sense in senses
    )


def _is_last(state: Sense, lexicon: Lexicon) -> bool:
    """Whether no other state comes after it: what was shipped was paid."""
    over = {*single_words_of("fulfilled"), *SENT}
    return sum(bool(over & {*keys(str(value))}) for value in lexicon.column(state.field).values) == 1
