"""Rights x readers x surfaces x age of what is told: no reply shows a reader what is kept back, none is private in vain.

A leak is a reply to the channel with a value that the reader may not see. A reply is private in vain when every reader
who asked the same would read the same. A new agent or action without a line in the file fails.
"""

import json
import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count, product
from pathlib import Path

import pytest

from ai.agents.actions import ACTIONS
from ai.agents.port import PrivateEvent, ReplyEvent, run_now
from ai.agents.registry import AGENTS
from ai.sql.rights import EVERYTHING, Rights, SourceRights
from ai.types import NOBODY, Readers, Request, ThreadKey
from tests.contract.test_audience import shown
from tests.desk import Desk, open_desk

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
        thread = ThreadKey("T", "C1", f"{number}.0")
        first = asker if age in ("fresh", "changed since") else "boss"
        for text in surface["before"]:  # type: ignore[attr-defined]
            self.ask(first, text.format(t=table, n=number), thread, reader if age == "fresh" else "")
        if age == "exported":
            self.ask(first, "export this as csv", thread)
        known = self.desk.memory.queries(thread, 20)
        says = str(surface["says"]).format(t=table, n=number, q=known[-1].id if known else 0)
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
    reply = talk.case(surface, (asker, reader), age, table, as_reader=False)
    told, is_private = shown(reply), any(isinstance(event, PrivateEvent) for event in reply)
    if not is_private:
        yield from (f"{mix}: leaks {secret} in {told!r}" for secret in SECRETS[reader] if secret in told)
    elif plain(told) == plain(shown(talk.case(surface, (asker, reader), age, table, as_reader=True))):
        yield f"{mix}: private in vain: {told!r}"


def plain(told: str) -> str:
    """Leave out the numbers of cases, queries and files."""
    return re.sub(r"-\d+|\bq\d+|query \d+|\d\d:\d\d", "", told)


@pytest.mark.parametrize("surface", SURFACES, ids=lambda line: line["surface"])
def test_a_member_who_joined_sees_nothing_that_is_kept_back(talk: Talk, surface: Mapping[str, object]) -> None:
    assert list(faults(talk, surface, QUICK)) == []


@pytest.mark.slow
@pytest.mark.parametrize("surface", SURFACES, ids=lambda line: line["surface"])
def test_no_leak_and_nothing_private_in_vain(talk: Talk, surface: Mapping[str, object]) -> None:
    found = [fault for mix in MIXES if mix != QUICK for fault in faults(talk, surface, mix)]
    assert found == []
