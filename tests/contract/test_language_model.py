"""The whole way of a question with a language model on a real socket: proposals, repairs, faults, and what it costs."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from ai.agents.port import Answer, NoteEvent, run_now
from ai.agents.registry import registered
from ai.errors import Stopped
from ai.ledger import Budgets
from ai.stopping import NEVER, Stop
from ai.types import Request, Step, ThreadKey
from tests.cases import cases
from tests.desk import Desk, open_desk
from tests.fakes import PowerCut, RecordedSteps
from tests.models import ENDPOINT, Model, model_analyst
from tests.openai_server import Script
from tests.openai_server.server import Served
from tests.wait import until

HERE = Path(__file__).parent
THREAD = ThreadKey("T", "C", "1.0")
QUESTION = "how many apps do we have?"
COUNT = {"kind": "sql", "sql": "SELECT COUNT(*) AS app_count FROM apps", "text": "number of apps", "expects": "value"}
PAIRS = {"kind": "sql", "sql": "SELECT name, platform FROM apps", "text": "apps", "expects": "rows"}
WORDS = [{"when": {"stream": True}, "reply": {"text": "These are **{{count}}** apps."}}, {"reply": {"data": PAIRS}}]


@dataclass(frozen=True)
class Talk:
    """A thread at a desk whose analyst asks a scripted model."""

    desk: Desk
    model: Model
    thread: ThreadKey = THREAD

    def ask(self, text: str, turn: int = 1, step: Step = run_now, stop: Stop = NEVER) -> Answer:
        """The answer to a message of the thread."""
        turn_id = f"{self.thread}/{turn}"
        request = Request(turn_id, self.thread, text, "U1", datetime.now(UTC), "shop")
        self.desk.memory.receive(self.thread, request.turn_id, text, "U1", request.asked_at)
        return Answer(tuple(self.desk.orchestrator.answer(request, step, stop)))

    @property
    def calls(self) -> list[Served]:
        """What the model was asked."""
        return self.model.server.journal


@contextmanager
def open_talk(folder: Path, script: list[Any], **how: Any) -> Iterator[Talk]:
    with model_analyst(folder, Script(script), **how) as (analyst, model), open_desk(folder, analyst) as desk:
        yield Talk(desk, model)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talk]:
    """A desk for all: opening one takes long."""
    with open_talk(tmp_path_factory.mktemp("place"), []) as opened:
        yield opened


@pytest.fixture
def talk(place: Talk, request: pytest.FixtureRequest) -> Callable[[list[Any]], Talk]:
    """A thread of its own, and a script for it."""

    def begin(script: list[Any]) -> Talk:
        place.model.play(Script(script))
        return replace(place, thread=ThreadKey("T", "C", request.node.name))

    return begin


Opened = Callable[[list[Any]], Talk]


def note(answer: Answer) -> NoteEvent:
    (found,) = [event for event in answer.events if isinstance(event, NoteEvent)]
    return found


@pytest.mark.parametrize("case", cases(HERE / "language_model.jsonl"))
def test_a_question(talk: Opened, case: dict[str, Any]) -> None:
    opened = talk(case["script"])
    answer = opened.ask(case["question"])
    assert [words for words in case["says"] if words not in answer.text] == []
    assert [words for words in case.get("lacks", ()) if words in answer.text] == []
    assert len(opened.calls) == case["calls"]
    if "note" in case:
        assert note(answer).reading == case["note"]
    if "analyst" in case:
        assert note(answer).analyst == case["analyst"]
    if "ok" in case:
        assert len(opened.desk.memory.queries(opened.thread)) == case["ok"]
    if "rows_left" in case:
        opened.model.play(Script([{"reply": {"data": COUNT}}]))
        assert f"There are {case['rows_left']} apps" in opened.ask(QUESTION, 2).text


@pytest.mark.parametrize("case", cases(HERE / "model_fallbacks.jsonl"))
def test_without_the_model_the_rules_answer_and_say_so(talk: Opened, case: dict[str, Any]) -> None:
    script = [] if case["reply"] is None else [{"reply": case["reply"]}]
    answer = talk(script).ask(QUESTION)
    assert "There are 3 apps." in answer.text
    assert note(answer).analyst == f"built-in reader, because {case['analyst']}"


def test_a_model_that_is_too_slow_is_not_waited_for(tmp_path: Path) -> None:
    with open_talk(tmp_path, [{"reply": {"fault": "silence"}}], endpoint=replace(ENDPOINT, seconds=0.2)) as opened:
        answer = opened.ask(QUESTION)
    assert "did not answer in time" in note(answer).analyst
    assert "There are 3 apps." in answer.text


@pytest.mark.parametrize(
    "reply", [{"fault": "silence"}, {"fault": "dribble", "seconds": 0.05}, {"fault": "rate_limited", "seconds": 9}]
)
def test_stop_ends_a_call_that_is_being_made(talk: Opened, reply: dict[str, Any]) -> None:
    opened, stop = talk([{"reply": reply}]), Stop()
    with ThreadPoolExecutor() as pool:
        answer = pool.submit(opened.ask, QUESTION, 1, run_now, stop)
        until(lambda: opened.calls, what="the model to be asked")
        began = monotonic()
        stop.call()
        with pytest.raises(Stopped):
            answer.result()
    assert monotonic() - began < ENDPOINT.seconds / 2
    assert len(opened.calls) == 1


def test_a_spent_budget_is_said_and_nothing_is_asked(tmp_path: Path) -> None:
    with open_talk(tmp_path, [{"reply": {"data": COUNT}}], budgets=Budgets(user=10)) as opened:
        assert note(opened.ask(QUESTION)).analyst.endswith("the budget for the language model is spent")
        assert opened.calls == []


def test_what_no_rule_reads_is_refused_with_the_reason(talk: Opened) -> None:
    told = talk([]).ask("wie viele Programme gibt es?").text
    assert "does not look like one" in told


@pytest.mark.parametrize("case", cases(HERE / "model_routes.jsonl"))
def test_the_model_routes_what_no_rule_reads(tmp_path: Path, case: dict[str, Any]) -> None:
    script = [
        {"when": {"schema": "route"}, "reply": {"data": {"intent": case["case"]}}},
        {"when": {"schema": "definition"}, "reply": {"data": {"kind": "sentence"}}},
        {"when": {"tools": ["quote_messages"]}, "reply": {"text": "Nothing."}},
        {"reply": {"data": COUNT}},
    ]
    with open_talk(tmp_path, script) as opened:
        opened.ask(QUESTION)
        assert case["says"] in opened.ask("wie besprochen bitte", 2).text
        route = next(call.asked for call in opened.calls if call.asked.schema == "route")
    kinds = registered().told
    assert route.body["response_format"]["json_schema"]["schema"]["properties"]["intent"]["enum"] == [*kinds]
    assert [told for told in kinds.values() if told not in route.prompt] == []


def test_too_long_a_prompt_is_made_shorter(talk: Opened) -> None:
    opened = talk([{"times": 1, "reply": {"fault": "overflow"}}, {"reply": {"data": COUNT}}])
    assert note(opened.ask(QUESTION)).analyst == "language model test-model"
    first, second = opened.calls
    assert second.prompt_tokens <= first.prompt_tokens


@pytest.mark.parametrize("cut_after", range(4), ids=["route", "write_sql", "run_sql:0", "phrase"])
def test_a_resumed_turn_pays_for_no_recorded_call_twice(talk: Opened, cut_after: int) -> None:
    opened, steps = talk(WORDS), RecordedSteps(cut_after=cut_after)
    with pytest.raises(PowerCut):
        opened.ask("show all apps with their platform", step=steps)
    paid, recorded = len(opened.calls), [name for name, _ in steps.recorded]
    again = steps.again()
    answer = opened.ask("show all apps with their platform", step=again)
    assert "These are **3** apps." in answer.text
    assert len(opened.calls) == 2
    assert paid == sum(name in ("write_sql", "phrase") for name in recorded)
    assert "apps" not in str([value for _, value in again.recorded])


def counted(*conditions: str) -> list[dict[str, Any]]:
    """A script that answers with one query after the other, each with a condition of its own."""
    queries = (f"SELECT COUNT(*) AS n FROM apps WHERE {condition}" for condition in conditions)
    return [{"times": 1, "reply": {"data": {**COUNT, "sql": sql}}} for sql in queries]


AGREED = ("app_id < 2", "1 = 1", "app_id < 9")


@pytest.mark.parametrize(
    ("conditions", "says", "cut_after"),
    [
        pytest.param(AGREED, "There are 3 apps.", None, id="two of three agree"),
        pytest.param(("app_id < 2", "app_id < 3", "1 = 1"), "There is 1 app ", None, id="nobody agrees: the first"),
        pytest.param(("missing = 1", "app_id < 2", "1 = 1"), "There is 1 app ", None, id="one cannot be run"),
        pytest.param(
            (*(f"missing = {n}" for n in range(3)), "app_id < 3"), "There are 2 apps ", None, id="none can: the repair"
        ),
        *(pytest.param(AGREED, "There are 3 apps.", cut, id=f"power cut after {cut} steps") for cut in (2, 4, 6, 7)),
    ],
)
def test_of_several_queries_the_results_vote(
    tmp_path: Path, conditions: tuple[str, ...], says: str, cut_after: int | None
) -> None:
    with open_talk(tmp_path, counted(*conditions), candidates=3) as opened:
        steps = RecordedSteps(cut_after=cut_after)
        if cut_after is not None:
            with pytest.raises(PowerCut):
                opened.ask(QUESTION, step=steps)
            steps = steps.again()
        assert says in opened.ask(QUESTION, step=steps).text
        assert len(opened.calls) == len(conditions)
        assert len(opened.desk.memory.queries(opened.thread)) == 1


def test_sql_for_a_file_that_cannot_be_run_is_written_again(tmp_path: Path) -> None:
    broken = {"times": 1, "reply": {"data": {**PAIRS, "sql": "SELECT nothing FROM apps"}}}
    with open_talk(tmp_path, [broken, {"reply": {"data": PAIRS}}]) as opened:
        assert "as CSV: 3 rows." in opened.ask("export all apps with their platform as csv").text


def test_a_follow_up_is_asked_with_the_query_that_it_leans_on(talk: Opened) -> None:
    opened = talk([{"reply": {"data": COUNT}}])
    opened.ask(QUESTION)
    opened.ask("and how many of them are on Android, apps?", 2)
    assert "SELECT COUNT(*) AS app_count FROM apps" in opened.calls[-1].asked.prompt
    assert QUESTION in opened.calls[-1].asked.prompt


def test_what_was_said_in_other_words_is_found_and_quoted(talk: Opened) -> None:
    """The model chooses; what it says, and numbers that no search gave, are not told."""
    opened = talk([{"reply": {"data": {"kind": "no", "text": "Noted."}}}])
    opened.ask("we raise the fee to 12 dollars in March")
    search = {"calls": [{"name": "search_history", "args": {"query": "fee dollars"}}]}
    quote = {"text": "Trust me: 99.", "calls": [{"name": "quote_messages", "args": {"numbers": [1, 4711]}}]}
    script = [
        {"when": {"tools": ["quote_messages"]}, "reply": search, "times": 1},
        {"when": {"last": "12 dollars"}, "reply": quote},
    ]
    opened.model.play(Script(script))
    told = opened.ask("what did we decide about pricing?", 2).text
    assert "we raise the fee to 12 dollars in March" in told
    assert "99" not in told
    assert len(opened.calls) == 2


def test_a_search_that_repeats_itself_ends(talk: Opened) -> None:
    opened = talk([{"reply": {"calls": [{"name": "search_history", "args": {"query": "pricing"}}]}}])
    assert "I found nothing" in opened.ask("what did we decide about pricing?").text
    assert len(opened.calls) == 2


def test_with_privacy_no_cell_leaves_the_house(tmp_path: Path) -> None:
    """Whatever is asked, and however often: the names of the apps and their platforms stand in no prompt."""
    bad = {**PAIRS, "sql": "SELECT nam FROM apps"}
    script = [{"times": 1, "reply": {"data": bad}}, {"reply": {"data": PAIRS}}]
    with open_talk(tmp_path, script, private=True) as opened:
        for turn, question in enumerate(("show all apps", "how many apps per platform?", "and their names?"), 1):
            opened.ask(question, turn)
        prompts = "\n".join(served.asked.prompt for served in opened.calls)
        assert len(opened.calls) >= 3
        assert [cell for cell in ("Ada", "iOS", "Android", "=1+1") if cell in prompts] == []
        assert not [served for served in opened.calls if served.asked.stream]
