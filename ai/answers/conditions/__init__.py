"""Conditions and periods of a query in words."""

from ai.answers.conditions.clauses import LEAST, Clauses, clauses_of, having, order_words
from ai.answers.conditions.periods import period_label

__all__ = ["LEAST", "Clauses", "clauses_of", "having", "order_words", "period_label"]
