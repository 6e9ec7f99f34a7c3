"""Events that are not acknowledged: again at once, after one minute and after five, then given up or delayed for hours."""

from local_slack.testing import ANA, GENERAL, SlackServer
from tests.local_slack.contract.inbox import Inbox, inbox
from tests.local_slack.contract.wire import Wire, wire_to

ACK = 31  # more seconds than the app has to acknowledge here


def unacknowledged(slack: SlackServer, wire: Wire, *waits: float) -> list[tuple[int, str]]:
    """Let the newest try fail, then time pass, for each wait; the tries that come of it."""
    found = []
    for wait in waits:
        slack.advance(ACK)
        slack.advance(wait)
        envelope = wire.envelope(ack=False)
        found.append((envelope["retry_attempt"], envelope["retry_reason"]))
    return found


def test_three_retries_come_at_once_after_one_minute_and_after_five(slack: SlackServer) -> None:
    with wire_to(slack) as wire:
        slack.say(ANA, GENERAL, "hello")
        first = wire.envelope(ack=False)
        slack.advance(ACK)
        second = wire.envelope(ack=False)
        slack.advance(ACK)
        slack.advance(59)
        assert slack.deliveries()[0]["retry_attempt"] == 1
        slack.advance(1)
        third = wire.envelope(ack=False)
        slack.advance(ACK)
        slack.advance(299)
        assert slack.deliveries()[0]["retry_attempt"] == 2
        slack.advance(1)
        fourth = wire.envelope(ack=False)
        slack.advance(ACK)
        slack.wait_until_quiet()
    tries = [first, second, third, fourth]
    assert [one["retry_attempt"] for one in tries] == [0, 1, 2, 3]
    assert [one["retry_reason"] for one in tries] == ["", "timeout", "timeout", "timeout"]
    assert len({one["payload"]["event_id"] for one in tries}) == 1
    assert slack.state()["given_up"] == 1


def test_a_late_acknowledgement_ends_the_retries(slack: SlackServer) -> None:
    with wire_to(slack) as wire:
        slack.say(ANA, GENERAL, "hello")
        wire.envelope(ack=False)
        slack.advance(ACK)
        wire.ack(wire.envelope(ack=False))
        slack.wait_until_quiet()
        slack.advance(3600)
    assert [(one["retry_attempt"], one["acknowledged"]) for one in slack.deliveries()] == [(1, True)]


def numbers_and_reasons(app: Inbox) -> list[tuple[str | None, str | None]]:
    return [(one.get("x-slack-retry-num"), one.get("x-slack-retry-reason")) for one, _ in app.received]


def test_over_http_the_retries_say_their_number_and_reason(slack: SlackServer) -> None:
    with inbox() as app:
        slack.control("request_url", {"url": app.url})
        app.statuses = [500, 503, 404]
        slack.say(ANA, GENERAL, "hello")
        slack.wait_for(lambda: len(app.received) == 2, "the retry at once")
        slack.wait_for(lambda: slack.deliveries()[0]["waits"], "the plan of the next retry")
        slack.advance(60)
        slack.wait_for(lambda: len(app.received) == 3, "the retry after a minute")
        slack.wait_for(lambda: slack.deliveries()[0]["waits"], "the plan of the next retry")
        slack.advance(300)
        slack.wait_until_quiet()
        slack.reset()
    expected = [(None, None), ("1", "http_error"), ("2", "http_error"), ("3", "http_error")]
    assert numbers_and_reasons(app) == expected


def test_an_app_can_decline_retries(slack: SlackServer) -> None:
    with inbox() as app:
        slack.control("request_url", {"url": app.url})
        app.statuses, app.headers = [500], {"X-Slack-No-Retry": "1"}
        slack.say(ANA, GENERAL, "hello")
        slack.wait_until_quiet()
        slack.reset()
    assert numbers_and_reasons(app) == [(None, None)]


def test_delayed_events_come_every_hour_for_a_day(slack: SlackServer) -> None:
    slack.control("redelivery", {"delayed": True})
    with wire_to(slack) as wire:
        slack.say(ANA, GENERAL, "hello")
        wire.envelope(ack=False)
        assert [number for number, _ in unacknowledged(slack, wire, 0, 60, 300, 3600, 3600)] == [1, 2, 3, 4, 5]
        for _ in range(22):
            unacknowledged(slack, wire, 3600)
        slack.advance(ACK)
        slack.wait_until_quiet()
    assert slack.state()["given_up"] == 1


def test_a_delayed_event_reaches_an_app_that_comes_back(slack: SlackServer) -> None:
    slack.control("redelivery", {"delayed": True, "loses": True})
    ts = slack.say(ANA, GENERAL, "anybody there?")
    slack.advance(60)
    slack.advance(300)
    with wire_to(slack) as wire:
        slack.advance(3600)
        assert wire.envelope()["payload"]["event"]["ts"] == ts
        slack.wait_until_quiet()


def test_events_of_an_app_that_is_away_can_be_lost(slack: SlackServer) -> None:
    slack.control("redelivery", {"loses": True})
    slack.say(ANA, GENERAL, "anybody there?")
    slack.advance(60)
    slack.advance(300)
    assert slack.state()["given_up"] == 1
    with wire_to(slack):
        slack.advance(3600)
        assert slack.state()["undelivered"] == 0
