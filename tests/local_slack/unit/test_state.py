"""The workspace by itself: threads, order, tombstones, the feed, the clock."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from local_slack.delivery.events import payloads_for
from local_slack.objects import message_object
from local_slack.state.changes import Change, MessageDeleted, MessageEdited, MessagePosted, StatusChanged
from local_slack.state.clock import Clock, is_ts
from local_slack.state.demo_workspace import demo_workspace
from local_slack.state.entities import MessageDraft
from local_slack.state.workspace import Workspace
from local_slack.wire import SlackError

QUESTION = MessageDraft("U0ANA", "C0GENERAL", "<@U0BOT> how many apps?")
ANSWER = MessageDraft("U0BOT", "C0GENERAL", "49", by_app=True)


@pytest.fixture
def workspace() -> Workspace:
    return demo_workspace("http://127.0.0.1:1/")


@given(st.lists(st.integers(0, 9), unique=True, min_size=1))
def test_messages_are_in_the_order_of_their_ts_however_they_come(numbers: list[int]) -> None:
    workspace = demo_workspace("http://127.0.0.1:1/")
    for number in numbers:
        workspace.post(QUESTION, f"173000000{number}.000000")
    assert [message.ts for message in workspace.history("C0GENERAL")] == [
        f"173000000{n}.000000" for n in sorted(numbers)
    ]


def test_no_ts_is_given_twice_not_even_after_one_from_outside() -> None:
    clock = Clock()
    given_out = [clock.next_ts() for _ in range(1000)]
    clock.has_given("9000000000.000000")
    assert given_out == sorted(set(given_out))
    assert all(map(is_ts, given_out))
    assert clock.next_ts() == "9000000000.000001"


def test_a_ts_is_free_once_in_each_channel(workspace: Workspace) -> None:
    workspace.post(QUESTION, "1730000000.000100")
    workspace.post(replace(QUESTION, channel="C0SALES"), "1730000000.000100")
    for taken in ("1730000000.000100", "1730000000", "yesterday"):
        with pytest.raises(SlackError, match="invalid_ts"):
            workspace.post(QUESTION, taken)


def test_threads_of_two_channels_with_one_ts_are_two_threads(workspace: Workspace) -> None:
    for channel in ("C0GENERAL", "C0SALES"):
        ts = workspace.post(replace(QUESTION, channel=channel), "1730000000.000100").ts
        workspace.post(replace(ANSWER, channel=channel, text=channel, thread_ts=ts))
    assert [reply.text for reply in workspace.history("C0SALES").replies("1730000000.000100")] == ["C0SALES"]


def test_only_members_speak(workspace: Workspace) -> None:
    with pytest.raises(SlackError, match="not_in_channel"):
        workspace.post(replace(QUESTION, channel="D0BEN"))


def test_a_deleted_root_stays_as_a_tombstone_until_its_thread_is_gone(workspace: Workspace) -> None:
    root = workspace.post(QUESTION)
    reply = workspace.post(replace(ANSWER, thread_ts=root.ts))
    workspace.delete("C0GENERAL", root.ts)
    [tombstone, _] = workspace.history("C0GENERAL")
    shown = message_object(workspace, tombstone)
    assert (shown["subtype"], shown["reply_count"], "how many" in str(shown)) == ("tombstone", 1, False)
    with pytest.raises(SlackError, match="message_not_found"):
        workspace.delete("C0GENERAL", root.ts)
    workspace.delete("C0GENERAL", reply.ts)
    assert [message.ts for message in workspace.history("C0GENERAL")] == []


def test_everybody_is_told_what_changed(workspace: Workspace) -> None:
    told: list[Change] = []
    workspace.subscribe(told.append)
    question = workspace.post(QUESTION)
    workspace.threads.set_status("C0GENERAL", question.ts, "counting")
    answer = workspace.post(replace(ANSWER, thread_ts=question.ts))
    workspace.edit("C0GENERAL", answer.ts, replace(answer.draft, text="50"))
    workspace.delete("C0GENERAL", answer.ts)
    kinds = [MessagePosted, StatusChanged, StatusChanged, MessagePosted, MessageEdited, MessageDeleted]
    assert [type(change) for change in told] == kinds


def test_a_deleted_file_leaves_every_message(workspace: Workspace) -> None:
    file = workspace.add_file("a.csv", "U0BOT")
    shared = [
        workspace.post(replace(ANSWER, channel=channel, files=(file.id,))) for channel in ("C0GENERAL", "C0SALES")
    ]
    assert len(workspace.file(file.id).shares) == 2
    workspace.delete("C0GENERAL", shared[0].ts)
    workspace.delete_file(file.id)
    assert workspace.message("C0SALES", shared[1].ts).draft.files == ()


def test_direct_conversations_are_made_when_needed(workspace: Workspace) -> None:
    made = workspace.open_im("U0ANA", "U0BEN")
    assert workspace.open_im("U0BEN", "U0ANA") == made
    assert workspace.open_im("U0ANA", "U0BOT").id == "D0ANA"
    workspace.reset()
    assert made.id not in workspace.channels


def test_the_app_is_told_only_of_what_it_asked_for_and_can_see(workspace: Workspace) -> None:
    between_people = workspace.open_im("U0ANA", "U0BEN")
    hidden = workspace.post(MessageDraft("U0ANA", between_people.id, "<@U0BOT> psst"))
    question = workspace.post(QUESTION)
    assert payloads_for(workspace, MessagePosted(hidden)) == []
    assert len(payloads_for(workspace, MessagePosted(question))) == 2
    workspace.app = replace(workspace.app, event_types=frozenset({"app_mention"}))
    [payload] = payloads_for(workspace, MessagePosted(question))
    assert payload["event"]["type"] == "app_mention"
