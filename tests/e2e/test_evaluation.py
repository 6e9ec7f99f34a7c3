"""Golden questions on the command line: what is answered as before, what is not, and the exit status."""

import json
from pathlib import Path

from tests.processes import datathread

GOLDEN = [
    {"id": "right", "question": "how many apps do we have?", "sql": "SELECT COUNT(*) FROM app_portfolio"},
    {"id": "wrong", "question": "how many iOS apps do we have?", "sql": "SELECT COUNT(*) FROM app_portfolio"},
    {"id": "old", "question": "how many apps do we have?", "sql": "SELECT COUNT(*) FROM no_such_table"},
]


def test_golden_questions_are_asked_and_compared(tmp_path: Path) -> None:
    items, out = tmp_path / "golden.jsonl", tmp_path / "out.json"
    items.write_text("\n".join(map(json.dumps, GOLDEN)), "utf-8")
    told = datathread(tmp_path, "eval", "--items", str(items), "--out", str(out))
    assert told.returncode == 1, told.stderr
    assert told.stdout.splitlines()[-1].startswith("1 of 3 golden questions are answered as before")
    right, wrong, old = json.loads(out.read_text("utf-8"))
    assert (right["state"], right["same"], right["changed"]) == ("same", 1, [])
    assert (wrong["state"], len(wrong["changed"]), wrong["changed"][0]["before"]) == ("changed", 1, 49)
    assert (old["state"], bool(old["problem"])) == ("stale", True)

    items.write_text(json.dumps(GOLDEN[0]), "utf-8")
    assert datathread(tmp_path, "eval", "--items", str(items)).returncode == 0
    items.write_text('{"question": 3', "utf-8")
    refused = datathread(tmp_path, "eval", "--items", str(items))
    assert (refused.returncode, refused.stderr) == (
        2, f"{items}, line 1: give a JSON object with id, question and sql.\n",
    )  # fmt: skip


def test_the_definitions_that_hold_are_printed_as_a_file(tmp_path: Path) -> None:
    shown = datathread(tmp_path, "semantics", "show")
    assert shown.returncode == 0, shown.stderr
    file = tmp_path / "shown.yaml"
    file.write_text(shown.stdout, "utf-8")
    checked = datathread(tmp_path, "semantics", "check", str(file))
    assert "fits demo" in checked.stdout
