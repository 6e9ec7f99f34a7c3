"""What the intake makes of events: whose words become a question, of which thread, and who hears what."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from ai.errors import SourceUnavailable
from ai.sql.rights import Rights
from ai.types import LoggedMessage, ThreadKey
from bot.access import Access
from bot.listeners import Intake, take_events
from bot.listeners.files import DESCRIBE, MOST_BYTES, unpacked
from bot.listeners.intake import NOTHING_RUNS
from bot.listeners.messages import is_for_us, take_event
from bot.people import Home, People, Profile
from local_slack.testing import ANA, BEN, DM_OF, GENERAL, MENTION
from tests.desk import open_desk
from tests.fakes import KeptQueue
from tests.intakes import TEAM, Told, intake_of

ROOT, REPLY, LATER = "1700000000.000001", "1700000010.000001", "1700000020.000001"
QUESTION = "how many apps?"
Event = dict[str, Any]


@dataclass
class Room:
    """An intake over a real memory, and what reaches its queue and people."""

    desk: Intake
    queue: KeptQueue
    told: Told
    begun: Told
    later: list[object] = field(default_factory=list)

    def hears(self, event: Event, desk: Intake | None = None) -> None:
        take_event(desk or self.desk, {"type": "event_callback", "team_id": TEAM, "event": event})

    def question(self, ts: str, channel: str = GENERAL) -> LoggedMessage | None:
        return self.desk.memory.question(f"{TEAM}:{channel}:{ts}")

    @property
    def waiting(self) -> list[str]:
        return [turn.rpartition(":")[2] for turn in self.queue.waiting]


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    with open_desk(tmp_path) as product:
        queue, told, begun, later = KeptQueue(), Told(), Told(), list[object]()
        desk = intake_of(product.memory, queue, context=product.context, told=told)
        yield Room(replace(desk, begin=begun, later=lambda *given: later.append(given)), queue, told, begun, later)


def said(ts: str = ROOT, text: str = f"{MENTION} {QUESTION}", user: str = ANA, **facts: Any) -> Event:
    kind = "app_mention" if MENTION in text else "message"
    return {"type": kind, "user": user, "channel": GENERAL, "ts": ts, "event_ts": ts, "text": text, **facts}


def direct(ts: str, text: str = QUESTION, user: str = ANA, **facts: Any) -> Event:
    return said(ts, text, user, channel=DM_OF[user], channel_type="im", **facts)


def changed(ts: str, text: str, at: str = LATER, before: str = "", **facts: Any) -> Event:
    message = {"user": ANA, "ts": ts, "text": text, "edited": {"user": ANA, "ts": at}, **facts}
    old = {"previous_message": {"user": ANA, "ts": ts, "text": before}} if before else {}
    return {"type": "message", "subtype": "message_changed", "channel": GENERAL, "ts": at, "message": message, **old}


def test_a_mention_is_a_question_and_its_first_asker_is_greeted(room: Room) -> None:
    room.hears(said())
    room.hears(said(REPLY))
    assert room.waiting == [ROOT, REPLY]
    assert len(room.later) == 1


def test_a_message_for_another_workspace_is_left_out(room: Room, caplog: pytest.LogCaptureFixture) -> None:
    take_event(room.desk, {**body(said()), "authorizations": [{"team_id": "T9"}]})
    assert room.waiting == []
    assert caplog.messages == ["a message is left out, as it is for another workspace"]


def test_a_stop_is_none(room: Room) -> None:
    room.hears(said(text=f"{MENTION} stop"))
    assert (room.waiting, room.told.words) == ([], [NOTHING_RUNS])
    room.hears(said(REPLY))
    room.hears(said(LATER, f"{MENTION} stop", thread_ts=REPLY))
    assert (room.waiting, room.told.words) == ([REPLY], [NOTHING_RUNS])
    assert room.queue.stopped == [ThreadKey(TEAM, GENERAL, ROOT), ThreadKey(TEAM, GENERAL, REPLY)]


def test_where_nothing_may_be_asked_its_author_hears_it(room: Room) -> None:
    room.hears(said(), closed := replace(room.desk, access=Access({})))
    assert room.waiting == []
    assert [words[:32] for words in room.told.words] == ["This channel has no data source;"]
    room.hears(said())
    room.hears(changed(ROOT, f"{MENTION} how many games?"), closed)
    assert room.waiting == [ROOT]


@pytest.mark.parametrize("words", [f"{MENTION} I meant you", "I meant you"])
def test_i_meant_you_asks_what_was_left_open(room: Room, words: str) -> None:
    room.hears(said())
    room.hears(said(REPLY, "lunch at noon", BEN, thread_ts=ROOT))
    assert room.waiting == [ROOT]
    room.hears(said(LATER, words, BEN, thread_ts=ROOT))
    assert room.waiting == [ROOT, REPLY]


@pytest.mark.parametrize(("words", "is_ours"), [("ios", True), ("royal", False)])
def test_a_word_of_the_data_after_an_answer_is_a_question(room: Room, words: str, *, is_ours: bool) -> None:
    room.hears(said())
    room.desk.memory.add_reply(ThreadKey(TEAM, GENERAL, ROOT), f"{TEAM}:{GENERAL}:{ROOT}", "There are 3 apps.")
    room.hears(said(REPLY, words, thread_ts=ROOT))
    assert room.waiting == [ROOT, *([REPLY] if is_ours else [])]


def test_i_meant_you_where_nothing_is_open_is_a_question(room: Room) -> None:
    room.hears(said())
    room.hears(said(REPLY, f"{MENTION} I meant you", BEN, thread_ts=ROOT))
    assert room.waiting == [ROOT, REPLY]
    room.hears(said(LATER, f"{MENTION} I meant you", BEN))
    assert room.waiting == [ROOT, REPLY, LATER]


def test_a_reply_counts_in_a_thread_that_we_joined(room: Room) -> None:
    room.hears(said(ROOT, "lunch?"))
    room.hears(said(REPLY, QUESTION, thread_ts=ROOT))
    assert room.waiting == []
    room.hears(said(LATER))
    room.hears(said("1700000030.000001", "how many games?", thread_ts=LATER))
    assert room.waiting == [LATER, "1700000030.000001"]


def test_a_line_that_begins_a_thread_is_no_reply(room: Room) -> None:
    room.hears(said())
    room.hears(said(ROOT, QUESTION, BEN))  # as the message of the mention itself comes
    assert room.waiting == [ROOT]
    inbound = room.desk.read(said(ROOT, QUESTION), {"team_id": TEAM})
    assert inbound
    assert not is_for_us(room.desk, inbound)


@pytest.mark.parametrize(
    ("event", "is_ours"),
    [
        (direct(LATER), True),
        (said(LATER, "how many games?", thread_ts=ROOT), True),
        (said(LATER, "how many games?", thread_ts=REPLY), False),
        (said(LATER, "lunch at noon", BEN, thread_ts=ROOT), False),
        (said(LATER, f"{MENTION} lunch at noon", BEN, thread_ts=ROOT), True),
        (said(LATER, f"<@{BEN}> how many games?", thread_ts=ROOT), False),
        (said(LATER, "how many games?"), False),
    ],
)
def test_a_message_is_for_us(room: Room, event: Event, *, is_ours: bool) -> None:
    room.hears(said())
    inbound = room.desk.read(event, {"team_id": TEAM})
    assert inbound
    assert is_for_us(room.desk, inbound) is is_ours


def test_an_edit_is_answered_again(room: Room) -> None:
    room.hears(changed(ROOT, QUESTION))  # of a message that nobody took
    assert room.waiting == []
    room.hears(said())
    room.hears(changed(ROOT, f"{MENTION} {QUESTION}", before=f"{MENTION} {QUESTION}"))  # a preview
    assert room.waiting == [ROOT]
    room.hears(changed(ROOT, f"{MENTION} how many games?", before=f"{MENTION} {QUESTION}"))
    assert room.waiting == [ROOT, f"{ROOT}~{LATER}"]


def test_an_edit_to_stop_stops_and_is_no_question(room: Room) -> None:
    room.hears(said())
    room.hears(changed(ROOT, f"{MENTION} stop"))
    assert (room.queue.stopped, room.told.words) == ([ThreadKey(TEAM, GENERAL, ROOT)], [])
    room.queue.waiting.clear()
    room.hears(changed(ROOT, f"{MENTION} stop"))
    assert (room.waiting, room.told.words) == ([], [NOTHING_RUNS])


def test_a_message_with_replies_that_is_deleted_is_taken_back(room: Room) -> None:
    room.hears(said())
    room.hears(changed(ROOT, "This message was deleted.", subtype="tombstone"))
    assert room.question(ROOT) is None


def test_direct_messages_are_one_conversation_until_a_pause(room: Room) -> None:
    late = f"{1700000000 + timedelta(hours=25).total_seconds():.6f}"
    for ts in (ROOT, REPLY, late):
        room.hears(direct(ts))
    room.hears(direct("1700090100.000001", "how many games?", thread_ts=REPLY))
    threads = [question.thread.thread_ts for ts in (ROOT, REPLY, late) if (question := room.question(ts, DM_OF[ANA]))]
    assert threads == [ROOT, ROOT, late]
    places = [room.question(ts, DM_OF[ANA]) for ts in (ROOT, REPLY)]
    assert [place and place.said_in.thread_ts for place in places] == [ROOT, REPLY]
    answered = room.question("1700090100.000001", DM_OF[ANA])
    assert answered
    assert answered.thread.thread_ts == ROOT
    assert len(room.begun.words) == 2
    assert room.later == []


def dropped(name: str, text: str = "", size: int = 10, kind: str = "x", **facts: Any) -> Event:
    url = "https://files.slack.com/a"
    file = {"id": "F1", "name": name, "filetype": kind, "size": size, "url_private": url, "mimetype": "x"}
    return direct(ROOT, text, subtype="file_share", files=[file], **facts)


@pytest.mark.parametrize(
    ("event", "asked", "told"),
    [
        (dropped("apps.csv"), DESCRIBE, ""),
        (dropped("apps.csv", QUESTION), QUESTION, ""),
        (dropped("apps", kind="csv"), DESCRIBE, ""),
        (dropped("apps", kind="tsv"), DESCRIBE, ""),
        (dropped("APPS.TSV"), DESCRIBE, ""),
        (dropped(""), "", "I read words and CSV files, so “the file” stays unread"),
        (dropped("apps.pdf"), "", "I read words and CSV files, so “apps.pdf” stays unread"),
        (dropped("apps.pdf", QUESTION), QUESTION, "I read words and CSV files"),
        (dropped("apps.csv", size=MOST_BYTES), DESCRIBE, ""),
        (dropped("apps.csv", size=MOST_BYTES + 1), "", "“apps.csv” is larger than 5 MB"),
    ],
)
def test_a_file_is_noted_or_refused_in_words(room: Room, event: Event, asked: str, told: str) -> None:
    room.hears(event)
    question = room.question(ROOT, DM_OF[ANA])
    assert (question.content if question else "") == asked
    assert len(room.waiting) == bool(asked)
    assert [words.startswith(told) for words in room.told.words] == ([True] if told else [])


def test_of_a_file_only_its_place_and_name_are_kept(room: Room) -> None:
    room.hears(dropped("apps.csv"))
    question, where = room.question(ROOT, DM_OF[ANA]), list[Any]()
    assert question

    def fetch(file: Any, most: int) -> bytes:
        where.append((file, most))
        return b"name\nAda\n"

    (told,) = unpacked(room.desk.files, fetch, question)  # type: ignore[arg-type]
    assert told[0].startswith("“apps.csv” is a table of this thread now")
    kept = {"id": "F1", "name": "apps.csv", "url_private": "https://files.slack.com/a"}
    assert where == [(kept, MOST_BYTES)]
    inbound = room.desk.read(direct(REPLY), {"team_id": TEAM})
    assert inbound
    assert [role[:6] for role in room.desk.roles_of(inbound)] == ["files-"]
    other = room.desk.read(said(REPLY), {"team_id": TEAM})
    assert other
    assert room.desk.roles_of(other) == ()


@pytest.mark.parametrize("asked", ["", QUESTION])
def test_of_a_file_that_cannot_be_fetched_the_reason_is_told(room: Room, asked: str) -> None:
    room.hears(dropped("apps.csv", asked))
    question = room.question(ROOT, DM_OF[ANA])
    assert question

    def away(_: Any, __: int) -> bytes:
        raise SourceUnavailable("Slack is away.")

    files: Any = room.desk.files
    assert [*unpacked(files, away, question)] == [("Slack is away.", bool(asked))]


def test_a_file_where_nothing_may_be_asked_is_not_noted(room: Room) -> None:
    room.hears(dropped("apps.csv"), replace(room.desk, access=Access({})))
    assert len(room.told.words) == 1
    room.hears(direct(REPLY))
    inbound = room.desk.read(direct(LATER), {"team_id": TEAM})
    assert inbound
    assert list(room.desk.files.expected(room.desk.conversation(inbound))) == []  # type: ignore[attr-defined]


def body(event: Event) -> Event:
    return {"type": "event_callback", "team_id": TEAM, "event": event}


def test_several_events_are_taken_in_as_one(room: Room) -> None:
    taken = list[int]()
    desk = replace(room.desk, accept=lambda turns: taken.append(len(turns)))
    take_events(desk, [body(said()), body(said(REPLY)), body(said(LATER, f"{MENTION} stop"))])
    take_events(desk, [body(said("1700000040.000001"))])
    assert taken == [2, 1]
    assert room.told.words == [NOTHING_RUNS]


def unknown() -> People:
    def away(user: str) -> Profile | None:
        return None

    return People(Home(TEAM), away)


@pytest.mark.parametrize("count", [1, 2])
def test_of_several_none_is_taken_in_while_slack_does_not_say_who_asks(room: Room, count: int) -> None:
    desk = replace(room.desk, people=unknown())
    several = [body(said()), body(said(REPLY))][:count]
    if count == 1:
        take_events(desk, several)
        assert len(room.told.words) == 1
    else:
        with pytest.raises(SourceUnavailable):
            take_events(desk, several)
    assert room.waiting == []


def test_who_cannot_be_introduced_is_not(room: Room) -> None:
    inbound = room.desk.read(said(), {"team_id": TEAM})
    assert inbound
    room.desk.introduce(inbound)
    assert len(room.told.words) == 1
    replace(room.desk, access=Access({})).introduce(inbound)
    assert len(room.told.words) == 1


def test_who_may_not_ask_of_what_has_rights_is_noted(tmp_path: Path) -> None:
    with open_desk(tmp_path, rights=Rights(tables=frozenset({"apps"}), rows={"apps": "name <> 'Ada'"})) as product:
        desk = intake_of(product.memory, KeptQueue(), context=product.context, profile=Profile("T9"))
        take_event(desk, body(said()))
        (noted,) = product.memory.access.of()
    assert (noted.person, noted.outcome, noted.surface, noted.source) == (ANA, "refused", "question", "shop")
