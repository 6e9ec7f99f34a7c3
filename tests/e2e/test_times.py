"""Ways to say a time, asked by `datathread predict`: each line of `times.jsonl` names its first day and the day after."""

import json
from datetime import date
from pathlib import Path

from click.testing import CliRunner

from bot.cli.main import commands
from bot.demo import database

TIMES = Path(__file__).with_name("times.jsonl")
TODAY = date(2026, 11, 22)


def test_a_time_is_read_as_people_say_it(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    database.build(tmp_path / "demo.sqlite", TODAY)
    given = {"--items": TIMES, "--db-dir": tmp_path, "--today": TODAY, "--out": out}
    arguments = [str(part) for pair in given.items() for part in pair]
    told = CliRunner().invoke(commands, ["predict", *arguments], env={"DATA_DIR": str(tmp_path / "data")})
    assert told.exit_code == 0, told.output
    answers = {line["id"]: line for line in map(json.loads, out.read_text("utf-8").splitlines())}
    for item in map(json.loads, TIMES.read_text("utf-8").splitlines()):
        sql = answers[item["id"]]["sql"] or ""
        assert f">= '{item['from']}'" in sql, item
        assert ("< '" in sql) == ("to" in item), item
        assert "to" not in item or f"< '{item['to']}'" in sql, item
