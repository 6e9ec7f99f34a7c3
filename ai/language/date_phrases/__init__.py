"""Periods that people name, in calendar years and fiscal ones."""

from ai.language.date_phrases.phrases import DatePhrase, date_phrase, date_phrases

__all__ = ["DatePhrase", "date_phrase", "date_phrases"]
