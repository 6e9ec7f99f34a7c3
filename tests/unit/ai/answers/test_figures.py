"""Texts with slots: what is said, and what goes because the result does not bear it out."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.answers.filled import sheet_of_rows, written
from ai.answers.phrase import literal
from ai.errors import ConfigError
from bot.cli.main import commands
from tests.cases import cases

PLATFORMS = sheet_of_rows(("platform", "apps"), (("iOS", 20), ("Android", 29)))


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("texts.jsonl")))
def test_a_text(case: dict[str, Any]) -> None:
    """A sentence without `says` goes."""
    found = written(case["text"], sheet_of_rows(case["columns"], case["rows"]), question=case.get("question", ""))
    assert found.text == case.get("says", "")


def test_a_computed_sentence_stands_in() -> None:
    text = "iOS leads with {{apps | iOS}}. There are {{sum apps}} apps. Android fell."
    found = written(text, PLATFORMS, computed="Android leads with 29 apps.")
    assert found.text == "Android leads with 29 apps. There are 49 apps."
    assert found.unbound == ("leads", "fell")


def test_sums_of_a_cut_result_are_not_written() -> None:
    assert written("There are {{sum apps}} apps.", PLATFORMS).text
    cut = type(PLATFORMS)(PLATFORMS.names, PLATFORMS.formats, PLATFORMS.rows, cut=True)
    assert not written("There are {{sum apps}} apps.", cut).text


def test_values_are_escaped_for_the_surface() -> None:
    sheet = sheet_of_rows(("name", "n"), (("<!channel> *b*", 5),))
    assert written("{{name}} has {{n}}.", sheet, shown=literal).text == "\\<\\!channel\\> \\*b\\* has 5."


@settings(deadline=None, max_examples=200)
@given(st.text(max_size=80))
def test_any_text_is_judged(text: str) -> None:
    assert "{{" not in written(text, PLATFORMS).text


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
