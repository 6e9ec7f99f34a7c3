"""What somebody was told under wider rights reaches nobody else through a prompt, a tool or a quotation."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest

from ai.agents.port import Answer, Turn, run_now
from ai.agents.question_context import QuestionContext
from ai.agents.toolbox.history import HistoryTools
from ai.sql.database import Database
from ai.sql.rights import EVERYTHING, Rights, SourceRights
from ai.sql.semantics import Metric, Semantics, Synonym
from ai.types import Request, ThreadKey
from tests.desk import Desk, open_desk, shop
from tests.models import Model, model_analyst
from tests.openai_server import Script

HOME = ThreadKey("T", "C", "1.0")
NAMES = {"kind": "sql", "sql": "SELECT name FROM apps", "text": "all apps", "expects": "rows"}
SECRET = "Bo"
RIGHTS = SourceRights(Rights(rows={"apps": "platform = 'iOS'"}), (("boss", EVERYTHING),))
ASKED = "which apps are there?"


@dataclass(frozen=True)
class Talk:
    """A thread of people with different rights."""

    desk: Desk
    model: Model
    thread: ThreadKey = HOME
    turns: Iterator[int] = field(default_factory=lambda: count(1))

    def request(self, who: str, text: str) -> Request:
        turn_id, at = f"T:{self.thread.channel}:{next(self.turns)}", datetime.now(UTC)
        self.desk.memory.receive(self.thread, turn_id, text, who, at)
        return Request(turn_id, self.thread, text, who, at, "shop", roles=(who,))

    def ask(self, who: str, text: str) -> str:
        return Answer(tuple(self.desk.orchestrator.answer(self.request(who, text), run_now))).text


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talk]:
    folder = tmp_path_factory.mktemp("audience_filter")
    with (
        model_analyst(folder, Script([{"reply": {"data": NAMES}}])) as (analyst, model),
        open_desk(folder, analyst, rights=RIGHTS) as desk,
    ):
        yield Talk(desk, model)


@pytest.fixture
def talk(place: Talk, request: pytest.FixtureRequest) -> Talk:
    """A channel of its own."""
    return replace(place, thread=ThreadKey("T", request.node.name, "1.0"))


WHO = pytest.mark.parametrize(("who", "hears"), [("boss", True), ("everybody", False)])


@WHO
def test_a_question_comes_with_the_answers_that_the_asker_may_see(talk: Talk, who: str, hears: bool) -> None:
    assert SECRET in talk.ask("boss", ASKED)
    talk.ask("boss", "help")
    request = talk.request(who, "how many apps are there?")
    told = str([line.fields for line in talk.desk.context.question(Turn(request)).thread_part.lines])
    assert "help" in told
    assert (SECRET in told) == hears


@WHO
def test_an_answer_is_quoted_to_those_who_may_see_its_rows(talk: Talk, who: str, hears: bool) -> None:
    talk.ask("boss", ASKED)
    assert (SECRET in talk.ask(who, "what did we say about Ada?")) == hears


@WHO
def test_a_tool_gives_what_the_asker_may_hear(talk: Talk, who: str, hears: bool) -> None:
    talk.ask("boss", ASKED)
    turn = Turn(talk.request(who, "what did we say?"))
    audience_filter = QuestionContext(talk.desk.memory, talk.desk.audience.sources).audience_filter
    told = str(HistoryTools(talk.desk.memory, turn, audience_filter).call("get_extended_context", {}))
    assert ASKED in told
    assert (SECRET in told) == hears


@pytest.mark.parametrize("way", ["hidden by the definitions", "kept back by rights"])
def test_definitions_of_tables_that_are_not_shown_stay_out(tmp_path: Path, talk: Talk, way: str) -> None:
    defined = Semantics(
        metrics=(Metric("fame", "apps", "COUNT(*)"),), synonyms=(Synonym("darlings", "apps"), Synonym("x", "apps.name"))
    )
    by_rights = way == "kept back by rights"
    rights = Rights(tables=frozenset({"nothing"})) if by_rights else EVERYTHING
    defined = defined if by_rights else replace(defined, hidden=frozenset({"APPS"}))
    database = Database("shop", f"sqlite:///{shop(tmp_path)}", rights=rights)
    question = QuestionContext(talk.desk.memory, {"shop": database}, {"shop": defined}).question(
        Turn(talk.request("x", "darlings"))
    )
    database.close()
    assert question.catalog.tables == ()
    assert (question.semantics.metrics, question.semantics.synonyms) == ((), ())
