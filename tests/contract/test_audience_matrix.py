"""Rights x readers x surfaces x age: no reply shows a reader something kept back, none is private in vain.

A leak is a reply to the channel with a value that the reader may not see. A reply is private in vain when every reader
who asked the same would read the same. A new agent or action without a line in the file fails.
"""

import json
import re
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from itertools import count, product
from pathlib import Path

import pytest
from fastapi.routing import APIRoute

from ai.agents.actions import ACTIONS
from ai.agents.port import PrivateEvent, ReplyEvent, StatusEvent, run_now
from ai.agents.registry import AGENTS
from ai.agents.toolbox.table import all_tools
from ai.agents.toolbox.tool import By, Caller, Tool
from ai.agents.tools import ThreadTools
from ai.errors import NotAllowed, UserError
from ai.sql.rights import EVERYTHING, Rights, SourceRights
from ai.types import NOBODY, Json, Place, Readers, Request, ThreadKey
from bot.access import Access, Holders
from bot.http_api.api import probes, router
from bot.http_api.callers import ApiCaller
from bot.http_api.chats import Chats
from bot.http_api.memory_calls import MemoryCalls
from bot.inbound import Inbound, read_press
from bot.listeners import SURFACES as LISTENERS
from bot.listeners import Intake
from bot.listeners.asking import words_of
from bot.listeners.home import home_of
from bot.listeners.sharing import share
from tests.contract import test_audience
from tests.contract.test_audience import shown
from tests.desk import Desk, open_desk
from tests.fakes import KeptQueue
from tests.intakes import TEAM, Told, intake_of

SURFACES = [
    json.loads(line) for line in Path(__file__).with_name("audience_surfaces.jsonl").read_text("utf-8").splitlines()
]
RIGHTS = SourceRights(
    Rights(rows={"apps": "platform = 'iOS'"}),
    (("boss", EVERYTHING), ("masked", Rights(masks={"apps": {"name": "stars"}}))),
)
ROLES: Mapping[str, tuple[str, ...]] = {
    "boss": ("boss",), "everybody": (), "masked": ("masked",), "outsider": ("external", NOBODY),
}  # fmt: skip
SECRETS = {
    "boss": (),
    "everybody": ("Bo1", "Android", "77", "75"),
    "masked": ("Ada", "Bo1"),
    "outsider": ("Ada", "Bo1", "Ulm", "77", "75"),
}
AGES = ("fresh", "kept", "exported", "changed since")
MIXES = list(
    product(("boss", "everybody", "masked"), ("boss", "everybody", "masked", "outsider"), AGES, ("apps", "towns"))
)
QUICK = ("boss", "everybody", "changed since", "apps")


@dataclass
class Talk:
    """People talk to one desk, each case in a thread of its own."""

    desk: Desk
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def ask(self, who: str, text: str, thread: ThreadKey, reader: str = "") -> list[ReplyEvent]:
        turn_id, at = f"T:C1:{next(self.numbers)}", datetime.now(UTC)
        self.desk.memory.receive(thread, turn_id, text, who, at)
        readers = Readers(lambda: {ROLES[reader]: 1}) if reader else Readers()
        request = Request(turn_id, thread, text, who, at, "shop", roles=ROLES[who], readers=readers)
        return list(self.desk.orchestrator.answer(request, run_now))

    def case(
        self, surface: Mapping[str, object], people: tuple[str, str], age: str, table: str, *, as_reader: bool
    ) -> list[ReplyEvent]:
        """Return the reply in a fresh thread: to the asker with the reader beside them, or to the reader alone."""
        asker, reader = people
        number = next(self.numbers)
        thread, name = ThreadKey("T", "C1", f"{number}.0"), named(number)
        first = asker if age in ("fresh", "changed since") else "boss"
        for text in surface["before"]:  # type: ignore[attr-defined]
            self.ask(first, text.format(t=table, n=name), thread, reader if age == "fresh" else "")
        if age == "exported":
            self.ask(first, "export this as csv", thread)
        known = self.desk.memory.queries(thread, 20)
        says = str(surface["says"]).format(t=table, n=name, q=known[-1].id if known else 0)
        return self.ask(reader, says, thread) if as_reader else self.ask(asker, says, thread, reader)


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Talk]:
    with closing(sqlite3.connect(tmp_path / "shop.sqlite")) as connection:
        connection.executescript(
            "CREATE TABLE apps (app_id INTEGER PRIMARY KEY, name TEXT NOT NULL, platform TEXT NOT NULL);"
            "CREATE TABLE towns (town_id INTEGER PRIMARY KEY, name TEXT NOT NULL, platform TEXT NOT NULL);"
            "INSERT INTO apps (name, platform) VALUES ('Ada', 'iOS'), ('Eve', 'iOS');"
            "INSERT INTO towns (name, platform) VALUES ('Ulm', 'road'), ('Bonn', 'rail'), ('Jena', 'road');"
        )
        connection.executemany(
            "INSERT INTO apps (name, platform) VALUES (?, 'Android')", [(f"Bo{number}",) for number in range(75)]
        )
        connection.commit()
    with open_desk(tmp_path, rights=RIGHTS) as desk:
        yield Talk(desk)


def test_every_agent_and_every_action_has_a_line() -> None:
    named = {line["surface"] for line in SURFACES}
    wanted = {*(f"agent {name}" for name in AGENTS), *(f"action {action.label}" for action in ACTIONS)}
    assert wanted - named == set()


def faults(talk: Talk, surface: Mapping[str, object], mix: tuple[str, str, str, str]) -> Iterator[str]:
    asker, reader, age, table = mix
    typed = f"{surface['before']} {surface['says']}"
    reply = talk.case(surface, (asker, reader), age, table, as_reader=False)
    told, is_private = shown(reply), any(isinstance(event, PrivateEvent) for event in reply)
    if not is_private:
        yield from (
            f"{mix}: leaks {secret} in {told!r}" for secret in leaked(told, SECRETS[reader]) if secret not in typed
        )
    elif plain(told) == plain(shown(talk.case(surface, (asker, reader), age, table, as_reader=True))):
        yield f"{mix}: private in vain: {told!r}"


def named(number: int) -> str:
    """Return a name of letters, which no figure is mistaken for."""
    return "".join("abcdefghij"[int(digit)] for digit in str(number))


def plain(told: str) -> str:
    """Leave out the numbers of cases, queries and files."""
    return re.sub(r"-[a-j]+\b|-\d+|\bq\d+|query \d+|\d\d:\d\d", "", told)


@pytest.mark.parametrize("surface", SURFACES, ids=lambda line: line["surface"])
def test_a_member_who_joined_sees_nothing_that_is_kept_back(talk: Talk, surface: Mapping[str, object]) -> None:
    assert list(faults(talk, surface, QUICK)) == []


@pytest.mark.slow
@pytest.mark.parametrize("surface", SURFACES, ids=lambda line: line["surface"])
def test_no_leak_and_nothing_private_in_vain(talk: Talk, surface: Mapping[str, object]) -> None:
    found = [fault for mix in MIXES if mix != QUICK for fault in faults(talk, surface, mix)]
    assert found == []


def test_the_status_of_a_turn_has_no_figures(talk: Talk) -> None:
    for text in ("list the apps", "export this as csv", "sort them by name"):
        events = talk.ask("boss", text, ThreadKey("T", "C1", "2.0"), "everybody")
        statuses = [event.text for event in events if isinstance(event, StatusEvent)]
        assert statuses
        assert [status for status in statuses if any(map(str.isdigit, status))] == []


PROOFS = [
    json.loads(line) for line in Path(__file__).with_name("audience_proofs.jsonl").read_text("utf-8").splitlines()
]
HERE = ThreadKey("T", "C1", "1.0")
HIDDEN = SECRETS["everybody"]


def leaked(told: str, secrets: Sequence[str] = HIDDEN) -> list[str]:
    """Return the secrets that a text tells; a number within a time or another number tells none."""
    return [secret for secret in secrets if re.search(rf"(?<![\d.:]){secret}(?!\d)", told)]


def test_every_listener_and_every_route_has_a_line_and_its_proof() -> None:
    named = {line["surface"] for line in PROOFS}
    routes = {f"route {verb} {route.path}" for each in (router, probes) for route in each.routes
              if isinstance(route, APIRoute) for verb in route.methods or ()}  # fmt: skip
    assert {*(f"listener {name}" for name in LISTENERS), *routes} - named == set()
    tests = {**globals(), **vars(test_audience)}
    assert {line["proof"] for line in PROOFS if "proof" in line} - tests.keys() == set()


def intake_here(talk: Talk, owners: Collection[str] = (), told: Told | None = None) -> Intake:
    roles = {role: Holders(frozenset({role})) for role in ("boss", "masked")}
    access = Access({"*": "shop"}, roles=roles, owners=owners)
    return intake_of(talk.desk.memory, KeptQueue(), access, talk.desk.context, told=told)


def press(value: str, user: str, channel: str = "C1") -> Inbound:
    body = {
        "container": {"channel_id": channel, "message_ts": "1.0", "thread_ts": "1.0"},
        "actions": [{"action_ts": "9.9", "value": value}],
        "user": {"id": user, "team_id": TEAM},
        "team": {"id": TEAM},
    }
    return read_press(body, TEAM)


@pytest.mark.parametrize(("who", "sees"), [("boss", True), ("everybody", False)])
def test_a_modal_shows_the_parts_to_those_who_may_see_the_rows(talk: Talk, who: str, sees: bool) -> None:
    talk.ask("boss", "how many Android apps are there?", HERE)
    number, intake = talk.desk.memory.queries(HERE)[0].id, intake_here(talk)
    if sees:
        assert "Android" in str(intake.refinements.of(number, intake.person(press("", who)), date(2026, 11, 20)))
        return
    with pytest.raises(NotAllowed):
        intake.refinements.of(number, intake.person(press("", who)), date(2026, 11, 20))
    with pytest.raises(UserError):  # nor from another channel
        intake.refinements.of(number, intake.person(press("", "boss", "C2")), date(2026, 11, 20))


def test_the_home_of_a_person_shows_what_they_may_see(talk: Talk) -> None:
    there = replace(HERE, team=TEAM)
    talk.ask("boss", "how many Android apps are there?", there)
    talk.ask("boss", "save this as Androids", there)
    intake = intake_here(talk)
    shown_to = {who: str(home_of(intake, words_of(intake, who, "D1", team=TEAM))) for who in ("boss", "everybody")}
    assert "Android" in shown_to["boss"]
    assert leaked(shown_to["everybody"]) == []


@pytest.mark.parametrize(
    ("user", "owners", "hears"),
    [("boss", ["boss"], ""), ("boss", [], "Only who asked"), ("everybody", ["everybody"], "Only who asked")],
)
def test_who_may_share(talk: Talk, user: str, owners: list[str], hears: str) -> None:
    talk.ask("boss", "list the apps", HERE, "everybody")
    (query,) = talk.desk.memory.queries(HERE)
    intake = intake_here(talk, owners)
    if hears:
        with pytest.raises(NotAllowed, match=hears):
            share(intake, press("", user, "D1"), 1, query.turn_id)
        assert talk.desk.memory.access.shared(query.turn_id) is None
    else:
        share(intake, press("", user, "D1"), 1, query.turn_id)
        assert talk.desk.memory.access.shared(query.turn_id) is not None


@pytest.mark.parametrize(("count", "is_private"), [(1, False), (2, True)])
def test_a_decision_to_share_is_for_so_many_people(talk: Talk, count: int, is_private: bool) -> None:
    talk.ask("boss", "list the apps", HERE, "everybody")
    (query,) = talk.desk.memory.queries(HERE)
    share(intake_here(talk, ["boss"]), press("", "boss", "D1"), 1, query.turn_id)
    readers = Readers(lambda: {(): count})  # somebody joined meanwhile
    request = Request(
        query.turn_id, HERE, "list the apps", "boss", datetime.now(UTC), "shop", roles=("boss",), readers=readers
    )
    events = list(talk.desk.orchestrator.answer(request, run_now))
    assert any(isinstance(event, PrivateEvent) for event in events) == is_private


def test_an_export_over_http_leaves_out_what_is_kept_back(talk: Talk) -> None:
    talk.ask("boss", "list the apps", HERE)
    calls = MemoryCalls(chats_of(talk), lambda _: None)
    told = {who: calls.export(ApiCaller("T", who, ("C1",)), str(HERE), "markdown") for who in ("boss", "everybody")}
    assert "77 rows" in told["boss"]
    log = [(one.person, one.outcome, one.right) for one in talk.desk.memory.access.of() if "HTTP" in one.surface]
    assert log == [("boss", "told", "boss"), ("everybody", "refused", "everybody")]
    assert leaked(told["everybody"]) == []


@pytest.mark.parametrize("tool", all_tools(), ids=lambda tool: tool.name)
def test_no_tool_tells_what_is_kept_back(talk: Talk, tool: Tool) -> None:
    talk.ask("boss", "list the apps", HERE)
    talk.ask("boss", "save this as plans", HERE)
    chats, caller = chats_of(talk), ApiCaller("T", "everybody", ("C1",))
    request = chats.listener(caller, HERE)
    queries = ThreadTools(talk.desk.memory, HERE, talk.desk.exports, talk.desk.audience, request)
    arguments: dict[str, Json] = {
        name: EXAMPLES.get(name, "list the apps") for name in tool.schema["function"]["parameters"].get("required", ())
    }
    if "http" in tool.callers:
        with pytest.raises(NotAllowed):
            MemoryCalls(chats, lambda _: None).run(caller, tool.name, None, arguments)
    for by in NARROWED & tool.callers:
        own = Caller(Place.of(request), HERE, "", "everybody", by=by, request=request,
                     audience_filter=talk.desk.context.audience_filter, queries=queries)  # fmt: skip
        with suppress(UserError):
            told = str(tool.run(talk.desk.memory, own, arguments))
            assert leaked(told) == []


NARROWED: frozenset[By] = frozenset({"langchain", "narrowed researcher"})
EXAMPLES: dict[str, Json] = {"date": "today", "limit": 5, "count": 5}


def chats_of(talk: Talk) -> Chats:
    desk = talk.desk
    access = Access({"*": "shop"}, roles={role: Holders(frozenset({role})) for role in ("boss", "masked")})
    return Chats(desk.memory, access, lambda *_: None, desk.audience, desk.exports.folder)
