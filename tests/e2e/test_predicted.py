"""What `datathread predict` tells: the sentence, the chart that was asked for, and how likely an answer is right."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bot.cli.main import commands
from bot.demo import database
from tests.cases import cases

TODAY = date(2026, 11, 22)
TOLD = Path(__file__).with_name("told.jsonl")
QUESTION = "revenue per platform last month"


@pytest.mark.parametrize(("asked", "kind"), [("plot it", "bar"), ("as a pie", "pie")])
def test_a_chart_is_answered_with_the_rows_it_shows(asked: str, kind: str, tmp_path: Path) -> None:
    (line,) = predicted([[QUESTION, asked]], tmp_path)
    assert (line["status"], line["chart"]["kind"], line["total"]) == ("answered", kind, len(line["rows"]))
    assert {"iOS", "Android"} <= {row[0] for row in line["rows"]}


def test_people_read_these_sentences_about_the_demo(tmp_path: Path) -> None:
    told = [case.values[0] for case in cases(TOLD)]
    lines = predicted([case["asked"] for case in told], tmp_path)
    assert [line["text"].split("\n")[0] for line in lines] == [case["text"] for case in told]
    assert all(0.4 < line["confidence"] <= 1 for line in lines), [line["confidence"] for line in lines]


def predicted(threads: list[list[str]], folder: Path) -> list[dict[str, Any]]:
    items, out = folder / "items.jsonl", folder / "out.jsonl"
    asked = [
        {"id": str(at), "db": "demo", "question": thread[-1], "history": thread[:-1]}
        for at, thread in enumerate(threads)
    ]
    items.write_text("\n".join(map(json.dumps, asked)), "utf-8")
    database.build(folder / "demo.sqlite", TODAY)
    given = {"--items": items, "--db-dir": folder, "--today": TODAY, "--out": out}
    arguments = [str(part) for pair in given.items() for part in pair]
    told = CliRunner().invoke(commands, ["predict", *arguments], env={"DATA_DIR": str(folder / "data")})
    assert told.exit_code == 0, told.output
    return [json.loads(line) for line in out.read_text("utf-8").splitlines()]
