"""Whether lines in threads are for the bot: over the command line, and in a thread where people talk."""

import json
from pathlib import Path

from click.testing import CliRunner

from bot.cli.main import commands
from tests.paths import ROOT

TALK = ROOT / "tests/corpora/talk"


def test_talk_among_people_is_left_alone(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    for name, most_talk, least_questions in (
        ("scenes", 0.03, 0.90),
        ("moments", 0.06, 0.90),
        ("follow_ups", 0.0, 0.95),
        ("edits", 0.25, 0.87),
        ("alone", 0.04, 0.93),
        ("steps", 0.0, 1.0),
    ):
        told = CliRunner().invoke(commands, ["listen", "--items", str(TALK / f"{name}.jsonl"), "--out", str(out)])
        assert told.exit_code == 0, told.output
        verdicts = {line["id"]: line["verdict"] for line in map(json.loads, out.read_text("utf-8").splitlines())}
        cases = [json.loads(line) for line in (TALK / f"{name}.jsonl").read_text("utf-8").splitlines()]
        talk = [verdicts[case["id"]] == "answer" for case in cases if case["expect"] == "silent"]
        questions = [verdicts[case["id"]] == "answer" for case in cases if case["expect"] == "answer"]
        assert sum(talk) / len(talk) <= most_talk, name
        assert sum(questions) / len(questions) >= least_questions, name


def test_a_line_that_is_none_is_named(tmp_path: Path) -> None:
    items = tmp_path / "items.jsonl"
    items.write_text('{"id": 1}\n', "utf-8")
    told = CliRunner().invoke(commands, ["listen", "--items", str(items), "--out", str(tmp_path / "out.jsonl")])
    assert "line 1: not a JSON object with id, thread, text and who." in str(told.exception)
