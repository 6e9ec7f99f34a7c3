"""The pages made from the code are current, and no error is without a cure."""

import json
from pathlib import Path

import pytest

from tests.docs.error_texts import error_texts, unread
from tests.docs.pages import PAGES
from tests.docs.troubleshooting import cures
from tests.paths import ROOT

MADE_ELSEWHERE = Path(__file__).with_name("made_elsewhere.jsonl")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_current(name: str) -> None:
    assert (ROOT / name).read_text("utf-8") == PAGES[name](), f"{name} is stale: run `make fix`"


def test_every_error_has_one_cure_and_every_cure_an_error() -> None:
    """A new error needs a line of cures.jsonl; errors with the same cause share one."""
    said = sorted({known.text for known in error_texts()})
    assert sorted(text for cure in cures() for text in cure.errors) == said


def test_every_cure_says_why_and_what_to_do() -> None:
    assert [cure for cure in cures() if len(cure.cause) < 20 or not cure.cure.strip().endswith((".", ":"))] == []


def test_every_other_error_is_known_to_be_made_elsewhere() -> None:
    lines = [json.loads(line) for line in MADE_ELSEWHERE.read_text("utf-8").splitlines()]
    assert {(line["module"], line["expression"]) for line in lines} == {(u.module, u.expression) for u in unread()}
    assert all(line["reason"] for line in lines)


def test_a_new_error_is_found() -> None:
    texts = {known.text for known in error_texts()}
    assert "DATA_DIR … has … MB left; make room." in texts  # of a constant with a slot
    assert "The language model cannot be reached; try again in a minute." in texts  # of a table
    assert "Stopped." in texts  # of the error itself
