"""The clients of Slack: what each repeats and how long it waits, and whose events the Bolt app takes."""

import json
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from slack_bolt.request import BoltRequest

from bot.contact import Greeting, bolt_app, limiter_of, posting_client, quick_client, slack_client
from bot.delivery import SLACK_LIMITS, Lane
from bot.monitoring import Levels, SharedMeter
from config import Settings, load
from local_slack.testing import ANA, BOT, GENERAL, MENTION
from tests.fakes import KeptQueue
from tests.figures import figures
from tests.intakes import TEAM, intake_of
from tests.memories import opened

ADDRESS = "https://slack.invalid/api/"


def settings(**also: Any) -> Settings:
    return load(slack_api_url=ADDRESS, slack_bot_token="xoxb-1", slack_app_token="xapp-1", **also)


def test_only_one_client_waits_out_rate_limits_and_one_gives_up_soon() -> None:
    made = {made.__name__: made(settings()) for made in (slack_client, posting_client, quick_client)}
    assert {name: [handler.max_retry_count for handler in client.retry_handlers] for name, client in made.items()} == {
        "slack_client": [5],
        "posting_client": [],
        "quick_client": [],
    }
    assert {name: client.timeout for name, client in made.items()} == {
        "slack_client": 30,
        "posting_client": 30,
        "quick_client": 2,
    }
    assert {(client.token, client.base_url) for client in made.values()} == {("xoxb-1", ADDRESS)}


def test_a_watched_client_is_the_same_otherwise() -> None:
    watched, plain = posting_client(settings(), SharedMeter()), posting_client(settings())
    assert (watched.token, watched.base_url, watched.retry_handlers) == (plain.token, plain.base_url, [])


def test_a_process_has_its_part_of_the_rates() -> None:
    whole, half = limiter_of(settings()).rules, limiter_of(settings(), 2).rules
    assert whole == {method: list(rules) for method, rules in SLACK_LIMITS.items()}
    assert {method: [(rule.interval, rule.burst) for rule in rules] for method, rules in half.items()} == {
        method: [(2 * rule.interval, max(1, rule.burst // 2)) for rule in rules] for method, rules in whole.items()
    }
    assert limiter_of(settings(slack_pacing=False)).rules == {}
    assert limiter_of(settings(slack_pacing=False)).has_room(Lane("chat.postMessage", GENERAL))


def test_a_repeated_call_is_counted() -> None:
    meter = SharedMeter()
    limiter_of(settings(), meter=meter).on_repeat()
    assert figures(meter.page(Levels(())))["datathread_retries_total", ("what", "slack")] == 1


def body(*installed: dict[str, str]) -> dict[str, Any]:
    """Return a mention, sent for these installations."""
    event = {"type": "app_mention", "user": ANA, "channel": GENERAL, "ts": "100.1", "event_ts": "100.1"}
    told = {"type": "event_callback", "team_id": TEAM, "event": {**event, "text": f"{MENTION} how many?"}}
    return {**told, "authorizations": [*installed]} if installed else told


@pytest.mark.parametrize(
    ("told", "is_ours"),
    [
        (body(), True),
        (body({"team_id": TEAM}), True),
        (body({"team_id": "T0OTHER"}), False),
        (body({"team_id": "T0OTHER"}, {"team_id": TEAM}), True),
        (body({"team_id": "T0OTHER", "enterprise_id": "E0HOME"}), True),
    ],
    ids=["for nobody named", "for us", "for another workspace", "for both", "for our organisation"],
)
def test_only_our_own_events_are_taken(tmp_path: Path, told: dict[str, Any], *, is_ours: bool) -> None:
    greeting = Greeting("Shop", "bot", "https://shop.slack.com", TEAM, BOT, "B1", "E0HOME")
    with opened(tmp_path) as memory:
        queue = KeptQueue()
        bolt = bolt_app(posting_client(settings()), intake_of(memory, queue, home=greeting.home), greeting)
        answer = bolt.dispatch(BoltRequest(body=json.dumps(told), headers={"content-type": "application/json"}))
        assert answer.status == HTTPStatus.OK
        assert queue.waiting == [f"{TEAM}:{GENERAL}:100.1"] * is_ours
