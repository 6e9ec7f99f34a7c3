"""The closed-class words of English questions: phrases and their signs, a line each in `grammar.tsv`.

Only words whose meaning holds for every database stand there; the words of a database are in `lexicon`.
"""

from dataclasses import dataclass
from functools import cache
from typing import Literal, cast

from ai.language.tables import rows

SignKind = Literal[
    "count", "much", "aggregate", "most", "top", "adjective", "compare", "between", "group", "unit", "order",
    "direction", "none", "not", "average", "distinct", "list", "when", "who", "everything", "and", "or", "have",
    "share", "versus", "growth", "earlier", "moving", "running", "included", "new", "both", "weekday", "long",
    "contrast", "gain", "each", "all", "other", "back", "worth", "anybody", "ordinal", "more", "filler", "only",
    "open", "yesno", "contain", "verb", "valued", "asks", "pending", "depleted", "left", "gone", "short", "late", "recorded", "unused",
    "unassigned", "money", "since_last", "clock", "counted_last",
]  # fmt: skip


MAY_NAME: frozenset[SignKind] = frozenset({"list", "and"})  # of these some are kinds of things: “print”, “plus”
MAY_TELL: frozenset[SignKind] = frozenset({"filler", "verb", "gain"})  # of these some are states: “done”, “lost”
# Kinds of words that may be the state of a row as well: “overdue”.
STATES: frozenset[SignKind] = frozenset(
    {"verb", "valued", "worth", "pending", "late", "unused", "unassigned", "money", "clock"}
)


@dataclass(frozen=True, slots=True)
class Sign:
    """What a closed-class phrase does in a question; `value` says which of its kind."""

    kind: SignKind
    value: str = ""


@cache
def signs() -> dict[tuple[str, ...], tuple[Sign, ...]]:
    """Every phrase, as its lower-case words, with all signs that it can be."""
    table: dict[tuple[str, ...], tuple[Sign, ...]] = {}
    for kind, value, phrase in rows("ai.nl2sql", "grammar", "kind", "value", "phrase"):
        words = tuple(phrase.split())
        table[words] = (*table.get(words, ()), Sign(cast(SignKind, kind), value))
    return table


def kinds_of(*words: str) -> set[SignKind]:
    """Return what a phrase can be in a question, by its lower-case words."""
    return {sign.kind for sign in signs().get(words, ())}


@cache
def openings() -> dict[str, int]:
    """The longest phrase that begins with each word."""
    longest: dict[str, int] = {}
    for words in signs():
        longest[words[0]] = max(longest.get(words[0], 0), len(words))
    return longest


@cache
def grammar_words() -> frozenset[str]:
    """Return the words of all signs: “much” of “how much” too."""
    return frozenset(word for phrase in signs() for word in phrase)
