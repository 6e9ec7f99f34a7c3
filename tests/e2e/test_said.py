"""`datathread say` puts results into the words of an answer."""

import json
from pathlib import Path

from click.testing import CliRunner

from bot.cli.main import commands
from tests.paths import ROOT

SAID = ROOT / "tests/unit/ai/answers/said.jsonl"
PLAIN = {"case", "question", "sql", "columns", "rows", "truncated", "text", "headings", "cells", "reading"}


def test_results_are_put_into_words(tmp_path: Path) -> None:
    cases = [case for case in map(json.loads, SAID.read_text("utf-8").splitlines()) if case.keys() <= PLAIN]
    items, out = tmp_path / "items.jsonl", tmp_path / "out.jsonl"
    items.write_text("\n".join(json.dumps({**case, "id": case["case"]}) for case in cases), "utf-8")
    told = CliRunner().invoke(
        commands,
        ["say", "--items", str(items), "--out", str(out), "--today", "2026-11-22"],
        env={"DATA_DIR": str(tmp_path)},
    )
    assert told.exit_code == 0, told.output
    answers = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert len(answers) == len(cases)
    for case, answer in zip(cases, answers, strict=True):
        for part in ("text", "headings", "cells"):
            assert answer[part] == case.get(part, answer[part]), case["case"]
