"""Checked numbers: true sentences pass, corrupted ones do not."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.answers.facts import facts_of
from ai.answers.figures import check, check_rows
from ai.answers.mend import mend
from ai.answers.numerals import numerals
from ai.errors import ConfigError
from ai.results.store import ResultStore
from ai.results.table import ResultColumn, ResultTable
from ai.results.totals import totals
from bot.cli.main import commands
from tests.cases import cases

CORPUS = Path(__file__).with_name("figures.jsonl")
WRITTEN = Path(__file__).with_name("sentences.jsonl")  # one of each form of `tests.fuzz.writers`, and some by hand
PLATFORMS = ResultTable((ResultColumn("platform"), ResultColumn("apps")), (("iOS", 20), ("Android", 29)), 2)


@pytest.mark.parametrize("case", cases(CORPUS))
def test_true_sentences_pass_and_corrupted_ones_do_not(case: dict[str, Any]) -> None:
    for text in case["texts"]:
        found = check_rows(text["says"], case["columns"], case["rows"])
        assert found.ok, (text["says"], found.unbound)
        for old, new in text["corrupted"]:
            corrupted = text["says"].replace(old, new, 1)
            assert corrupted != text["says"], old
            assert not check_rows(corrupted, case["columns"], case["rows"]).ok, corrupted


@pytest.mark.parametrize("case", cases(WRITTEN))
def test_random_sentences_are_judged_rightly(case: dict[str, Any]) -> None:
    found = check_rows(case["says"], case["columns"], case["rows"])
    assert found.ok, (case["says"], found.unbound)
    for wrong in case["corrupted"]:
        assert not check_rows(wrong, case["columns"], case["rows"]).ok, wrong


def test_the_corpus_is_as_large_as_the_documents_say() -> None:
    texts = [text for line in CORPUS.read_text("utf-8").splitlines() for text in json.loads(line)["texts"]]
    assert len(texts) >= 300
    assert sum(len(text["corrupted"]) for text in texts) >= 300


def test_unbound_figures_are_named_where_they_stand() -> None:
    text = "There are **49** apps; iOS has *21*."
    (wrong,) = check(text, PLATFORMS).unbound
    assert text[wrong.start : wrong.end] == wrong.text == "21"


def test_figures_of_the_question_may_be_repeated() -> None:
    text = "In the last 30 days iOS had 20 apps."
    assert not check(text, PLATFORMS).ok
    assert check(text, PLATFORMS, question="apps in the last 30 days?").ok


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ("iOS has 20 apps.", "iOS has 20 apps."),
        ("iOS has 20 apps. Android has **31**. Together they have 49.", "iOS has 20 apps. Together they have 49."),
        ("iOS has 21 apps.", ""),
        ("- iOS: 20\n- Android: 31\n", "- iOS: 20"),
    ],
)
def test_what_is_not_proved_is_taken_out(text: str, mended: str) -> None:
    assert mend(text, PLATFORMS).text == mended


def test_a_computed_sentence_stands_in() -> None:
    found = mend("iOS leads with 29 apps. There are 49 apps.", PLATFORMS, computed="Android leads with 29 apps.")
    assert found.text == "Android leads with 29 apps. There are 49 apps."
    assert found.removed == ("iOS leads with 29 apps.",)


def test_aggregates_of_a_large_result_come_from_all_its_rows(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    rows = [(f"p{n}", n, Decimal(n) / 4) for n in range(20_000)]
    columns = [ResultColumn("player"), ResultColumn("score"), ResultColumn("price")]
    store.write("r", columns, [rows], max_rows=10**6, max_bytes=10**9)
    whole = facts_of(store.head("r"), totals(store, "r"))
    assert check("20,000 rows: scores total 199,990,000, 9,999.5 on average, between 0 and 19,999.", whole).ok
    assert check("The prices add up to 49,997,500.", whole).ok
    assert not check("Scores total 199,980,000.", whole).ok
    assert not check("Scores total 19,900.", store.head("r")).ok, "the first rows do not stand for all"


@settings(deadline=None, max_examples=200)
@given(st.text(max_size=80))
def test_any_text_is_judged(text: str) -> None:
    found = check(text, PLATFORMS)
    assert all(0 <= span.start < span.end <= len(text) for span in found.unbound)


@settings(deadline=None)
@given(st.integers(0, 10**15))
def test_a_number_is_read_as_it_is_written(number: int) -> None:
    for written in (f"{number}", f"{number:,}", f"{number:,}".replace(",", "."), f"{number:,}".replace(",", "'")):
        (found,) = numerals(f"It is {written} today")
        assert number in [reading.value for reading in found.readings]


def test_the_command_judges_a_file(tmp_path: Path) -> None:
    items, out = tmp_path / "items.jsonl", tmp_path / "out.jsonl"
    line = {"id": 7, "text": "iOS has 21 apps.", "columns": ["platform", "apps"], "rows": [["iOS", 20]]}
    items.write_text(json.dumps(line), "utf-8")
    done = CliRunner().invoke(commands, ["figures", "--items", str(items), "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert json.loads(out.read_text("utf-8")) == {"id": 7, "ok": False, "unbound": ["21"]}


@pytest.mark.parametrize(
    "line", ["no JSON", "[]", '{"id": 1, "text": "a"}', '{"id": 1, "text": "", "columns": [1], "rows": []}']
)
def test_a_line_that_is_no_item_is_named(tmp_path: Path, line: str) -> None:
    items = tmp_path / "items.jsonl"
    items.write_text(line, "utf-8")
    done = CliRunner().invoke(commands, ["figures", "--items", str(items), "--out", str(tmp_path / "out")])
    assert isinstance(done.exception, ConfigError)
    assert "line 1" in str(done.exception)
