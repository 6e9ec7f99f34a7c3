"""Socket Mode frame by frame: hello, envelopes, acknowledgements, redelivery, several connections, disconnects."""

import json
from contextlib import ExitStack
from uuid import UUID

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from local_slack.testing import ANA, BEN, GENERAL, SlackServer
from tests.local_slack.contract.wire import wire_to
from tests.wait import until


def test_hello_names_the_app(slack: SlackServer) -> None:
    with wire_to(slack) as wire:
        hello = wire.seen[0]
    host = hello["debug_info"].pop("host")
    assert slack.url.endswith(host)
    assert hello == {
        "type": "hello",
        "num_connections": 1,
        "connection_info": {"app_id": "A0LOCAL"},
        "debug_info": {"approximate_connection_time": 18060},
    }


def test_an_envelope_carries_the_event(slack: SlackServer) -> None:
    with wire_to(slack) as wire:
        ts = slack.say(ANA, GENERAL, "hello")
        envelope = wire.envelope()
        slack.wait_until_quiet()
    assert str(UUID(envelope.pop("envelope_id")))
    assert envelope.pop("payload")["event"]["ts"] == ts
    assert envelope == {
        "type": "events_api",
        "accepts_response_payload": False,
        "retry_attempt": 0,
        "retry_reason": "",
    }


def test_what_is_not_acknowledged_comes_again_with_the_same_event_id(slack: SlackServer) -> None:
    with wire_to(slack) as wire:
        slack.say(ANA, GENERAL, "hello")
        first = wire.envelope(ack=False)
        slack.advance(30)
        second = wire.envelope()
        slack.wait_until_quiet()
    assert (first["retry_attempt"], second["retry_attempt"]) == (0, 1)
    assert first["payload"] == second["payload"]
    assert first["envelope_id"] != second["envelope_id"]
    assert second["retry_reason"] == "timeout"


def test_events_wait_for_the_app(slack: SlackServer) -> None:
    said = [slack.say(ANA, GENERAL, text) for text in ("one", "two", "three")]
    assert slack.state()["undelivered"] == 3
    with wire_to(slack) as wire:
        payloads = wire.payloads(lambda found: len(found) == 3)
        slack.wait_until_quiet()
    assert [payload["event"]["ts"] for payload in payloads] == said


def test_an_event_survives_the_connection_it_was_sent_on(slack: SlackServer) -> None:
    with wire_to(slack) as first:
        slack.say(ANA, GENERAL, "hello")
        lost = first.envelope(ack=False)
    slack.wait_for_connections(0)
    slack.advance(30)
    with wire_to(slack) as second:
        found = second.envelope()
        slack.wait_until_quiet()
    assert found["payload"]["event_id"] == lost["payload"]["event_id"]
    assert found["retry_attempt"] == 1


def test_connections_take_turns_and_share_no_envelope(slack: SlackServer) -> None:
    with ExitStack() as stack:
        wires = [stack.enter_context(wire_to(slack)) for _ in range(3)]
        said = [slack.say(ANA, GENERAL, f"message {number}") for number in range(6)]
        got = [[wire.envelope()["payload"]["event"]["ts"] for _ in range(2)] for wire in wires]
        slack.wait_until_quiet()
    assert sorted(ts for part in got for ts in part) == said


def test_an_acknowledgement_counts_on_any_connection(slack: SlackServer) -> None:
    with wire_to(slack) as first, wire_to(slack) as second:
        slack.say(ANA, GENERAL, "hello")
        second.ack(first.envelope(ack=False))
        slack.wait_until_quiet()
    assert [delivery["retry_attempt"] for delivery in slack.deliveries()] == [0]


def test_a_disconnected_connection_is_given_nothing_more(slack: SlackServer) -> None:
    with wire_to(slack) as first:
        slack.disconnect()
        assert first.frame()["reason"] == "refresh_requested"
        ts = slack.say(ANA, GENERAL, "hello")
        with wire_to(slack) as second:
            assert second.envelope()["payload"]["event"]["ts"] == ts
            slack.wait_until_quiet()


def test_a_warning_lets_the_connection_live(slack: SlackServer) -> None:
    with wire_to(slack) as wire:
        slack.disconnect("warning")
        assert wire.frame()["reason"] == "warning"
        ts = slack.say(ANA, GENERAL, "hello")
        assert wire.envelope()["payload"]["event"]["ts"] == ts


def test_duplicates_and_redeliveries_on_demand(slack: SlackServer) -> None:
    slack.duplicate_deliveries()
    with wire_to(slack) as wire:
        slack.say(ANA, GENERAL, "hello")
        first, second = wire.envelope()["payload"], wire.envelope()["payload"]
        slack.duplicate_deliveries(False)
        slack.redeliver(first["event_id"])
        third = wire.envelope()
        slack.wait_until_quiet()
    assert first == second == third["payload"]
    assert third["retry_attempt"] == 1


def test_pings_are_answered(slack: SlackServer) -> None:
    with wire_to(slack) as wire:
        assert isinstance(wire.connection, ClientConnection)
        assert wire.connection.ping("sdk-ping-pong:1730000000.5").wait(10)


@pytest.mark.parametrize("frame", ["ping", "[]", "{}", '{"envelope_id": "unknown"}'])
def test_other_frames_of_the_app_change_nothing(slack: SlackServer, frame: str) -> None:
    with wire_to(slack) as wire:
        wire.connection.send(frame)
        ts = slack.say(BEN, GENERAL, "hello")
        assert wire.envelope()["payload"]["event"]["ts"] == ts


def test_a_link_opens_once(slack: SlackServer) -> None:
    url = WebClient(base_url=slack.api_url).apps_connections_open(app_token=slack.app_token)["url"]
    with connect(url) as connection:
        assert json.loads(connection.recv(10))["type"] == "hello"
    with pytest.raises(InvalidStatus), connect(url):
        pass


def test_the_eleventh_connection_is_one_too_many(slack: SlackServer) -> None:
    with ExitStack() as stack:
        for _ in range(10):
            stack.enter_context(wire_to(slack))
        with wire_to(slack) as wire:
            assert wire.seen[0]["reason"] == "too_many_websockets"
            with pytest.raises(ConnectionClosed):
                wire.frame()
        assert slack.state()["connections"] == 10


def test_a_bot_token_opens_no_connection(slack: SlackServer) -> None:
    with pytest.raises(SlackApiError, match="not_allowed_token_type"):
        WebClient(base_url=slack.api_url).apps_connections_open(app_token=slack.bot_token)


def test_presence_follows_the_connections(slack: SlackServer) -> None:
    def is_connected() -> bool:
        return bool(slack.request(f"/_page/state?as={ANA}")["bot"]["connected"])

    assert not is_connected()
    with wire_to(slack):
        assert is_connected()
    assert until(lambda: not is_connected())
