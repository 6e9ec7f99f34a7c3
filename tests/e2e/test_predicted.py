"""What `datathread predict` tells: the sentence, the chart that was asked for, and how likely an answer is right."""

import json
import shutil
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

TODAY = date(2026, 11, 22)
TOLD = Path(__file__).with_name("told.jsonl")
COMPANIES = Path(__file__).parents[1] / "unit/ai/nl2sql"
QUESTION = "revenue per platform last month"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("demo") / "demo.sqlite"
    database.build(path, TODAY)
    return path


@pytest.mark.parametrize(("asked", "kind"), [("plot it", "bar"), ("as a pie", "pie")])
def test_a_chart_is_answered_with_the_rows_it_shows(asked: str, kind: str, demo: Path, tmp_path: Path) -> None:
    shutil.copyfile(demo, tmp_path / demo.name)
    (line,) = predicted([("demo", [QUESTION, asked])], tmp_path)
    assert (line["status"], line["chart"]["kind"], line["total"]) == ("answered", kind, len(line["rows"]))
    assert {"iOS", "Android"} <= {row[0] for row in line["rows"]}


def test_people_read_these_sentences(demo: Path, tmp_path: Path) -> None:
    shutil.copyfile(demo, tmp_path / demo.name)
    told = [case.values[0] for case in cases(TOLD)]
    for name in {case["db"] for case in told if "db" in case}:
        with closing(sqlite3.connect(tmp_path / f"{name}.sqlite")) as company:
            company.executescript((COMPANIES / f"{name}.sql").read_text("utf-8"))
    lines = predicted([(case.get("db", "demo"), case["asked"]) for case in told], tmp_path)
    assert [line["text"].split("\n")[0] for line in lines] == [case["text"] for case in told]
    assert all(0.4 < line["confidence"] <= 1 for line in lines), [line["confidence"] for line in lines]


def predicted(threads: list[tuple[str, list[str]]], folder: Path) -> list[dict[str, Any]]:
    items, out = folder / "items.jsonl", folder / "out.jsonl"
    asked = [
        {"id": str(at), "db": name, "question": thread[-1], "history": thread[:-1]}
        for at, (name, thread) in enumerate(threads)
    ]
    items.write_text("\n".join(map(json.dumps, asked)), "utf-8")
    given = {"--items": items, "--db-dir": folder, "--semantics": COMPANIES, "--today": TODAY, "--out": out}
    arguments = [str(part) for pair in given.items() for part in pair]
    told = CliRunner().invoke(commands, ["predict", *arguments], env={"DATA_DIR": str(folder / "data")})
    assert told.exit_code == 0, told.output
    return [json.loads(line) for line in out.read_text("utf-8").splitlines()]
