"""How well questions find their evidence, on public conversations; the commands run the same code."""

import json
from pathlib import Path

import pytest

from ai.errors import UserError
from ai.files.json_lines import written
from ai.memory.corpora import matched, recalled
from tests.paths import SHARED_DATA
from tests.processes import datathread

DOCS, QUESTIONS = (SHARED_DATA / "recall" / f"locomo.{name}.jsonl" for name in ("docs", "questions"))
there = pytest.mark.skipif(not DOCS.exists(), reason="the shared conversations (data/recall) are not here")


def shares(docs: Path, questions: Path) -> tuple[float, float]:
    """The share of the evidence among the first ten, and of questions with all of it in a prompt of 4,000 tokens."""
    evidence = {
        line["id"]: set(line["evidence"]) for line in map(json.loads, questions.read_text("utf-8").splitlines())
    }
    found = list(recalled(docs, questions, 20, 4000))
    ranked = sum(len(evidence[line["id"]] & set(line["ids"][:10])) / len(evidence[line["id"]]) for line in found)
    shown = sum(evidence[line["id"]] <= set(line["prompt_ids"]) for line in found)
    return ranked / len(found), shown / len(found)


@there
def test_the_evidence_of_one_conversation_is_found(tmp_path: Path) -> None:
    for source, name in ((DOCS, "docs"), (QUESTIONS, "questions")):
        lines = [
            line
            for line in source.read_text("utf-8").splitlines(keepends=True)
            if json.loads(line)["thread"] == "locomo-0"
        ]
        (tmp_path / name).write_text("".join(lines[: len(lines) if name == "docs" else 40]), "utf-8")
    ranked, shown = shares(tmp_path / "docs", tmp_path / "questions")
    assert ranked >= 0.65  # a hard one: all five together have 0.75
    assert shown >= 0.8


@there
@pytest.mark.deep
def test_the_evidence_of_all_conversations_is_found() -> None:
    ranked, shown = shares(DOCS, QUESTIONS)
    assert ranked >= 0.72
    assert shown >= 0.85


def test_the_command_recalls(tmp_path: Path) -> None:
    said = [
        {"thread": "t", "id": f"m{n}", "author": "Ada", "at": "2026-01-07T12:00:00", "text": f"word{n}"}
        for n in range(3)
    ]
    (tmp_path / "docs").write_text("\n".join(map(json.dumps, said)), "utf-8")
    (tmp_path / "questions").write_text('{"id": "q", "thread": "t", "text": "word1"}\n', "utf-8")
    options = ["--docs", "docs", "--questions", "questions", "--k", "1", "--budget", "4000", "--out", "out"]
    assert datathread(tmp_path, "recall", *options).stdout == "1 questions\n"
    out = json.loads((tmp_path / "out").read_text("utf-8"))
    assert out == {"id": "q", "ids": ["m1"], "prompt_ids": ["m0", "m1", "m2"]}


@pytest.mark.parametrize(
    ("line", "told"), [("{", "line 1 is not JSON"), ('{"id": 1}', "has no 'queries'"), ("3", "has no")]
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str, told: str) -> None:
    (tmp_path / "items").write_text(line, "utf-8")
    with pytest.raises(UserError, match=told):
        written(matched(tmp_path / "items"), tmp_path / "out")
