"""Who is in a user group, as Slack says it over the wire; when it does not say, nobody is taken for a member."""

from collections.abc import Iterator
from itertools import count

import pytest

from ai.errors import SourceUnavailable
from bot.connecting import slack_client
from bot.membership import REMEMBERED_SECONDS, SlackGroups
from config import load
from tests.slack_server import ANA, SlackServer, slack_server


@pytest.fixture(scope="module")
def slack() -> Iterator[SlackServer]:
    with slack_server() as server:
        yield server


def groups(slack: SlackServer, step: float = 0) -> SlackGroups:
    settings = load(slack_api_url=slack.api_url, slack_bot_token=slack.bot_token, slack_app_token=slack.app_token)
    clock = count(0.0, step)
    return SlackGroups(slack_client(settings), lambda: next(clock))


def test_members_are_asked_for_and_remembered_for_a_while(slack: SlackServer) -> None:
    members = groups(slack)
    assert ANA in members("S0ANALYSTS")
    assert members("S0ANALYSTS") is members("S0ANALYSTS")
    asked_each_time = groups(slack, REMEMBERED_SECONDS + 1)
    assert asked_each_time("S0ANALYSTS") is not asked_each_time("S0ANALYSTS")


def test_a_group_that_slack_does_not_know_has_no_members_and_no_answer(slack: SlackServer) -> None:
    with pytest.raises(SourceUnavailable, match=r"S0NOBODY .*no_such_subteam.*usergroups:read"):
        groups(slack)("S0NOBODY")
