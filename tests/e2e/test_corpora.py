"""Whole question sets by `datathread predict`: what people would have read must not become worse.

`tests/corpora/bars.jsonl` gives the least share of right answers, and the most wrong ones, in percent of all items.
The figures that are published come from sets that nobody tuned on; these are floors.
"""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.cases import cases
from tests.corpora.companies import CORPORA, asked, asked_about, build

DEMO = {"right": 87, "wrong": 3}  # of every third question, in percent


@pytest.fixture(scope="session")
def companies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for the SQLite files of the companies that the sets ask about."""
    return tmp_path_factory.mktemp("companies")


@pytest.mark.timeout(600)
@pytest.mark.parametrize("bar", cases(CORPORA / "bars.jsonl"))
def test_what_people_read_stays_right(bar: dict[str, Any], companies: Path, tmp_path: Path) -> None:
    items = CORPORA / f"{bar['set']}.jsonl"
    build(companies, asked_about(items))
    keeps(bar, asked(items, companies, tmp_path))


def test_every_third_question_about_the_demo_stays_right(companies: Path, tmp_path: Path) -> None:
    some = tmp_path / "demo.jsonl"
    some.write_text("".join((CORPORA / "demo.jsonl").read_text("utf-8").splitlines(keepends=True)[::3]), "utf-8")
    build(companies, asked_about(some))
    keeps(DEMO, asked(some, companies, tmp_path))


def keeps(bar: dict[str, Any], found: Counter[str]) -> None:
    assert found["right"] >= found.total() * bar["right"] / 100, found
    assert found["wrong"] <= found.total() * bar["wrong"] / 100, found
