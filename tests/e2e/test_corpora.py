"""Whole question sets by `datathread predict`: what people would have read must not become worse.

`tests/corpora/bars.jsonl` gives the least share of right answers, and the most wrong ones, in percent of all items.
The figures that are published come from sets that nobody tuned on; these are floors.
"""

import lzma
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bot.cli.main import commands
from bot.demo import database
from tests.cases import cases
from tests.corpora.score import lines, score
from tests.paths import ROOT

CORPORA = ROOT / "tests/corpora"
TODAY = date(2026, 11, 22)


@pytest.fixture(scope="session")
def companies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a SQLite file for each company that the sets ask about."""
    folder = tmp_path_factory.mktemp("companies")
    database.build(folder / "demo.sqlite", TODAY)
    for archive in CORPORA.glob("*.sql.xz"):
        name = archive.name.removesuffix(".sql.xz")
        with closing(sqlite3.connect(folder / f"{name}.sqlite")) as connection:
            connection.executescript(lzma.decompress(archive.read_bytes()).decode())
    return folder


@pytest.mark.parametrize("bar", cases(CORPORA / "bars.jsonl"))
def test_what_people_read_stays_right(bar: dict[str, Any], companies: Path, tmp_path: Path) -> None:
    items, out = CORPORA / f"{bar['set']}.jsonl", tmp_path / "out.jsonl"
    arguments = ["--items", items, "--db-dir", companies, "--semantics", CORPORA, "--today", TODAY, "--out", out]
    told = CliRunner().invoke(commands, ["predict", *map(str, arguments)], env={"DATA_DIR": str(tmp_path / "data")})
    assert told.exit_code == 0, told.output
    asked = lines(items)
    found = score(asked, lines(out), companies)
    assert found["right"] >= len(asked) * bar["right"] / 100, found
    assert found["wrong"] <= len(asked) * bar["wrong"] / 100, found
