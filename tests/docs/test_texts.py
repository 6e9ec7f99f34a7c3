"""Texts for people and their catalogues agree: nothing translated that is not said, and ever less left untranslated."""

import json
import re
from calendar import day_name, month_name
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from ai.language.texts import ENGLISH, LANGUAGES
from ai.language.texts.translator import SLOT, entries
from tests.docs.people_texts import PeopleText, texts

LEFT = Path(__file__).with_name("untranslated.json")  # sentences without a translation, by language and room
OTHERS = [language for language in LANGUAGES if language != ENGLISH]
MARKS = re.compile(r"\{\}|[“”:·*(),]")
TELLING = 4  # characters of a template that are its own


@cache
def said() -> tuple[PeopleText, ...]:
    return tuple({text.text: text for text in texts()}.values())


def words(text: str) -> set[str]:
    """Return what stands between slots and marks."""
    return {part.strip() for part in MARKS.split(text)} - {""}


def left(language: str) -> Counter[str]:
    """Count the sentences that a catalogue lacks, by room."""
    known = [english for english, _, _ in entries(language)]
    plain = {SLOT.sub("{}", english) for english in known}

    def has(text: PeopleText) -> bool:
        return SLOT.sub("{}", text.text.strip()) in plain or any(map(text.makes, known))

    sentences = (text for text in said() if text.is_sentence)
    return Counter(text.room for text in sentences if not has(text) and not all(map(has, text.pieces)))


@pytest.mark.parametrize("language", OTHERS)
def test_no_more_is_left_untranslated_than_before(language: str) -> None:
    """Translate a new sentence in the catalogue; after translating old ones, lower their counts."""
    allowed = json.loads(LEFT.read_text())[language]
    assert {room: count for room, count in left(language).items() if count > allowed.get(room, 0)} == {}


@pytest.mark.parametrize("language", OTHERS)
def test_what_is_translated_is_said_somewhere(language: str) -> None:
    exact = {SLOT.sub("{}", each.text.strip()) for text in said() for each in (text, *text.pieces)}
    exact |= {*month_name, *day_name} | {text.lower() for text in exact}
    fixed = set[str]().union(*map(words, exact))
    templates = [each for text in said() for each in text.pieces if "{" in text.text and len(each.needle) >= TELLING]

    def is_said(english: str) -> bool:
        plain = SLOT.sub("{}", english.removeprefix("is ").strip())
        if plain in exact or f"{plain[:1].upper()}{plain[1:]}" in exact:
            return True
        return any(text.makes(english) for text in templates) or words(plain) <= fixed

    assert [english for english, _, _ in entries(language) if not is_said(english)] == []


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_has_the_slots_of_its_text(language: str) -> None:
    for english, context, translation in entries(language):
        slots = sorted(slot.group() for slot in SLOT.finditer(english))
        assert sorted(slot.group() for slot in SLOT.finditer(translation)) == slots, (english, context)
