"""The semantic layer of a source: metrics, synonyms, dates, wordings and hidden tables, and corrections to them."""

from ai.sql.semantics.change import Change, Sentence, as_json, change_from, defined, fits, in_words, overlaid
from ai.sql.semantics.check import fitting
from ai.sql.semantics.file import SemanticsFile, inline_semantics, parse_semantics, read_semantics, to_yaml
from ai.sql.semantics.vocabulary import (
    NO_SEMANTICS,
    PENCE,
    SMALL_UNITS,
    Join,
    Metric,
    NonAdditive,
    Semantics,
    Synonym,
    Term,
    Unit,
    Wording,
    own_target,
    visible,
)

__all__ = [
    "NO_SEMANTICS",
    "PENCE",
    "SMALL_UNITS",
    "Change",
    "Join",
    "Metric",
    "NonAdditive",
    "Semantics",
    "SemanticsFile",
    "Sentence",
    "Synonym",
    "Term",
    "Unit",
    "Wording",
    "as_json",
    "change_from",
    "defined",
    "fits",
    "fitting",
    "in_words",
    "inline_semantics",
    "overlaid",
    "own_target",
    "parse_semantics",
    "read_semantics",
    "to_yaml",
    "visible",
]
