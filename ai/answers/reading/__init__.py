"""A checked query as one plain line, as far as its tree proves it."""

from ai.answers.reading.sentence import TOLD, reading, steps_told

__all__ = ["TOLD", "reading", "steps_told"]
