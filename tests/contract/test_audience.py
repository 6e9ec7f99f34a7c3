"""Who asks decides what is shown, also of what somebody else asked before: every pair of people, every way to look again.

The database has rows and a table that are not for everybody; whatever of them shows up in any reply or file is a leak.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from itertools import count, product
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from ai.agents.port import ActionsEvent, ChartEvent, FileEvent, ReplyEvent, SqlEvent, TableEvent, Turn, run_now, said
from ai.agents.querying.charting import Charting
from ai.agents.querying.rerunning import RAN_AGAIN
from ai.errors import NotAllowed
from ai.sql.rights import EVERYTHING, Rights, SourceRights
from ai.types import Request, ThreadKey
from bot.access import Access, Holders
from bot.http_api.callers import ApiCaller
from bot.http_api.chats import Chats, SentMessage
from tests.desk import Desk, open_desk, shop

SECRETS = {
    "everybody": ("Bo", "Android", "3 rows"),
    "masked": ("Ada", "Bo", "=1+1"),
    "stranger": ("Ada", "Bo", "iOS", "Android"),
}
RIGHTS = SourceRights(
    Rights(rows={"apps": "platform = 'iOS'"}),
    (
        ("boss", EVERYTHING),
        ("masked", Rights(masks={"apps": {"name": "stars"}})),
        ("stranger", Rights(tables=frozenset({"nothing"}))),
    ),
)
PEOPLE = ("everybody", "boss", "masked", "stranger")
AGAIN = (
    "sort them by name",
    "only the first 2",
    "show the last result as a table",
    "export this as csv",
    "export all rows as xlsx",
    "export all apps as csv",
    "export all the rows behind it as csv",
    "export query 1 as csv",
    "export every result as csv",
    "run it again",
    "run query 1 again",
    "show me the sql",
    "explain this answer",
    "plot it",
    "plot query 1",
    "show me a bar chart of apps by platform",
    "how many of them are there by platform?",
)
HERE, THERE = ThreadKey("T", "C1", "1.0"), ThreadKey("T", "C2", "1.0")


def pairs(first: Sequence[str]) -> list[ParameterSet]:
    """All pairs; the slow run has those where the first is not the one who sees all."""
    return [pytest.param(a, b, marks=() if a == "boss" else pytest.mark.slow) for a, b in product(first, PEOPLE)]


class Talk:
    """People talk to one desk."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._turns = count(1)

    def ask(self, who: str, text: str, thread: ThreadKey = HERE) -> list[ReplyEvent]:
        turn_id, at = f"T:C:{next(self._turns)}", datetime.now(UTC)
        self.desk.memory.receive(thread, turn_id, text, who, at)
        roles = () if who == "everybody" else (who,)
        request = Request(turn_id, thread, text, who, at, "shop", roles=roles)
        return list(self.desk.orchestrator.answer(request, run_now))


def shown(events: list[ReplyEvent]) -> str:
    """Everything that a person gets to see; what they typed themselves is not in it."""
    parts: list[str] = []
    for event in events:
        match event:
            case TableEvent(table):
                parts += [str([column.name for column in table.columns]), str(table.rows)]
            case ChartEvent(chart):
                parts.append(f"{chart.words} {chart.plot.view.rows} {chart.spec['layer']}")
            case FileEvent(path, _) if path.suffix == ".csv":
                parts.append(path.read_text("utf-8"))
            case FileEvent(path, _):
                parts.append(f"file {path.name}")
            case _:
                parts.append(said(event))
    return "\n".join(parts)


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Talk]:
    with ExitStack() as opened:
        yield Talk(opened.enter_context(open_desk(tmp_path, rights=RIGHTS)))


@pytest.mark.parametrize(("first", "second"), pairs(PEOPLE))
def test_nobody_sees_through_anybody_else(talk: Talk, first: str, second: str) -> None:
    for text in AGAIN:
        talk.ask(first, "list the apps")
        told = shown(talk.ask(second, text))
        assert [secret for secret in SECRETS.get(second, ()) if secret in told] == [], text


@pytest.mark.parametrize("second", PEOPLE)
def test_nobody_sees_through_rows_that_are_read_again(talk: Talk, second: str) -> None:
    for text in AGAIN[:7]:
        talk.ask("boss", "list the apps")
        files = talk.desk.memory.parts.results.files
        for file in list(files.listed()):
            files.delete(file.name)
        told = shown(talk.ask(second, text))
        assert [secret for secret in SECRETS.get(second, ()) if secret in told] == [], text
        refused = {"stranger": "", "masked": "masked for you"}.get(second)  # to sort by a masked name tells its order
        assert text != AGAIN[0] or (RAN_AGAIN if refused is None else refused) in told


@pytest.mark.parametrize("who", PEOPLE)
def test_everybody_sees_their_own(talk: Talk, who: str) -> None:
    first = shown(talk.ask(who, "list the apps"))
    expected = {"everybody": ("Ada", "=1+1"), "boss": ("Ada", "Bo"), "masked": ("***",), "stranger": ()}[who]
    assert all(value in first for value in expected)
    assert all(value in shown(talk.ask(who, "export this as csv")) for value in expected)
    assert [type(event) for event in talk.ask(who, "show me the sql")].count(SqlEvent) == (who != "stranger")


def test_an_export_of_the_same_question_runs_under_the_rights_of_who_asks(talk: Talk) -> None:
    talk.ask("boss", "list the apps")
    told = shown(talk.ask("everybody", "export all apps as csv"))
    assert "Ada" in told
    assert "Bo" not in told


@pytest.mark.parametrize(("first", "second"), pairs(PEOPLE[:3]))
def test_a_saved_state_hands_its_rows_to_those_who_have_the_rights(talk: Talk, first: str, second: str) -> None:
    talk.ask(first, "list the apps")
    talk.ask(first, f"save this as {first}-state")
    resumed = talk.ask(second, f"resume {first}-state", THERE)
    assert [secret for secret in SECRETS.get(second, ()) if secret in shown(resumed)] == []
    assert any(isinstance(event, TableEvent) for event in resumed) == (first == second)


def test_questions_follow_an_answer_after_one_about_a_table_kept_back(tmp_path: Path) -> None:
    with closing(sqlite3.connect(shop(tmp_path))) as connection:
        connection.executescript("CREATE TABLE sales (id INTEGER PRIMARY KEY); INSERT INTO sales VALUES (1), (2);")
    rights = SourceRights(Rights(tables=frozenset({"apps"})), (("boss", EVERYTHING),))
    with open_desk(tmp_path, rights=rights) as desk:
        talk = Talk(desk)
        talk.ask("boss", "how many sales are there?")
        told = talk.ask("everybody", "how many apps are there?")
    assert [type(event) for event in told].count(ActionsEvent) == 1


def test_an_answer_that_is_asked_for_again_is_held_to_the_rights_of_today(talk: Talk) -> None:
    talk.ask("boss", "list the apps")
    (query,) = talk.desk.memory.queries(HERE)
    audience = talk.desk.audience
    assert [q.result for q in audience.shown([query], ("boss",))] == [query.result]
    assert [(q.result, q.headline) for q in audience.shown([query], ())] == [(None, "")]
    assert audience.shown([query], ("stranger",)) == ()
    with pytest.raises(NotAllowed, match="ask the question again"):
        audience.check_rows(query, ())


@pytest.mark.parametrize(("who", "rows"), [("boss", True), ("everybody", False), ("stranger", None)])
def test_an_answer_over_http_is_held_to_the_rights_of_today(talk: Talk, who: str, rows: bool | None) -> None:
    talk.ask("boss", "list the apps")
    talk.ask("boss", "export this as csv")
    access = Access({"*": "shop"}, roles={role: Holders(frozenset({role})) for role in PEOPLE})
    chats = Chats(talk.desk.memory, access, lambda *_: None, talk.desk.audience, talk.desk.exports.folder)
    query = chats.query(SentMessage(HERE, "T:C:1", who))
    assert (None if query is None else query.result is not None) == rows
    assert [path.suffix for path in chats.files(SentMessage(HERE, "T:C:2", who))] == ([".csv"] if rows else [])


@pytest.mark.parametrize(("who", "sees"), [("boss", True), ("everybody", False), ("stranger", False)])
def test_a_chart_over_http_is_held_to_the_rights_of_today(talk: Talk, who: str, sees: bool) -> None:
    talk.ask("boss", "show me a bar chart of apps by platform")
    charting = Charting(talk.desk.memory, talk.desk.context)
    request = Request("", HERE, "", who, datetime.now(UTC), "shop", roles=(who,))
    if sees:
        assert [place.label for place in charting.again(Turn(request), "T:C:1").plot.places] == ["iOS", "Android"]
        return
    with pytest.raises(NotAllowed):
        charting.again(Turn(request), "T:C:1")


@pytest.mark.parametrize(("who", "hears"), [("boss", True), ("everybody", False), ("stranger", False)])
def test_a_thread_is_told_over_http_without_answers_under_other_rights(talk: Talk, who: str, hears: bool) -> None:
    talk.ask("boss", "list the apps")
    access = Access({"*": "shop"}, roles={role: Holders(frozenset({role})) for role in PEOPLE})
    chats = Chats(talk.desk.memory, access, lambda *_: None, talk.desk.audience, talk.desk.exports.folder)
    heard = chats.heard(ApiCaller("T", who, ("C",)), HERE, talk.desk.memory.transcripts.newest(HERE, 9))
    assert [message.role for message in heard] == (["user", "assistant"] if hears else ["user"])


def test_what_is_kept_and_shown_has_no_word_of_the_rights(talk: Talk) -> None:
    (sql,) = [event.sql for event in [*talk.ask("everybody", "list the apps"), *talk.ask("everybody", "show me the sql")]
              if isinstance(event, SqlEvent)]  # fmt: skip
    assert "iOS" not in sql
    assert "narrow" in shown(talk.ask("everybody", "show me the sql"))


def test_a_state_of_another_channel_says_nothing_to_those_who_may_not_see_it(talk: Talk) -> None:
    """Its question and the literals of its SQL are of hidden rows."""
    talk.ask("boss", "how many apps are called Bo?")
    talk.ask("boss", "save this as plans")
    for text in ("list saved states", "resume plans", "resume plan", "compare with the saved plans"):
        talk.ask("everybody", "how many apps are there?", THERE)
        told = shown(talk.ask("everybody", text, THERE))
        assert ("Bo" in told, "plans" in told.replace("“plans”", "")) == (False, False), text
    talk.ask("everybody", "archive the saved state plans", THERE)
    assert "plans" in shown(talk.ask("boss", "list saved states", THERE))
    assert "Bo" in shown(talk.ask("boss", "resume plans", THERE))


def test_a_state_that_reads_nothing_kept_back_is_there_for_all(tmp_path: Path) -> None:
    rights = SourceRights(Rights(denied={"apps": frozenset({"name"})}), (("boss", EVERYTHING),))
    with open_desk(tmp_path, rights=rights) as desk:
        talk = Talk(desk)
        talk.ask("boss", "how many apps are there by platform?")
        talk.ask("boss", "save this as platforms")
        assert "platforms" in shown(talk.ask("everybody", "list saved states", THERE))
        assert any(isinstance(event, TableEvent) for event in talk.ask("everybody", "resume platforms", THERE))
