"""Who is answered: payloads as Slack sends them, at every listener. Each line of `people.jsonl` names its source.

The payloads are rewritten after public samples and reports; ids are ours. People of this workspace, its guests and its
organisation are answered, everybody else is refused.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from slack_bolt import App, BoltRequest
from slack_sdk import WebClient

from ai.memory.limits import MemoryLimits
from ai.memory_store import MemoryStore, open_memory
from ai.results.store import ResultStore
from ai.types import ThreadKey
from bot.access import GUEST, Access
from bot.contact import Greeting, bolt_app
from bot.people import AuthorOrigin, Home, People, Profile
from tests.cases import cases
from tests.fakes import KeptQueue
from tests.intakes import Told, intake_of
from tests.memories import store_in

LINES = cases(Path(__file__).with_name("people.jsonl"))
ROOT, TS = "1595926200.000100", "1595926230.009600"
ANSWERED = {"home", "guest", "organisation"}
NOWHERE = WebClient(token="xoxb-none", base_url="http://127.0.0.1:9/", retry_handlers=[])


@dataclass
class Stage:
    """A Bolt app whose questions are kept, in a thread where somebody asked before."""

    app: App
    queue: KeptQueue
    told: Told

    def said(self, body: dict[str, Any]) -> int:
        """Dispatch a payload; return the HTTP status."""
        return self.app.dispatch(BoltRequest(body=body, mode="socket_mode")).status


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[MemoryStore]:
    store = open_memory(store_in(tmp_path), ResultStore(tmp_path / "results"), MemoryLimits())
    yield store
    store.close()


def stage_of(memory: MemoryStore, line: dict[str, Any]) -> Stage:
    home, queue, told = Home(**line["home"]), KeptQueue(), Told()
    profile = Profile.of(line["profile"]) if line["profile"] else None
    access = Access({"*": "shop"}, owners=["UASKER"])
    intake = intake_of(memory, queue, access, home=home, profile=profile, bot_user="UBOT", told=told)
    greeting = Greeting("Home", "datathread", "https://home.example", home.team_id, "UBOT", "B0BOT", home.enterprise_id)
    thread = ThreadKey(home.team_id, "C0SALES", ROOT)
    memory.receive(thread, f"{home.team_id}:C0SALES:{ROOT}", "how many?", "UELSE", datetime.now(UTC))
    if line["listener"] == "edit":
        key = ThreadKey(home.team_id, "C0SALES", TS)
        memory.receive(key, f"{home.team_id}:C0SALES:{TS}", "how many?", "UASKER", datetime.now(UTC))
    if line["listener"] == "stop":
        queue.waiting.append(f"{home.team_id}:C0SALES:{ROOT}")
    return Stage(bolt_app(NOWHERE, intake, greeting), queue, told)


def test_there_are_enough_shapes_of_every_listener() -> None:
    assert len(LINES) >= 60
    assert {line.values[0]["listener"] for line in LINES} == {
        *("mention", "reply", "message with a file", "edit", "choice", "stop", "feedback", "decision"),
        *("direct message", "broadcast reply"),
    }


@pytest.mark.parametrize("line", LINES)
def test_who_is_answered(memory: MemoryStore, line: dict[str, Any]) -> None:
    stage, is_answered = stage_of(memory, line), line["standing"] in ANSWERED
    before = list(stage.queue.waiting)
    assert stage.said(line["body"]) == 200
    if line["listener"] != "feedback":
        assert (stage.queue.waiting != before) is is_answered
    unknown = "Slack does not tell me who you are"
    refusal = unknown if line["standing"] == "unknown" else "people of this workspace"
    refused = [words for words in stage.told.words if refusal in words]
    assert bool(refused) is not is_answered


@pytest.mark.parametrize("line", LINES)
def test_what_they_are(line: dict[str, Any]) -> None:
    body = line["body"]
    profile = Profile.of(line["profile"]) if line["profile"] else None
    message = body.get("event", {}).get("message") or body.get("event")
    origin = AuthorOrigin.of_message(message, body) if message else AuthorOrigin.of_press(body)
    people = People(Home(**line["home"]), lambda _: profile, tells_guests=line["standing"] == "guest")
    assert people.standing("UASKER", origin) == line["standing"]


def test_guests_are_refused_where_the_settings_say_so(memory: MemoryStore) -> None:
    access = Access({"*": "shop"}, allow_guests=False)
    intake = intake_of(memory, KeptQueue(), access, profile=Profile("T0LOCAL", is_guest=True))
    event = {"type": "app_mention", "user": "U1", "text": "how many?", "ts": "1.1", "channel": "C1"}
    inbound = intake.read(event, {"is_ext_shared_channel": True})
    assert inbound is not None
    assert not intake.take(inbound)
    assert intake.tell.words == [GUEST]  # type: ignore[attr-defined]


def test_what_cannot_be_stored_is_not_acknowledged(memory: MemoryStore) -> None:
    line = next(line.values[0] for line in LINES if line.values[0]["case"] == "mention: a member")
    stage = stage_of(memory, line)
    stage.queue.is_down = True
    assert stage.said(line["body"]) == 500
    stage.queue.is_down = False
    assert stage.said(line["body"]) == 200
    assert len(stage.queue.waiting) == 1
