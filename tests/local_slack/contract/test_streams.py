"""Messages that come piece by piece: what the SDK's ChatStream makes of them, what fits, and how they end."""

import asyncio
from typing import Any

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.models.messages.chunk import MarkdownTextChunk, PlanUpdateChunk, TaskUpdateChunk
from slack_sdk.web.async_client import AsyncWebClient

from local_slack.testing import ANA, BEN, DM_OF, GENERAL, SlackServer
from tests.local_slack.contract.wire import wire_to

Json = dict[str, Any]
FOR_ANA = {"recipient_team_id": "T0LOCAL", "recipient_user_id": ANA}


@pytest.fixture
def thread(slack: SlackServer) -> str:
    return slack.say(ANA, GENERAL, "how many apps?")


def start(client: WebClient, thread: str, **more: Any) -> str:
    facts = {"channel": GENERAL, "thread_ts": thread, **FOR_ANA, **more}
    return str(client.chat_startStream(**facts)["ts"])


def test_the_stream_of_the_sdk(slack: SlackServer, client: WebClient, thread: str) -> None:
    stream = client.chat_stream(channel=GENERAL, thread_ts=thread, buffer_size=4, **FOR_ANA)
    stream.append(markdown_text="There are ")
    [running] = slack.replies(GENERAL, thread)
    assert (running["text"], running["streaming_state"]) == ("There are ", "in_progress")
    stream.append(markdown_text="**49** apps.")
    buttons = {"type": "context_actions", "elements": [feedback()]}
    stream.stop(blocks=[buttons], metadata={"event_type": "turn", "event_payload": {"id": 7}})
    [message] = slack.replies(GENERAL, thread)
    assert (message["text"], message["streaming_state"]) == ("There are **49** apps.", "completed")
    assert [block["type"] for block in message["blocks"]] == ["markdown", "context_actions"]
    assert message["metadata"]["event_payload"] == {"id": 7}
    assert [call["method"] for call in slack.calls()] == [
        "chat.startStream",
        "chat.appendStream",
        "chat.stopStream",
    ]


def test_the_asynchronous_stream(slack: SlackServer, thread: str) -> None:
    async def stream() -> None:
        client = AsyncWebClient(slack.bot_token, slack.api_url)
        streamer = await client.chat_stream(channel=GENERAL, thread_ts=thread, buffer_size=1, **FOR_ANA)
        await streamer.append(markdown_text="one ")
        await streamer.stop(markdown_text="two")

    asyncio.run(stream())
    assert slack.replies(GENERAL, thread)[0]["text"] == "one two"


def test_tasks_are_cards_in_a_timeline_and_lines_of_a_plan(slack: SlackServer, client: WebClient, thread: str) -> None:
    first = TaskUpdateChunk(id="1", title="Read", status="in_progress", details="apps ")
    again = TaskUpdateChunk(id="1", title="Read it", status="complete", details="and reviews", output="49")
    for mode in ("timeline", "plan"):
        ts = start(client, thread, task_display_mode=mode, chunks=[PlanUpdateChunk(title="Count"), first])
        client.chat_appendStream(channel=GENERAL, ts=ts, chunks=[again, MarkdownTextChunk(text="Done.")])
        client.chat_stopStream(channel=GENERAL, ts=ts)
    timeline, plan = (reply["blocks"] for reply in slack.replies(GENERAL, thread))
    assert [block["type"] for block in timeline] == ["task_card", "markdown"]
    assert [block["type"] for block in plan] == ["plan", "markdown"]
    assert (plan[0]["title"], len(plan[0]["tasks"])) == ("Count", 1)
    for card in (timeline[0], plan[0]["tasks"][0]):
        assert (card["title"], card["status"]) == ("Read it", "complete")
        assert card["details"]["elements"][0]["elements"] == [{"type": "text", "text": "apps and reviews"}]


def test_all_pieces_together_hold_12000_characters(client: WebClient, thread: str) -> None:
    ts = start(client, thread, markdown_text="x" * 8_000)
    client.chat_appendStream(channel=GENERAL, ts=ts, markdown_text="x" * 4_000)
    with pytest.raises(SlackApiError, match="msg_too_long"):
        client.chat_appendStream(channel=GENERAL, ts=ts, markdown_text="x")
    assert client.chat_stopStream(channel=GENERAL, ts=ts)["message"]["text"] == "x" * 12_000


def test_after_300_seconds_nothing_more_can_be_added_but_the_message_mended(
    slack: SlackServer, client: WebClient, thread: str
) -> None:
    ts = start(client, thread, markdown_text="half an ans")
    slack.advance(299)
    client.chat_appendStream(channel=GENERAL, ts=ts, markdown_text="wer")
    slack.advance(2)
    for call in (client.chat_appendStream, client.chat_stopStream):
        with pytest.raises(SlackApiError, match="message_not_in_streaming_state"):
            call(channel=GENERAL, ts=ts, markdown_text="late")
    assert slack.replies(GENERAL, thread)[0]["streaming_state"] == "expired"
    client.chat_update(channel=GENERAL, ts=ts, text="the whole answer")
    assert slack.replies(GENERAL, thread)[0]["text"] == "the whole answer"


def test_stop_ends_the_stream_and_tells_the_app(slack: SlackServer, client: WebClient, thread: str) -> None:
    slack.app(event_types=["agent_session_stopped"])
    client.agents_sessions_setStatus(channel_id=GENERAL, thread_ts=thread, status="processing", title="Apps")
    ts = start(client, thread, markdown_text="one")
    with wire_to(slack) as wire:
        assert wire.envelope()["payload"]["event"]["ts"] == thread
        assert slack.stop(BEN, GENERAL, thread) == [ts]
        event = wire.envelope()["payload"]["event"]
        slack.wait_until_quiet()
    assert event.pop("event_ts") > ts
    assert event == {
        "type": "agent_session_stopped",
        "channel": GENERAL,
        "thread_ts": thread,
        "user": BEN,
        "streaming_message_ts": [ts],
    }
    with pytest.raises(SlackApiError, match="stopped_by_user"):
        client.chat_appendStream(channel=GENERAL, ts=ts, markdown_text="two")
    assert slack.state()["sessions"][0]["status"] == "processing"  # the app moves it itself


@pytest.mark.parametrize(
    ("state", "error"), [("expired", "message_not_in_streaming_state"), ("stopped", "stopped_by_user")]
)
def test_a_stream_can_be_ended_by_control(
    slack: SlackServer, client: WebClient, thread: str, state: str, error: str
) -> None:
    ts = start(client, thread)
    slack.control("stream", {"channel": GENERAL, "ts": ts, "state": state})
    with pytest.raises(SlackApiError, match=error):
        client.chat_stopStream(channel=GENERAL, ts=ts)


def test_a_message_is_not_updated_while_it_is_streamed(client: WebClient, thread: str) -> None:
    ts = start(client, thread)
    with pytest.raises(SlackApiError, match="streaming_state_conflict"):
        client.chat_update(channel=GENERAL, ts=ts, text="other")


def test_direct_messages_need_no_recipient(slack: SlackServer, client: WebClient) -> None:
    ts = slack.say(ANA, DM_OF[ANA], "hi")
    assert client.chat_startStream(channel=DM_OF[ANA], thread_ts=ts)["ok"]


# --- agent sessions


def test_a_session_is_begun_renamed_and_closed(slack: SlackServer, client: WebClient, thread: str) -> None:
    client.agents_sessions_setStatus(
        channel_id=GENERAL, thread_ts=thread, status="processing", title="Apps", initiator_user_id=ANA
    )
    client.agents_sessions_rename(channel_id=GENERAL, thread_ts=thread, title="Number of apps")
    ts = start(client, thread)
    client.chat_stopStream(channel=GENERAL, ts=ts, session_status="closed")
    assert slack.state()["sessions"] == [
        {
            "channel": GENERAL,
            "thread_ts": thread,
            "status": "closed",
            "title": "Number of apps",
            "initiator": ANA,
        }
    ]


def feedback() -> Json:
    def button(text: str, value: str) -> Json:
        return {"text": {"type": "plain_text", "text": text}, "value": value}

    return {
        "type": "feedback_buttons",
        "action_id": "feedback",
        "positive_button": button("Good", "up"),
        "negative_button": button("Bad", "down"),
    }
