"""Texts for people in the language of their reader; English is the text itself.

English texts stand where they are said. A catalogue (`de.po`) holds each with its translation, and `{0}`, `{1}` for what
code puts in: `{0:n}` a count, `{0:d}` a date or period. A text is translated where it is shown, so that the memory keeps
one language. Entries with a context are for code that fills them itself, and match no text.
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
