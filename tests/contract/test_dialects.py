"""The client against servers as they are, by their recorded dialects: each answers a question from end to end."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from ai.agents.port import Answer, NoteEvent, run_now
from ai.analysts.client.client import ModelClient
from ai.types import Request, ThreadKey
from tests.desk import open_desk
from tests.memories import NOON, opened
from tests.models import ENDPOINT, MESSAGES, SCHEMA, model_analyst, scripted_model, spender
from tests.openai_server import ModelServer, Script
from tests.openai_server.dialect import NAMES, Dialect

ASKED_EIGHT = {"llama_cpp", "vllm", "ollama", "lm_studio", "azure", "openrouter", "anthropic", "gemini"}
COUNT = {
    "kind": "sql",
    "sql": "SELECT COUNT(*) AS app_count FROM apps",
    "text": "apps",
    "assumptions": None,
    "expects": "value",
}
PAIRS = {"kind": "sql", "sql": "SELECT name, platform FROM apps", "text": "apps", "expects": "rows"}
KNOWS = Script(
    [
        {"when": {"stream": True}, "reply": {"text": "All **3** apps."}},
        {"when": {"contains": ["platform?"]}, "reply": {"data": PAIRS}},
        {"reply": {"data": COUNT}},
    ]
)


def test_there_is_a_dialect_of_each_server() -> None:
    assert set(NAMES) >= ASKED_EIGHT
    assert [name for name in NAMES if not Dialect.load(name, KNOWS).recorded["sources"]] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_question_is_answered_by_the_model(name: str, tmp_path: Path) -> None:
    with model_analyst(tmp_path, Dialect.load(name, KNOWS)) as (analyst, model), open_desk(tmp_path, analyst) as desk:

        def ask(text: str, turn: int) -> Answer:
            thread = ThreadKey("T", "C", str(turn))
            desk.memory.receive(thread, f"T/{turn}", text, "U1", NOON)
            return Answer(
                tuple(desk.orchestrator.answer(Request(f"T/{turn}", thread, text, "U1", NOON, "shop"), run_now))
            )

        for turn, (text, says) in enumerate({"how many apps do we have?": "3 apps", "platform?": "Ada"}.items()):
            answer = ask(text, turn)
            (note,) = [event for event in answer.events if isinstance(event, NoteEvent)]
            assert note.analyst == "language model test-model"
            assert says in answer.text + str(answer.events)
        refused = [each for each in model.server.journal if each.reply is None or each.reply.status != 200]
        asked = len(model.server.journal)
        assert len(refused) <= 5
        assert ask("how many apps do we have now?", 9).text
        assert len(model.server.journal) == asked + 1, "what was found out was not remembered"


def test_what_a_probe_found_is_kept_for_the_next_process(tmp_path: Path) -> None:
    with opened(tmp_path) as memory, ModelServer(Dialect.load("anthropic", KNOWS), probed=True) as server:
        kept = tmp_path / "profiles.json"
        endpoint = replace(ENDPOINT, base_url=server.url, profiles=kept)
        for forms in (["json_schema", "function", "function"], ["function"]):
            server.journal.clear()
            with closing(ModelClient(endpoint, memory.spending, len)) as client:
                client.complete(MESSAGES, spender("1"), "write_sql", schema=SCHEMA)
            assert [each.asked.form for each in server.journal] == forms
        assert ENDPOINT.key not in kept.read_text()


def test_each_purpose_has_its_model(tmp_path: Path) -> None:
    endpoint = replace(ENDPOINT, models={"phrase": "talker", "summarise": "short"})
    with scripted_model(tmp_path, Script([{"reply": {"data": {"sql": "SELECT 1"}}}]), endpoint) as model:
        for purpose in ("write_sql", "phrase", "summarise"):
            model.client.complete(MESSAGES, spender("1"), purpose, schema=SCHEMA)
        assert [each.asked.body["model"] for each in model.server.journal] == ["test-model", "talker", "short"]
        assert [entry.model for entry in model.book.of_turn("1")] == ["test-model", "talker", "short"]


@pytest.mark.parametrize("name", ["gpt-5-pro", "gpt-5-codex", "o1-mini", "computer-use-preview"])
def test_no_name_of_a_model_changes_the_endpoint_or_the_roles(tmp_path: Path, name: str) -> None:
    endpoint = replace(ENDPOINT, model=name, temperature=0.2, output_tokens=300)
    with scripted_model(tmp_path, Script([{"reply": {"text": "fine"}}]), endpoint) as model:
        assert model.client.complete(MESSAGES, spender("1"), "phrase").text == "fine"
        (served,) = model.server.journal
    assert served.asked.path.endswith("/v1/chat/completions")
    assert [message["role"] for message in served.asked.body["messages"]] == ["system", "user"]
    assert (served.asked.body["temperature"], served.asked.body["max_tokens"]) == (0.2, 300)
