"""`datathread link`: lines of questions in, lines of tables and columns out."""

import json
from pathlib import Path

from click.testing import CliRunner, Result

from ai.errors import ConfigError
from bot.cli.main import commands

SCHEMA = {
    "apps": {"columns": [{"name": "id", "type": "INTEGER"}, {"name": "platform", "type": "TEXT"}], "pk": ["id"]},
    "trees": {"columns": [{"name": "height", "type": "REAL"}]},
}


def run_link(folder: Path, items: str, budget: int = 100) -> Result:
    (folder / "schema.json").write_text(json.dumps(SCHEMA), "utf-8")
    (folder / "items.jsonl").write_text(items, "utf-8")
    where = ["--schema", str(folder / "schema.json"), "--items", str(folder / "items.jsonl")]
    return CliRunner().invoke(commands, ["link", *where, "--budget", str(budget)])


def test_every_question_gets_a_line(tmp_path: Path) -> None:
    found = run_link(
        tmp_path, '{"id": "a", "question": "apps per platform"}\n\n{"question": "tall trees"}\n', budget=12
    )
    first, second = map(json.loads, found.stdout.splitlines())
    assert (first["id"], first["tables"][0], first["tokens"]) == ("a", "apps", 10)
    assert ["apps", "platform"] in first["columns"]
    assert (second["id"], second["tables"][0]) == (3, "trees")


def test_a_line_that_is_no_question_is_named(tmp_path: Path) -> None:
    found = run_link(tmp_path, '{"question": "apps"}\n{"id": 1}\n')
    assert isinstance(found.exception, ConfigError)
    assert "line 2" in str(found.exception)
