"""A chart asked for, as `datathread predict` describes it: the rows that are drawn, and the kind that was asked for."""

import json
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.cli.main import commands
from bot.demo import database

TODAY = date(2026, 11, 22)
QUESTION = "revenue per platform last month"


@pytest.mark.parametrize(("asked", "kind"), [("plot it", "bar"), ("as a pie", "pie")])
def test_a_chart_is_answered_with_the_rows_it_shows(asked: str, kind: str, tmp_path: Path) -> None:
    items, out = tmp_path / "items.jsonl", tmp_path / "out.jsonl"
    items.write_text(json.dumps({"id": "1", "db": "demo", "question": asked, "history": [QUESTION]}), "utf-8")
    database.build(tmp_path / "demo.sqlite", TODAY)
    given = {"--items": items, "--db-dir": tmp_path, "--today": TODAY, "--out": out}
    arguments = [str(part) for pair in given.items() for part in pair]
    told = CliRunner().invoke(commands, ["predict", *arguments], env={"DATA_DIR": str(tmp_path / "data")})
    assert told.exit_code == 0, told.output
    line = json.loads(out.read_text("utf-8"))
    assert (line["status"], line["chart"]["kind"], line["total"]) == ("answered", kind, len(line["rows"]))
    assert {"iOS", "Android"} <= {row[0] for row in line["rows"]}
