"""The client of a language model against a server on a real socket: answers, every fault, deadlines, and its book."""

import logging
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any, get_args

import pytest

from ai.analysts.client.client import Completion, ModelClient
from ai.analysts.client.faults import SENTENCES
from ai.errors import ModelFault, ModelUnavailable
from ai.ledger import TokenUsage
from tests.cases import cases
from tests.memories import opened
from tests.models import ENDPOINT, KEY, MESSAGES, SCHEMA, THREAD, Model, count_rows, scripted_model, spender
from tests.openai_server import ModelServer, Script

SOON = 0.3  # seconds that a turn has here
SAFE = 10.0  # well below what any of the delays would take


def both_ways(lines: list[Any]) -> list[Any]:
    """Each case for an answer as a whole and for a streamed one, unless its line says that it is of one of them."""
    return [
        pytest.param(line.values[0], streamed, id=f"{line.id}-{'streamed' if streamed else 'whole'}")
        for line in lines
        for streamed in (False, True)
        if line.values[0].get("stream", streamed) == streamed
    ]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Model]:
    """A client with all the time it needs."""
    with scripted_model(tmp_path_factory.mktemp("patient"), Script([])) as opened:
        yield opened


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Model]:
    """A client whose turns have hardly any time."""
    endpoint = replace(ENDPOINT, seconds=SOON)
    with scripted_model(tmp_path_factory.mktemp("hasty"), Script([]), endpoint) as opened:
        yield opened


@pytest.fixture
def turn(request: pytest.FixtureRequest) -> str:
    """A turn of its own for each test."""
    return str(request.node.name)


@pytest.mark.parametrize(("case", "streamed"), both_ways(cases(Path(__file__).with_name("model_faults.jsonl"))))
def test_every_fault_ends_in_an_answer_or_in_one_family(
    model: Model, turn: str, case: dict[str, Any], streamed: bool
) -> None:
    *first, last = case["replies"] or [None]
    model.play(Script([{"reply": reply, "times": 1} for reply in first] + ([{"reply": last}] if last else [])))
    text, kind = outcome(model, turn, streamed=streamed)
    assert kind == case["kind"]
    assert text == ("" if kind else "fine")
    assert len(model.server.journal) == case["requests"]
    assert [entry.outcome for entry in model.book.of_turn(turn)] == [kind or "ok"]


@pytest.mark.parametrize(("case", "streamed"), both_ways(cases(Path(__file__).with_name("model_delays.jsonl"))))
def test_a_turn_ends_by_its_deadline(hasty: Model, turn: str, case: dict[str, Any], streamed: bool) -> None:
    hasty.play(Script([{"reply": case["reply"]}]))
    started = monotonic()
    assert outcome(hasty, turn, streamed=streamed)[1] == "slow"
    assert outcome(hasty, turn, streamed=streamed)[1] == "slow", "the turn's time was over"
    assert monotonic() - started < SAFE
    assert len(hasty.server.journal) <= 1


def test_a_server_that_is_not_there_is_down(tmp_path: Path, turn: str) -> None:
    with scripted_model(tmp_path, Script([])) as model:
        model.server.close()
        assert outcome(model, turn, streamed=False)[1] == "down"


@pytest.mark.parametrize("usage", [True, False], ids=["reported", "counted"])
@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
def test_what_an_answer_took_stands_in_the_book(model: Model, turn: str, streamed: bool, usage: bool) -> None:
    model.play(Script([{"reply": {"text": "There are 42 apps.", "usage": usage, "cached": 5}}]))
    assert outcome(model, turn, streamed=streamed) == ("There are 42 apps.", "")
    (entry,) = model.book.of_turn(turn)
    assert entry in model.book.of_thread(THREAD)
    assert entry.usage == (TokenUsage(12, 5, 6, reported=True) if usage else TokenUsage(20, 0, 6, reported=False))
    assert entry.cost == pytest.approx((7 * 2 + 5 * 0.5 + 6 * 8 if usage else 20 * 2 + 6 * 8) / 1e6)
    assert (entry.purpose, entry.n, entry.model, entry.outcome) == ("phrase", 1, "test-model", "ok")


def test_who_leaves_in_the_middle_pays_for_what_was_said(model: Model, turn: str) -> None:
    model.play(Script([{"reply": {"text": "one two three " * 50}}]))
    with closing(model.client.stream(MESSAGES, spender(turn), "phrase")) as words:
        assert next(words) == "one "
    (entry,) = model.book.of_turn(turn)
    assert (entry.outcome, entry.usage) == ("broken off", TokenUsage(20, 0, 2, reported=False))


def test_a_server_without_usage_in_streams_is_asked_without(tmp_path: Path, turn: str) -> None:
    with scripted_model(tmp_path, Script([{"reply": {"fault": "no_usage_in_streams", "text": "fine"}}])) as model:
        assert [outcome(model, turn, streamed=True) for _ in range(2)] == [("fine", "")] * 2
        assert len(model.server.journal) == 3, "what it does not know was asked for again"
        assert [entry.usage.reported for entry in model.book.of_turn(turn)] == [False, False]


def test_a_proxy_is_taken_from_the_settings_alone(tmp_path: Path, turn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_PROXY", "HTTP_PROXY", "OPENAI_API_BASE"):
        monkeypatch.setenv(name, "http://proxy.invalid:1")
    with ModelServer(Script([{"reply": {"text": "fine"}}])) as proxy:
        endpoint = replace(ENDPOINT, base_url="http://model.invalid/v1", proxy=proxy.url)
        with opened(tmp_path) as memory, closing(ModelClient(endpoint, memory.spending, len)) as client:
            assert client.complete(MESSAGES, spender(turn), "phrase").text == "fine"


def test_tools_are_offered_and_called(model: Model, turn: str) -> None:
    use = {"calls": [{"name": "count_rows", "args": {"table": "apps"}}]}
    model.play(Script([{"when": {"tools": ["count_rows"]}, "reply": use}]))
    given = model.client.complete(MESSAGES, spender(turn), "memory", tools=[count_rows])
    assert [(call["name"], call["args"]) for call in given.tool_calls] == [("count_rows", {"table": "apps"})]


@pytest.mark.parametrize(
    ("fault", "way", "requests"),
    [(None, "json_schema", 1), ("no_schema", "function", 2), ("plain_server", "json_object", 3)],
)
def test_objects_are_asked_for_as_the_server_can(
    tmp_path: Path, turn: str, fault: str | None, way: str, requests: int
) -> None:
    with scripted_model(tmp_path, Script([{"reply": {"data": {"sql": "SELECT 1"}, "fault": fault}}])) as model:
        assert [object_of(model, turn).data for _ in range(2)] == [{"sql": "SELECT 1"}] * 2
        assert model.server.journal[-1].asked.form == way
        assert len(model.server.journal) == requests + 1, "the way that worked was not remembered"


def test_what_is_no_object_in_any_way_is_garbled_and_the_last_way_is_asked_from_then_on(tmp_path: Path) -> None:
    with scripted_model(tmp_path, Script([{"reply": {"text": "Sure! SELECT 1"}}])) as model:
        for turn in ("1", "2"):
            with pytest.raises(ModelUnavailable) as failed:
                object_of(model, turn)
            assert failed.value.kind == "garbled"
        forms = [served.asked.form for served in model.server.journal]
    assert forms == ["json_schema", "function", "json_object", "", "", "", ""]


def test_an_answer_that_goes_on_for_ever_is_cut(model: Model, turn: str) -> None:
    model.play(Script([{"reply": {"text": "and so on " * 600_000}}]))
    assert outcome(model, turn, streamed=False) == ("", "garbled")
    assert len(model.server.journal) == 2


def test_each_kind_of_fault_has_a_sentence_for_people() -> None:
    assert SENTENCES.keys() == set(get_args(ModelFault)) - {"budget"}
    assert [words for words in SENTENCES.values() if not words.endswith(".")] == []


def test_no_word_and_no_key_is_logged(model: Model, turn: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    faults = [{"reply": {"fault": fault}, "times": 1} for fault in ("overflow", "auth", "html", "error")]
    model.play(Script([*faults, {"reply": {"text": "a secret number"}}]))
    assert [outcome(model, turn, streamed=False)[1] for _ in range(3)] == ["overflow", "auth", ""]
    assert "overflow" in caplog.text
    assert "secret" not in caplog.text
    assert KEY not in caplog.text


def outcome(model: Model, turn: str, *, streamed: bool) -> tuple[str, str]:
    """The words of an answer, or the kind of the fault."""
    try:
        if streamed:
            return "".join(model.client.stream(MESSAGES, spender(turn), "phrase")), ""
        return model.client.complete(MESSAGES, spender(turn), "phrase").text, ""
    except ModelUnavailable as error:
        return "", error.kind


def object_of(model: Model, turn: str) -> Completion:
    return model.client.complete(MESSAGES, spender(turn), "write_sql", schema=SCHEMA)


def test_a_ping_tells_whether_the_server_is_there(tmp_path: Path) -> None:
    with scripted_model(tmp_path, Script([])) as model:
        model.client.ping()
        model.server.is_away = True
        with pytest.raises(ModelUnavailable):
            model.client.ping()
        model.server.close()
        with pytest.raises(ModelUnavailable):
            model.client.ping()
        assert not model.server.journal
