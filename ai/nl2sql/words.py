"""The words of the language kit, under the names the reader uses."""

from ai.language.questions import Word, keys, scaled, split
from ai.language.stems import stem
from ai.language.words import name_parts, plural, singular, stems

__all__ = ["Word", "keys", "name_parts", "plural", "scaled", "singular", "split", "stem", "stems"]
