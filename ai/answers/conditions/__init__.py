"""Conditions and periods of a query in words."""

from ai.answers.conditions.clauses import LEAST, Clauses, clauses_of, having, order_words
from ai.answers.conditions.inside import untold
from ai.answers.conditions.periods import WENT, deed, period_label
from ai.answers.conditions.translated import conditions_in, having_in, period_in

__all__ = [
    "LEAST",
    "WENT",
    "Clauses",
    "clauses_of",
    "conditions_in",
    "deed",
    "having",
    "having_in",
    "order_words",
    "period_in",
    "period_label",
    "untold",
]
