"""Who is in a user group and in which time zone people are, as Slack says it over the wire.

When it does not say, nobody is taken for a member, and the time zone is that of the settings.
"""

from collections.abc import Callable
from itertools import count

import pytest
from slack_sdk import WebClient

from ai.errors import SourceUnavailable
from bot.contact import slack_client
from bot.people import REMEMBERED_SECONDS, SlackGroups, SlackProfiles
from config import load
from local_slack.testing import ANA, SlackServer


@pytest.fixture(scope="module")
def slack(slack_here: SlackServer) -> SlackServer:
    return slack_here


def client(slack: SlackServer) -> WebClient:
    return slack_client(
        load(slack_api_url=slack.api_url, slack_bot_token=slack.bot_token, slack_app_token=slack.app_token)
    )


def groups(slack: SlackServer, step: float = 0) -> SlackGroups:
    clock = count(0.0, step)
    return SlackGroups(client(slack), lambda: next(clock))


def timezones(slack: SlackServer, step: float = 0) -> Callable[[str], str]:
    clock = count(0.0, step)
    profiles = SlackProfiles(client(slack), lambda: next(clock))
    return lambda user: profiles.timezone(user, "Asia/Tokyo")


def test_members_are_asked_for_and_remembered_for_a_while(slack: SlackServer) -> None:
    members = groups(slack)
    assert ANA in members("S0ANALYSTS")
    assert members("S0ANALYSTS") is members("S0ANALYSTS")
    asked_each_time = groups(slack, REMEMBERED_SECONDS + 1)
    assert asked_each_time("S0ANALYSTS") is not asked_each_time("S0ANALYSTS")


def test_a_group_that_slack_does_not_know_has_no_members_and_no_answer(slack: SlackServer) -> None:
    with pytest.raises(SourceUnavailable, match=r"S0NOBODY .*no_such_subteam.*usergroups:read"):
        groups(slack)("S0NOBODY")


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
