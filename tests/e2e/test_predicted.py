"""What `datathread predict` tells of an answer beside its rows: the chart that was asked for, and how sure it is."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bot.cli.main import commands
from bot.demo import database

TODAY = date(2026, 11, 22)
QUESTION = "revenue per platform last month"


@pytest.mark.parametrize(("asked", "kind"), [("plot it", "bar"), ("as a pie", "pie")])
def test_a_chart_is_answered_with_the_rows_it_shows(asked: str, kind: str, tmp_path: Path) -> None:
    line = predicted(asked, [QUESTION], tmp_path)
    assert (line["status"], line["chart"]["kind"], line["total"]) == ("answered", kind, len(line["rows"]))
    assert {"iOS", "Android"} <= {row[0] for row in line["rows"]}


@pytest.mark.parametrize(("asked", "history"), [(QUESTION, []), ("only ios", [QUESTION])])
def test_an_answer_says_how_likely_it_is_right(asked: str, history: list[str], tmp_path: Path) -> None:
    line = predicted(asked, history, tmp_path)
    assert line["status"] == "answered"
    assert 0.5 < line["confidence"] <= 1


def predicted(asked: str, history: list[str], folder: Path) -> dict[str, Any]:
    items, out = folder / "items.jsonl", folder / "out.jsonl"
    items.write_text(json.dumps({"id": "1", "db": "demo", "question": asked, "history": history}), "utf-8")
    database.build(folder / "demo.sqlite", TODAY)
    given = {"--items": items, "--db-dir": folder, "--today": TODAY, "--out": out}
    arguments = [str(part) for pair in given.items() for part in pair]
    told = CliRunner().invoke(commands, ["predict", *arguments], env={"DATA_DIR": str(folder / "data")})
    assert told.exit_code == 0, told.output
    line: dict[str, Any] = json.loads(out.read_text("utf-8"))
    return line
