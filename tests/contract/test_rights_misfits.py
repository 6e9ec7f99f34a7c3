"""Rights that fit nothing stop the start with their place; after a change of the schema nothing is read."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ai.errors import ConfigError, SourceUnavailable, SqlRefused
from ai.sql.database import Database
from ai.sql.rights import Rights
from bot.app import warm_up
from bot.monitoring import Levels, SharedMeter
from bot.product import open_product
from config import load
from tests.cases import cases
from tests.figures import figures

TABLES = """
CREATE TABLE staff (id INTEGER PRIMARY KEY, email TEXT, region TEXT);
CREATE TABLE salaries (id INTEGER PRIMARY KEY, gross INTEGER);
INSERT INTO salaries VALUES (1, 7770);
"""


@pytest.fixture(autouse=True)
def _shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with closing(sqlite3.connect("shop.db")) as connection:
        connection.executescript(TABLES)


@pytest.mark.parametrize("case", cases(Path(__file__).parent / "rights_misfits.jsonl"))
def test_what_fits_nothing_stops_the_start(case: dict[str, str]) -> None:
    text = f"sources:\n  shop:\n    url: sqlite:///shop.db\n{case['source']}\n"
    Path("datathread.yaml").write_text(text, "utf-8")
    settings = load(config_file=Path("datathread.yaml"))
    with pytest.raises(ConfigError) as error, open_product(settings):
        pass
    assert case["says"] in str(error.value)
    assert not [words for words in ("7770", case.get("lacks", "7770")) if words in str(error.value)]


def test_nothing_is_read_once_a_denied_column_is_renamed(tmp_path: Path) -> None:
    database = Database(
        "shop", f"sqlite:///{tmp_path / 'shop.db'}", rights=Rights(denied={"salaries": frozenset({"gross"})})
    )
    with closing(database):
        assert [column.name for table in database.catalog().tables for column in table.columns].count("gross") == 0
        with closing(sqlite3.connect(tmp_path / "shop.db")) as connection:
            connection.execute("ALTER TABLE salaries RENAME COLUMN gross TO pay")
        with pytest.raises(SourceUnavailable, match="do not fit its tables"):
            database.check("SELECT pay FROM salaries")


def test_what_the_guard_refuses_is_counted_with_its_layer(tmp_path: Path) -> None:
    meter = SharedMeter()
    settings = load(database_url="sqlite:///shop.db", data_dir=tmp_path)
    with open_product(settings, meter=meter) as product, pytest.raises(SqlRefused) as refused:
        product.sources["shop"].check("DELETE FROM staff")
    assert figures(meter.page(Levels(())))["datathread_refused_queries_total", ("layer", refused.value.layer)] == 1


def test_a_source_that_is_away_is_told_before_the_first_question(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with open_product(load(database_url="sqlite:///shop.db", data_dir=tmp_path)) as product:
        warm_up(product)
        assert caplog.messages == []
        Path("shop.db").unlink()
        warm_up(product)
    assert caplog.messages == [f"There is no database file at {tmp_path / 'shop.db'}; check the database URL."]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
            f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join(['*' + chr(97 + n)] * 10)}]\n" for n in range(8)
        ), "more than 100,000 values"),
        ("sources: " + "[" * 100 + "]" * 100, "nested too deeply"),
        ("sources: " + "[" * 5000 + "]" * 5000, "nested too deeply"),
        ("sources: &a [*a]", "nested too deeply"),
        ("x" * (2**20 + 1), "longer than 1 MB"),
        ("sources: {a: {url: 'sqlite:///a'}, a: {}}", "line 1, sources.a: this name stands here twice"),
        ("a\x07b", "characters that YAML does not allow"),
    ],
    ids=["aliases", "deep", "deeper", "itself", "long", "twice", "control characters"],
)  # fmt: skip
def test_a_file_without_bounds_is_refused(text: str, said: str) -> None:
    Path("datathread.yaml").write_text(text, "utf-8")
    with pytest.raises(ConfigError) as error, open_product(load(config_file=Path("datathread.yaml"))):
        pass
    assert said in str(error.value)


@pytest.mark.parametrize("kind", ["fifo", "device", "folder", "missing"])
def test_what_is_no_file_is_not_read(kind: str) -> None:
    path = {"device": Path("/dev/zero"), "folder": Path(), "missing": Path("none.yaml")}.get(kind, Path("pipe"))
    if kind == "fifo":
        os.mkfifo(path)
    with pytest.raises(ConfigError, match="cannot be read"), open_product(load(config_file=path)):
        pass
