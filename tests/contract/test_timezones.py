"""The time zone of a person, as Slack says it over the wire; the setting where it says none."""

from collections.abc import Iterator
from itertools import count

import pytest

from bot.connecting import slack_client
from bot.timezones import REMEMBERED_SECONDS, SlackTimezones
from config import load
from tests.slack_server import ANA, SlackServer, slack_server


@pytest.fixture(scope="module")
def slack() -> Iterator[SlackServer]:
    with slack_server() as server:
        yield server


def timezones(slack: SlackServer, step: float = 0) -> SlackTimezones:
    settings = load(slack_api_url=slack.api_url, slack_bot_token=slack.bot_token, slack_app_token=slack.app_token)
    clock = count(0.0, step)
    return SlackTimezones(slack_client(settings), "Asia/Tokyo", lambda: next(clock))


def asked(slack: SlackServer) -> int:
    return len(slack.calls("users.info"))


def test_a_zone_is_asked_for_and_remembered_for_a_while(slack: SlackServer) -> None:
    before, zone_of = asked(slack), timezones(slack)
    assert [zone_of(ANA), zone_of(ANA)] == ["Europe/Lisbon", "Europe/Lisbon"]
    assert asked(slack) == before + 1
    zone_of = timezones(slack, REMEMBERED_SECONDS + 1)
    assert [zone_of(ANA), zone_of(ANA)] == ["Europe/Lisbon", "Europe/Lisbon"]
    assert asked(slack) == before + 3


def test_for_whom_slack_does_not_know_the_setting_holds(slack: SlackServer) -> None:
    assert timezones(slack)("U0NOBODY") == "Asia/Tokyo"
