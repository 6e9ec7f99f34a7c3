"""With a model that is always wrong, never fewer questions are answered right than by the reader alone."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from ai.analysts.built_in import OFFER
from bot.cli.main import commands
from bot.demo import database
from tests.cases import cases
from tests.corpora.companies import CORPORA, TODAY
from tests.corpora.score import lines, verdict
from tests.openai_server import Asked, ModelServer, Reply

WRONG = [line.values[0]["sql"] for line in cases(Path(__file__).with_name("wrong_sql.jsonl"))]
EVERY = 8  # items of which one is asked in the short form
READABLE = ("answerable", "ambiguous")  # what the reader refuses, the model answers


def always_wrong(asked: Asked) -> Reply:
    """Plausible SQL that answers another question, the same one for the same prompt."""
    if asked.schema == "route":
        return Reply(data={"intent": "sql_query"})
    if asked.schema == "answer":
        sql = WRONG[sum(map(ord, asked.messages[-1])) % len(WRONG)]
        return Reply(data={"kind": "sql", "sql": sql, "text": "as asked", "expects": "rows"})
    return Reply(text="These are the rows.")


@pytest.mark.parametrize("every", [EVERY, pytest.param(1, marks=pytest.mark.slow)], ids=["some", "all"])
def test_a_model_that_is_always_wrong_takes_no_right_answer_away(every: int, tmp_path: Path) -> None:
    database.build(tmp_path / "demo.sqlite", TODAY)
    items = tmp_path / "items.jsonl"
    items.write_text("\n".join((CORPORA / "demo.jsonl").read_text("utf-8").splitlines()[::every]), "utf-8")

    def right(name: str, **environment: str) -> set[str]:
        out = tmp_path / f"{name}.jsonl"
        arguments = ["--items", items, "--db-dir", tmp_path, "--today", TODAY, "--out", out]
        told = CliRunner().invoke(
            commands, ["predict", *map(str, arguments)], env={"DATA_DIR": str(tmp_path / name), **environment}
        )
        assert told.exit_code == 0, told.output
        asked = {str(item["id"]): item for item in lines(items) if item["kind"] in READABLE}
        answers = {str(answer["id"]): answer for answer in lines(out)}
        file = tmp_path / "demo.sqlite"
        said = {
            name for name in asked if OFFER not in str(answers[name]["text"])
        }  # offers beside a refusal are no answer
        return {name for name in said if verdict(asked[name], answers[name], file) == "right"}

    with ModelServer(always_wrong) as server:
        beside = right("beside", OPENAI_BASE_URL=server.url)
        assert server.journal
    alone = right("alone")
    assert alone
    assert alone - beside == set()
