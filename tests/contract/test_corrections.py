"""Corrections with a language model on a real socket: what it defines, what follows a sentence, and who decides."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

from ai.agents.port import Answer, FeedbackEvent, NoteEvent, QuestionEvent, run_now
from ai.agents.querying.verdicts import Person, Verdicts
from ai.types import Request, ThreadKey
from tests.desk import Desk, open_desk
from tests.models import Model, model_analyst
from tests.openai_server import Script

EMPTY = {"sql": "", "text": "", "assumptions": [], "options": [], "expects": "value"}
ALL = {**EMPTY, "kind": "sql", "sql": "SELECT COUNT(*) AS n FROM apps", "text": "all apps"}
REAL = {**ALL, "sql": "SELECT COUNT(*) AS n FROM apps WHERE name NOT LIKE '=%'", "text": "apps but for tests"}
NOTHING = dict.fromkeys(("name", "table", "expression", "condition", "column", "value"), "")
SENTENCE = {**NOTHING, "kind": "sentence"}
METRIC = {**NOTHING, "kind": "metric", "name": "reach", "table": "apps", "expression": "COUNT(DISTINCT platform)"}
STRANGE = {**METRIC, "expression": "SUM(nothing)"}
RULE = "our apps exclude tests"


class Talk:
    """A desk whose analyst asks a scripted model; OWN may decide, ANY may not."""

    def __init__(self, desk: Desk, model: Model) -> None:
        self.desk = desk
        self.model = model
        self._turns = count(1)

    def ask(self, text: str, user: str = "ANY") -> Answer:
        number, at = next(self._turns), datetime.now(UTC)
        request = Request(f"T:C:{number}", ThreadKey("T", "C", f"{number}.0"), text, user, at, "shop")
        self.desk.memory.receive(request.thread, request.turn_id, text, user, at)
        return Answer(tuple(self.desk.orchestrator.answer(request, run_now)))

    def count(self) -> str:
        """Who answers how many apps there are, and what is read of it."""
        (note,) = [event for event in self.ask("how many apps?").events if isinstance(event, NoteEvent)]
        return f"{note.reading} by {note.analyst}"

    def accept(self, answer: Answer) -> None:
        (feedback,) = [event for event in answer.events if isinstance(event, FeedbackEvent)]
        Verdicts(self.desk.memory, self.desk.context).accept(
            feedback.query_id, feedback.day, Person("OWN", (), "default", is_owner=True)
        )


@contextmanager
def open_talk(folder: Path, *script: Any) -> Iterator[Talk]:
    with (
        model_analyst(folder, Script(script)) as (analyst, model),
        open_desk(folder, analyst, owners=["OWN"]) as desk,
    ):
        yield Talk(desk, model)


def test_a_sentence_is_tested_on_what_was_accepted_and_followed_when_approved(tmp_path: Path) -> None:
    script = (
        {"when": {"schema": "definition"}, "reply": {"data": SENTENCE}},
        {"when": {"contains": [RULE]}, "reply": {"data": REAL}},
        {"reply": {"data": ALL}},
    )
    with open_talk(tmp_path, *script) as talk:
        talk.accept(talk.ask("how many apps?"))
        assert talk.count().startswith("number of apps by verified by OWN")
        proposed = talk.ask(RULE)
        assert isinstance(proposed.events[-1], QuestionEvent)
        assert proposed.events[-1].for_owners
        assert "verified" in talk.count()
        assert "Only an owner" in talk.ask("approve rule 1").text
        assert "not tested" in talk.ask("approve rule 1", "OWN").text
        assert "**1** changed.\n- “how many apps?”: 3 becomes 2" in talk.ask("test rule 1", "OWN").text
        assert "in force: “our apps exclude tests”" in talk.ask("approve rule 1", "OWN").text
        assert talk.count().endswith("by language model test-model")
        assert "approved already" in talk.ask("reject rule 1", "OWN").text
        calls = len(talk.model.server.journal)
        assert "no longer in force" in talk.ask("revert the last rule", "OWN").text
        assert "verified" in talk.count()
        assert len(talk.model.server.journal) == calls


def test_a_model_may_say_exactly_what_is_defined(tmp_path: Path) -> None:
    script = [{"when": {"schema": "definition"}, "reply": {"data": data}, "times": 1} for data in (METRIC, STRANGE)]
    with open_talk(tmp_path, *script) as talk:
        assert "“reach means COUNT\\(DISTINCT platform\\) of apps”" in talk.ask("rule: reach is all platforms").text
        assert "“reach is all platforms”" in talk.ask("rule: reach is all platforms").text
        assert talk.desk.memory.rules.in_force("shop") == ()


def test_a_turn_that_goes_on_decides_once(tmp_path: Path) -> None:
    with open_talk(tmp_path, {"reply": {"data": SENTENCE}}) as talk:
        talk.ask(RULE, "OWN")
        talk.ask("approve rule 1", "OWN")
        assert "Rule 1 is approved already" in talk.ask("approve rule 1", "OWN").text.replace("\\", "")
        assert talk.desk.context.definitions.of("shop").version == 1
