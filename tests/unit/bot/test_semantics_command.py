"""`datathread semantics`: a first file is printed, and a file is compared with the database that is configured."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from ai.errors import ConfigError
from bot.cli.main import commands

SOURCES = """\
sources:
  shop: {{url: "sqlite:///{folder}/shop.db", semantics: {semantics}}}
channels:
  "*": {{source: shop}}
"""


def configured(folder: Path, semantics: str, words: str = "") -> dict[str, str]:
    """The environment of a run on a small database, `words` being its semantics file."""
    with closing(sqlite3.connect(folder / "shop.db")) as connection:
        connection.executescript("CREATE TABLE orders (id INTEGER PRIMARY KEY, placed_on DATE, total NUMERIC)")
    (folder / "words.yaml").write_text(words, "utf-8")
    (folder / "datathread.yml").write_text(SOURCES.format(folder=folder, semantics=semantics), "utf-8")
    return {"CONFIG_FILE": str(folder / "datathread.yml"), "DATA_DIR": str(folder / "data")}


def test_a_draft_is_printed_that_fits(tmp_path: Path) -> None:
    environment = configured(tmp_path, "words.yaml")
    drafted = CliRunner().invoke(commands, ["semantics", "draft"], env=environment)
    (tmp_path / "draft.yaml").write_text(drafted.stdout, "utf-8")
    checked = CliRunner().invoke(commands, ["semantics", "check", str(tmp_path / "draft.yaml")], env=environment)
    assert "  orders: placed_on\n" in drafted.stdout
    assert (checked.exit_code, checked.exception) == (0, None)


def test_the_configured_file_lies_beside_the_configuration(tmp_path: Path) -> None:
    words = "metrics:\n  revenue: {table: orders, expression: SUM(total)}\n"
    found = CliRunner().invoke(commands, ["semantics", "check"], env=configured(tmp_path, "words.yaml", words))
    assert found.stdout == f"{tmp_path / 'words.yaml'} fits shop (metrics 1, synonyms 0, wordings 0).\n"


def test_what_does_not_fit_is_printed_and_the_status_is_1(tmp_path: Path) -> None:
    words = "metrics:\n  revenue: {table: orders, expression: SUM(totl)}\nhidden: [order]\n"
    found = CliRunner().invoke(commands, ["semantics", "check"], env=configured(tmp_path, "words.yaml", words))
    assert found.exit_code == 1
    assert found.stdout.splitlines() == [
        f"{tmp_path / 'words.yaml'}, line 2, metrics.revenue.expression: there is no column 'totl' in the table orders; "
        "did you mean total?",
        f"{tmp_path / 'words.yaml'}, line 3, hidden: there is no table 'order'; did you mean orders?",
    ]


def test_definitions_may_stand_in_the_configuration(tmp_path: Path) -> None:
    found = CliRunner().invoke(commands, ["semantics", "check"], env=configured(tmp_path, "{synonyms: {sale: orders}}"))
    assert found.stdout.endswith("sources.shop.semantics fits shop (metrics 0, synonyms 1, wordings 0).\n")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["check"], "The source shop has no semantics; give a file, or name one in CONFIG_FILE."),
        (["draft", "--source", "ship"], "Say which source with --source: shop."),
    ],
)
def test_what_is_missing_is_said(arguments: list[str], says: str, tmp_path: Path) -> None:
    found = CliRunner().invoke(commands, ["semantics", *arguments], env=configured(tmp_path, "null"))
    assert isinstance(found.exception, ConfigError)
    assert str(found.exception) == says
