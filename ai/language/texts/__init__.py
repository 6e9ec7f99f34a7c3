"""Texts for people in the language of their reader; English is the text itself.

A catalogue (`de.po`) holds each with its translation, and `{0}`, `{1}` for values put in by code: `{0:n}` a count,
`{0:d}` a date or period. A text is translated where it is shown, so the memory keeps one language.
"""

from ai.language.texts.translator import (
    ENGLISH,
    ENGLISH_TEXTS,
    LANGUAGES,
    Translator,
    language_of,
    locale_for,
    translator_of,
)

__all__ = ["ENGLISH", "ENGLISH_TEXTS", "LANGUAGES", "Translator", "language_of", "locale_for", "translator_of"]
