"""Every choice that “Refine” offers answers what its name says: read back from its words, and checked on rows."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from itertools import islice
from typing import Any

import pytest

from ai.nl2sql.choices import MeaningPart
from ai.nl2sql.lexicon import Lexicon, lexicon_of
from ai.nl2sql.meaning import Meaning
from ai.nl2sql.next_questions import next_questions
from ai.nl2sql.reader import Reading, read, reading_of
from ai.nl2sql.refining import SHARE, further, in_words, parts_of, read_back, refined
from ai.sql.database import Database
from ai.sql.guard import check
from bot.demo.database import build
from tests.paths import ROOT

TODAY = date(2026, 11, 22)
FEW, SOME = 3, 4  # questions without the slow set; choices of a part whose rows are looked at


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Database:
    path = tmp_path_factory.mktemp("demo") / "demo.sqlite"
    build(path, TODAY)
    return Database("demo", f"sqlite:///{path}")


def asked(demo: Database) -> Iterator[tuple[str, Meaning, Lexicon]]:
    catalog = demo.catalog()
    lexicon = lexicon_of(catalog)
    for line in (ROOT / "tests/corpora/demo.jsonl").read_text("utf-8").splitlines():
        question = json.loads(line)["question"]
        found = read(question, catalog, TODAY)
        if isinstance(found, Reading):
            yield question, found.meaning, lexicon


def rows(demo: Database, meaning: Meaning, lexicon: Lexicon) -> list[tuple[Any, ...]]:
    sql = reading_of(meaning, (), lexicon, TODAY).sql
    with demo.run(check(sql, demo.catalog())) as stream:
        return [tuple(row) for batch in stream.batches for row in batch]


def picked(meaning: Meaning, lexicon: Lexicon, **names: str) -> Meaning:
    """The meaning that the words of a choice read back as."""
    words = in_words(7, {part: [name] for part, name in names.items()})
    read = read_back(words)
    assert read is not None, words
    assert read[0] == 7
    found = refined(meaning, read[1], lexicon, TODAY)
    assert isinstance(found, Meaning), found
    return found


def examine(demo: Database, meaning: Meaning, lexicon: Lexicon) -> int:
    parts = {part.name: part for part in parts_of(meaning, lexicon, TODAY)}
    for part in parts.values():
        names = [option.name for option in part.options]
        assert len(set(names)) == len(names)
        for option in part.options:
            one = picked(meaning, lexicon, **{part.name: option.name})
            assert not part.many or option.name in kept(one, part.name, lexicon)
            assert part.many or kept(one, part.name, lexicon) in ((option.name,), ())
        for option in islice(part.options, SOME):
            rows(demo, picked(meaning, lexicon, **{part.name: option.name}), lexicon)
    values_agree_with_groups(demo, meaning, lexicon, parts)
    tops_agree_with_all(demo, meaning, lexicon, parts)
    return len(parts)


def kept(meaning: Meaning, part: str, lexicon: Lexicon) -> tuple[str, ...]:
    """What the modal of a refined answer shows as chosen."""
    return next((each.kept for each in parts_of(meaning, lexicon, TODAY) if each.name == part), ())


def values_agree_with_groups(demo: Database, meaning: Meaning, lexicon: Lexicon, parts: dict[str, MeaningPart]) -> None:
    """“Only where platform is iOS” is the row of iOS in “for each platform”."""
    if not {"only", "per"} <= parts.keys() or meaning.filters or meaning.limit or meaning.measures[1:]:
        return
    for group in parts["per"].options[:8]:
        tests = [test.name for test in parts["only"].options if test.name.startswith(f"{group.name} is ")]
        for test in tests[:2]:
            each = {row[0]: row[-1] for row in rows(demo, picked(meaning, lexicon, per=group.name), lexicon)}
            alone = parts["per"].clear
            assert alone is not None
            one = picked(replace(alone(meaning), order=()), lexicon, only=test)
            expected = next((each[key] for key in each if str(key) == test.removeprefix(f"{group.name} is ")), None)
            if expected is not None:
                assert rows(demo, one, lexicon) == [(pytest.approx(expected),)]


def tops_agree_with_all(demo: Database, meaning: Meaning, lexicon: Lexicon, parts: dict[str, MeaningPart]) -> None:
    """“The 3 highest” are the first of all, “the 5 lowest” those of the other end."""
    if "show" not in parts or not meaning.groups:
        return
    every = rows(demo, picked(meaning, lexicon, show="all, highest first"), lexicon)
    values = [row[-1] for row in every if row[-1] is not None]
    assert values == sorted(values, reverse=True)
    top = rows(demo, picked(meaning, lexicon, show="the 3 highest"), lexicon)
    assert [row[-1] for row in top] == [row[-1] for row in every][:3]


def test_each_choice_answers_what_it_says(demo: Database) -> None:
    assert sum(examine(demo, meaning, lexicon) for _, meaning, lexicon in islice(asked(demo), FEW)) > FEW


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_each_choice_of_every_question_answers_what_it_says(demo: Database) -> None:
    wrong = {}
    for question, meaning, lexicon in islice(asked(demo), FEW, None):
        try:
            examine(demo, meaning, lexicon)
        except AssertionError as error:
            wrong[question] = str(error)
    assert not wrong, json.dumps(wrong, indent=1)[:3000]


def test_words_that_hold_no_choice_are_read_as_none() -> None:
    assert read_back("refine query 7: per platform") is None
    assert read_back("refine this") is None
    assert read_back(in_words(7, {"only": []})) == (7, {"only": []})


def test_a_choice_that_is_gone_says_so(demo: Database) -> None:
    _, meaning, lexicon = next(asked(demo))
    assert "can no longer be chosen" in str(refined(meaning, {"only": ["planet is Mars"]}, lexicon, TODAY))


def leads_on(source: Database, meaning: Meaning, lexicon: Lexicon) -> int:
    """Whatever an answer leads to is read back from its words, and has rows."""
    shown = rows(source, meaning, lexicon)
    steps = next_questions(meaning, shown, lexicon, TODAY, set())
    for step in steps:
        words = read_back(in_words(7, step.picks))
        assert words is not None
        again = refined(meaning, words[1], lexicon, TODAY)
        assert again == step.meaning
        assert rows(source, step.meaning, lexicon), step.label
    for part in further(meaning, lexicon, TODAY):
        whole = rows(source, picked(meaning, lexicon, **{part.name: part.options[0].name}), lexicon)
        if part.name == SHARE and not meaning.limit and any(row[-2] for row in whole):
            assert sum(row[-1] or 0 for row in whole) == pytest.approx(100)
    return len(steps)


def test_each_answer_leads_to_questions_with_an_answer(demo: Database) -> None:
    assert sum(leads_on(demo, meaning, lexicon) for _, meaning, lexicon in islice(asked(demo), FEW)) > FEW


def test_no_question_is_led_to_twice(demo: Database) -> None:
    _, meaning, lexicon = next(asked(demo))
    shown, known = rows(demo, meaning, lexicon), set[Meaning]()
    while steps := next_questions(meaning, shown, lexicon, TODAY, known):
        assert not known & {step.key for step in steps}
        known |= {step.key for step in steps}


@pytest.mark.slow
def test_every_answer_leads_to_questions_with_an_answer(demo: Database) -> None:
    wrong = {}
    for question, meaning, lexicon in islice(asked(demo), FEW, None):
        try:
            leads_on(demo, meaning, lexicon)
        except AssertionError as error:
            wrong[question] = str(error)
    assert not wrong, json.dumps(wrong, indent=1)[:3000]
