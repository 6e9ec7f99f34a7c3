"""One table of phrases, read the same by everybody who uses the language kit."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from ai.agents.learning.accepted import normal
from ai.agents.wishes.reshape import read_steps
from ai.agents.wishes.step_rules import ResultShape
from ai.errors import UserError
from ai.language import dates, names, numbers, questions, spelling, words
from ai.language.date_phrases import date_phrase
from ai.memory.search import terms
from ai.results.steps import First, Keep
from tests.cases import cases

NOW = datetime(2026, 1, 7, 12, tzinfo=UTC)  # a Wednesday
LINES: tuple[dict[str, Any], ...] = tuple(param.values[0] for param in cases(Path(__file__).with_name("phrases.jsonl")))
LAST_FEW = re.compile(r"last \w+ \w+s$")  # of figures whole days only, of messages today's too
UNREAD = object()  # a user may leave a phrase alone, but not read it otherwise


def of(kind: str) -> pytest.MarkDecorator:
    lines = [line for line in LINES if line["kind"] == kind]
    return pytest.mark.parametrize("line", lines, ids=[line["text"] for line in lines])


def test_there_are_some_three_hundred() -> None:
    assert len(LINES) >= 300
    assert len({(line["kind"], line["text"]) for line in LINES}) == len(LINES)


@of("stem")
def test_a_word_has_the_stem_of_its_family(line: dict[str, Any]) -> None:
    users: tuple[Callable[[str], object], ...] = (
        words.stem,
        words.telling_stems,
        lambda word: set(words.described(word).terms),
        lambda word: questions.split(word)[0].stem,
        lambda word: terms.stems_in(word),
    )
    assert [user(line["text"]) for user in users] == [user(line["same"]) for user in users]


@of("words")
def test_a_text_has_telling_words(line: dict[str, Any]) -> None:
    assert list(words.telling_stems(line["text"])) == line["stems"]


@of("german plural")
def test_a_german_noun_has_its_own_plural(line: dict[str, Any]) -> None:
    assert words.plural(line["text"]) == line["plural"]


@of("plural")
def test_a_noun_has_a_plural(line: dict[str, Any]) -> None:
    assert (words.plural(line["text"]), words.singular(line["plural"])) == (line["plural"], line["text"])
    assert normal(f"how many {line['plural']}") == normal(f"how many {line['text']}")


@of("number")
def test_a_number_is_the_same_for_all(line: dict[str, Any]) -> None:
    expected = None if line["value"] is None else Decimal(line["value"])
    assert numbers.number_of(line["text"]) == expected
    if expected is not None:
        read = {name: user(line["text"]) for name, user in NUMBERS.items()}
        assert {name: value for name, value in read.items() if value not in (UNREAD, expected)} == {}


@of("date")
def test_a_date_is_the_same_for_all(line: dict[str, Any]) -> None:
    if line["period"] is None:
        with pytest.raises(UserError, match="not a date"):
            dates.period_of(line["text"], NOW, ZoneInfo("UTC"))
        return
    found = dates.period_of(line["text"], NOW, ZoneInfo("UTC"))
    expected = tuple(map(date.fromisoformat, line["period"]))
    assert (found.since.date(), found.until.date()) == expected
    assert in_the_reader(line["text"]) in (UNREAD, expected)


@of("country")
def test_a_country_is_the_same_for_all(line: dict[str, Any]) -> None:
    code = line["code"]
    assert names.country_code(line["text"]) == code
    if code is not None and line["text"] != code:
        assert names.same_thing(line["text"], ("ZA", code)) == code
        assert kept(line["text"], code) == code


@of("currency")
def test_a_currency_is_the_same_for_all(line: dict[str, Any]) -> None:
    assert names.currency_code(line["text"]) == line["code"]
    if line["code"] is not None:
        assert names.same_thing(line["text"], ("ZAR", line["code"])) == line["code"]


@of("spelling")
def test_the_nearest_spelling_is_found(line: dict[str, Any]) -> None:
    assert spelling.nearest_name(line["text"], line["among"], 60) == line["nearest"]


def test_every_user_reads_a_good_part_of_the_table() -> None:
    said = [line["text"] for line in LINES if line["kind"] == "number" and line["value"]]
    read = Counter(name for text in said for name, user in NUMBERS.items() if user(text) is not UNREAD)
    read["dates"] = sum(in_the_reader(line["text"]) is not UNREAD for line in LINES if line["kind"] == "date")
    assert min(read.values()) >= 25, read


def in_a_question(text: str) -> object:
    found = questions.split(text)
    scaled = questions.scaled(found[0], found[1] if len(found) > 1 else None)
    whole = " ".join(word.text for word in found) == text
    return Decimal(str(scaled[0])) if whole and scaled and scaled[1] == len(found) else UNREAD


def in_a_wish(text: str) -> object:
    steps = read_steps(f"only those with installs over {text}", table()) or ()
    return next((step.value for step in steps if isinstance(step, Keep)), UNREAD)


def as_a_count(text: str) -> object:
    steps = read_steps(f"only the first {text}", table()) or ()
    return next((step.count for step in steps if isinstance(step, First)), UNREAD)


def in_the_reader(text: str) -> object:
    said = questions.split(text)
    phrase = date_phrase(said, NOW.date())
    if phrase is None or phrase.length < len(said) or LAST_FEW.match(text):
        return UNREAD
    return (phrase.span.start, phrase.span.end or NOW.date() + timedelta(1))


def kept(text: str, code: str) -> object:
    steps = read_steps(f"only {text}", table(code)) or ()
    return next((step.value for step in steps if isinstance(step, Keep)), UNREAD)


def table(code: str = "") -> ResultShape:
    return ResultShape(("country", "installs"), 10**6, numbers=(1,), holding=lambda text: (0,) if text == code else ())


NUMBERS: Mapping[str, Callable[[str], object]] = {
    "questions": in_a_question,
    "wishes": in_a_wish,
    "counts": as_a_count,
}
