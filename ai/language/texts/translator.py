"""Find a text in a catalogue, whole or by its template, and put into the translation what stands in its slots."""

import re
from calendar import month_name
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ai.language.formats import AMERICAN, months_of, number

ENGLISH = "en"
LANGUAGES: Mapping[str, str] = {ENGLISH: AMERICAN, "de": "de_DE"}
FOLDER = Path(__file__).parent
SLOT = re.compile(r"\{(\d)(?::([nd]))?\}")
MONTH = "|".join(month_name[1:])
DATE = rf"(?:\d{{1,2}} )?(?:{MONTH})(?: \d{{1,2}}(?!\d))?(?:,? \d{{4}})?|Q[1-4](?: \d{{4}})?|\d{{4}}"
PARTS = re.compile(rf"(?:(?P<before>\d+) )?(?P<month>{MONTH})(?: (?P<after>\d{{1,2}})(?!\d))?(?:,? (?P<year>\d{{4}}))?")
MARKUP = "\\`*_{}[]()<>#+!|~&@:"  # may stand behind a backslash in Markdown
KINDS = {"n": r"\d{1,3}(?:,\d{3})*", "d": DATE, None: r".+?"}
ITEM = " · "  # between the parts of small print
SENTENCES = re.compile(r"(?<=[.!?…])\s+(?=[^\sa-z])")
QUOTING = tuple("“„`*_")  # a slot behind one of these holds words of people or of the data


def language_of(tag: str, otherwise: str = ENGLISH) -> str:
    """Return the language of a tag such as "de-AT" as far as there are texts in it."""
    code = re.split("[-_]", tag.lower())[0]
    return code if code in LANGUAGES else otherwise


def locale_for(language: str) -> str:
    """Return how numbers and dates are written in a language."""
    return LANGUAGES.get(language, AMERICAN)


@dataclass(frozen=True, slots=True)
class Template:
    """A text with slots, and its translation."""

    pattern: re.Pattern[str]
    needle: str  # stands in each text that fits
    kinds: tuple[str | None, ...]
    quoted: tuple[bool, ...]
    translation: str

    @classmethod
    def of(cls, english: str, translation: str) -> "Template":
        slots = list(SLOT.finditer(english))
        words = SLOT.split(english)[::3]
        pattern = _escaped(words[0]) + "".join(
            f"({KINDS[slot[2]]}){_escaped(after)}" for slot, after in zip(slots, words[1:], strict=True)
        )
        pieces = (piece for word in words for piece in re.split(f"[{re.escape(MARKUP)}]", word))
        quoted = tuple(word.endswith(QUOTING) for word in words[:-1])
        kinds = tuple(slot[2] for slot in slots)
        return cls(re.compile(pattern), max(pieces, key=len), kinds, quoted, translation)


def _escaped(words: str) -> str:
    return "".join(rf"\\?{re.escape(sign)}" if sign in MARKUP else re.escape(sign) for sign in words)


@dataclass(frozen=True, slots=True)
class Translator:
    """The texts of one language. A text without a translation stays as it is."""

    language: str
    texts: Mapping[str, str]
    templates: tuple[Template, ...]
    filled: Mapping[str, str]

    def __call__(self, text: str) -> str:
        """Translate a text: whole, else line by line, else sentence by sentence."""
        if not self.texts or not text.strip():
            return text
        ways = (self._known, self._by_line, self._by_item, self._by_sentence, self._by_template)
        return next((found for way in ways if (found := way(text))), "") or self._as_far_as_known(text)

    def fill(self, english: str, *slots: str) -> str:
        """Fill the translation of a template that stands in the catalogue with a context."""
        template = self.filled.get(english, english)
        return SLOT.sub(lambda slot: slots[int(slot[1])], template)

    def _known(self, text: str) -> str:
        return self.texts.get(text) or self.texts.get(_bare(text)) or ""

    def _by_line(self, text: str) -> str:
        lines = text.split("\n") if "\n" in text else []
        return "\n".join(f"- {self(line[2:])}" if line.startswith("- ") else self(line) for line in lines)

    def _by_item(self, text: str) -> str:
        return ITEM.join(map(self, text.split(ITEM))) if ITEM in text.strip() else ""

    def _by_sentence(self, text: str) -> str:
        """Translate a text of several sentences that are all known."""
        parts = SENTENCES.split(text)
        found = [self._whole(part) for part in parts] if len(parts) > 1 else []
        return " ".join(found) if all(found) else ""

    def _as_far_as_known(self, text: str) -> str:
        parts = SENTENCES.split(text)
        return " ".join(self._whole(part) or part for part in parts) if len(parts) > 1 else text

    def _whole(self, text: str) -> str:
        return self._known(text) or self._by_template(text)

    def _by_template(self, text: str) -> str:
        for template in self.templates:
            if template.needle in text and (match := template.pattern.fullmatch(text)):
                return self._with(template, match.groups())
        return ""

    def _with(self, template: Template, held: Sequence[str]) -> str:
        shown = [self._slot(template, at, each) for at, each in enumerate(held)]
        return SLOT.sub(lambda slot: shown[int(slot[1])], template.translation)

    def _slot(self, template: Template, at: int, held: str) -> str:
        kind = template.kinds[at]
        if kind == "n":
            return number(int(held.replace(",", "")), 0, locale_for(self.language))
        if kind == "d":
            return dated(held, locale_for(self.language))
        return held if template.quoted[at] else self._whole(held) or held


ENGLISH_TEXTS = Translator(ENGLISH, {}, (), {})


@cache
def translator_of(language: str) -> Translator:
    """Return the texts of a language; English ones stay as they are."""
    if language == ENGLISH or language not in LANGUAGES:
        return ENGLISH_TEXTS
    texts: dict[str, str] = {}
    filled: dict[str, str] = {}
    for english, context, translation in entries(language):
        (filled if context else texts)[english] = translation
    slotted = sorted((text for text in texts if SLOT.search(text)), key=lambda text: -len(SLOT.sub("", text)))
    return Translator(language, texts, tuple(Template.of(text, texts[text]) for text in slotted), filled)


def entries(language: str) -> Iterator[tuple[str, str, str]]:
    """Yield each English text of a catalogue with its context and its translation."""
    from babel.messages.pofile import read_po

    with (FOLDER / f"{language}.po").open("rb") as file:
        for message in read_po(file):
            if message.id and message.string:
                yield str(message.id), str(message.context or ""), str(message.string)


def _bare(text: str) -> str:
    return re.sub(rf"\\([{re.escape(MARKUP)}])", r"\1", text)


def dated(text: str, locale: str) -> str:
    """Write a day or month as a locale does, “October 2026” or “November 3, 2026”; other texts stay."""
    found = PARTS.fullmatch(text)
    if found is None:
        return text
    month = months_of(locale)[list(month_name).index(found["month"]) - 1][1]
    day = found["before"] or found["after"]
    return " ".join(filter(None, (f"{day}." if day else "", month, found["year"])))
