"""A checked query as one plain line, as far as its tree proves it."""

from ai.answers.reading.sentence import TOLD, reading, steps_told
from ai.answers.reading.translated import reading_in_language, told_in_language

__all__ = ["TOLD", "reading", "reading_in_language", "steps_told", "told_in_language"]
