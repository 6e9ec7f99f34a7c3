"""A model behind the command line: processes that ask it by its URL, say what it cost, and go on without it."""

import json
from pathlib import Path
from typing import Any

from tests.openai_server import ModelServer, Script
from tests.processes import datathread

COUNTED = {
    "kind": "sql",
    "sql": "SELECT COUNT(*) AS apps FROM app_portfolio",
    "text": "the number of apps",
    "assumptions": [],
    "options": [],
    "expects": "value",
}
QUESTION = "how many apps do we have?"


def ask(folder: Path, question: str, thread: str, **settings: str) -> dict[str, Any]:
    told = datathread(folder, "ask", question, "--thread", thread, "--json", **settings)
    assert told.returncode == 0, told.stderr
    answer: dict[str, Any] = json.loads(told.stdout)
    return answer


def test_what_a_model_cost_is_told_and_a_spent_budget_is_answered_by_rules(tmp_path: Path) -> None:
    with ModelServer(Script([{"reply": {"data": COUNTED, "cached": 64}}])) as server:
        settings = {"OPENAI_BASE_URL": server.url, "OPENAI_MODEL": "gpt-x", "MODEL_PROMPT_PRICE": "2"}
        answer = ask(tmp_path, QUESTION, "t1", **settings)
        cost = ask(tmp_path, "what did that cost?", "t1", **settings)
        refused = ask(tmp_path, QUESTION, "t2", **settings, MODEL_TOTAL_TOKENS="100")
        assert len(server.journal) == 1
        sent = server.prompt_tokens
    assert (answer["rows"], answer["analyst"]) == ([[49]], "language model gpt-x")
    assert cost["text"].startswith(f"That answer took 1 call of gpt-x: {sent:,} tokens sent (64 of them cached) and ")
    assert f"; {sent * 2 / 1e6:.4f} USD; " in cost["text"]
    assert refused["rows"] == [[49]]
    assert refused["analyst"].startswith("built-in reader")
    assert "budget" in refused["analyst"] + refused["reading"]
