"""People told apart: members, guests, colleagues of the organisation, external people and strangers, event by event."""

from typing import Any

from slack_sdk import WebClient

from local_slack.testing import ANA, BOT, EXTERNAL, GENERAL, MENTION, PARTNERS, SlackServer
from tests.local_slack.contract.wire import Wire, wire_to

Json = dict[str, Any]

COLLEAGUE, STRANGER = "U0KAI", "U0ZOE"
FACTS = ("team", "user_team", "source_team")


def event_of(wire: Wire, kind: str) -> Json:
    """The wrapper of the next event of a type."""
    return wire.payloads(lambda found: bool(found) and found[-1]["event"]["type"] == kind)[-1]


def told(event: Json) -> tuple[str | None, ...]:
    return tuple(event.get(fact) for fact in FACTS)


def test_at_home_a_message_names_the_team_alone(slack: SlackServer) -> None:
    with wire_to(slack) as wire:
        slack.say(ANA, GENERAL, f"{MENTION} apps?")
        event = event_of(wire, "app_mention")["event"]
        slack.wait_until_quiet()
    assert told(event) == ("T0LOCAL", None, None)
    assert "user_profile" not in event


def test_in_a_channel_shared_with_another_company(slack: SlackServer) -> None:
    with wire_to(slack) as wire:
        slack.say(ANA, PARTNERS, f"{MENTION} apps?")
        ours = event_of(wire, "app_mention")
        slack.say(EXTERNAL, PARTNERS, f"{MENTION} apps?")
        theirs = event_of(wire, "app_mention")
        slack.wait_until_quiet()
    assert told(ours["event"]) == ("T0LOCAL", "T0LOCAL", "T0LOCAL")
    assert told(theirs["event"]) == ("T0ELSEWHERE", "T0ELSEWHERE", "T0ELSEWHERE")
    assert theirs["event"]["user_profile"]["team"] == "T0ELSEWHERE"
    assert [ours["is_ext_shared_channel"], theirs["is_ext_shared_channel"]] == [True, True]
    assert {theirs["team_id"], theirs["authorizations"][0]["team_id"]} == {"T0LOCAL"}


def test_an_external_person_with_a_file_is_named_by_nothing(slack: SlackServer) -> None:
    with wire_to(slack) as wire:
        slack.share_file(EXTERNAL, PARTNERS, "a.csv", b"a", f"{MENTION} apps?")
        event = event_of(wire, "app_mention")["event"]
        slack.wait_until_quiet()
    assert told(event) == (None, None, None)
    assert "user_profile" not in event


def test_an_external_person_in_a_direct_conversation(slack: SlackServer) -> None:
    with wire_to(slack) as wire:
        slack.say(EXTERNAL, "D0EVA", "apps?")
        event = event_of(wire, "message")["event"]
        slack.wait_until_quiet()
    assert told(event) == ("T0ELSEWHERE", None, None)


def test_reactions_from_outside_come_from_the_other_workspace(slack: SlackServer) -> None:
    """As in the samples of bolt-python: the wrapper names the source, `authorizations` where the app is installed."""
    slack.app(event_types=["reaction_added"])
    ts = slack.say(ANA, PARTNERS, "thanks")
    with wire_to(slack) as wire:
        slack.react(EXTERNAL, PARTNERS, ts, "eyes")
        told_of = wire.envelope()["payload"]
        slack.wait_until_quiet()
    assert (told_of["team_id"], told_of["context_team_id"]) == ("T0ELSEWHERE", "T0LOCAL")
    assert told_of["authorizations"][0]["team_id"] == "T0LOCAL"


def test_who_shares_a_channel_is_no_stranger(slack: SlackServer, client: WebClient) -> None:
    slack.control("user", {"user": STRANGER, "kind": "external"})
    known, unknown = (client.users_info(user=user)["user"] for user in (EXTERNAL, STRANGER))
    assert [known["is_stranger"], unknown["is_stranger"]] == [False, True]
    assert {known["team_id"], unknown["team_id"]} == {"T0ELSEWHERE"}


def test_on_enterprise_grid_people_belong_to_the_organisation(slack: SlackServer, client: WebClient) -> None:
    slack.control("organisation", {"id": "E0ORG", "name": "Everywhere Inc."})
    slack.control("share", {"channel": GENERAL, "with": "org"})
    slack.control("user", {"user": COLLEAGUE, "kind": "colleague", "channels": [GENERAL]})
    with wire_to(slack) as wire:
        slack.say(COLLEAGUE, GENERAL, f"{MENTION} apps?")
        wrapper = event_of(wire, "app_mention")
        slack.wait_until_quiet()
    assert told(wrapper["event"]) == ("T0SECOND", "E0ORG", "T0SECOND")
    assert [wrapper[name] for name in ("enterprise_id", "context_enterprise_id")] == ["E0ORG", "E0ORG"]
    assert not wrapper["is_ext_shared_channel"]
    person = client.users_info(user=COLLEAGUE)["user"]
    assert (person["team_id"], person["is_stranger"]) == ("T0SECOND", False)
    assert (person["enterprise_user"]["enterprise_id"], person["enterprise_user"]["teams"]) == ("E0ORG", ["T0SECOND"])
    channel = client.conversations_info(channel=GENERAL)["channel"]
    assert (channel["is_org_shared"], channel["is_ext_shared"]) == (True, False)
    assert channel["internal_team_ids"] == ["T0LOCAL", "T0SECOND"]


def test_people_outside_the_organisation_keep_their_own_team(slack: SlackServer, client: WebClient) -> None:
    slack.control("organisation", {})
    with wire_to(slack) as wire:
        slack.say(EXTERNAL, PARTNERS, f"{MENTION} apps?")
        event = event_of(wire, "app_mention")["event"]
        slack.wait_until_quiet()
    assert told(event) == ("T0ELSEWHERE", "T0ELSEWHERE", "T0ELSEWHERE")
    assert "enterprise_user" not in client.users_info(user=EXTERNAL)["user"]
    assert client.conversations_info(channel=PARTNERS)["channel"]["connected_team_ids"] == ["T0ELSEWHERE"]


def test_an_app_installed_for_the_whole_organisation(slack: SlackServer, client: WebClient) -> None:
    slack.control("organisation", {"id": "E0ORG", "org_install": True})
    answer = client.auth_test()
    assert (answer["enterprise_id"], answer["is_enterprise_install"]) == ("E0ORG", True)
    with wire_to(slack) as wire:
        slack.say(ANA, GENERAL, f"{MENTION} apps?")
        wrapper = event_of(wire, "app_mention")
        slack.wait_until_quiet()
    assert wrapper["team_id"] == "T0LOCAL"
    assert wrapper["authorizations"] == [
        {"enterprise_id": "E0ORG", "team_id": None, "user_id": "U0BOT", "is_bot": True, "is_enterprise_install": True}
    ]
    assert client.team_info()["team"]["enterprise_id"] == "E0ORG"


def test_an_organisation_wide_app_hears_the_second_workspace(slack: SlackServer, client: WebClient) -> None:
    slack.control("organisation", {"id": "E0ORG", "org_install": True})
    slack.control("user", {"user": COLLEAGUE, "kind": "colleague"})
    channel = {"channel": "C0THERE", "name": "there", "members": [COLLEAGUE, BOT], "team": "T0SECOND"}
    slack.control("channel", channel)
    with wire_to(slack) as wire:
        slack.say(COLLEAGUE, "C0THERE", f"{MENTION} apps?")
        wrapper = event_of(wire, "app_mention")
        slack.wait_until_quiet()
    assert (wrapper["team_id"], wrapper["enterprise_id"], wrapper["event"]["team"]) == ("T0SECOND", "E0ORG", "T0SECOND")
    assert wrapper["authorizations"][0]["team_id"] is None
    assert client.chat_postMessage(channel="C0THERE", text="49")["ok"]
    assert client.conversations_info(channel="C0THERE")["channel"]["context_team_id"] == "T0SECOND"


def test_a_reset_dissolves_the_organisation(slack: SlackServer, client: WebClient) -> None:
    slack.control("organisation", {})
    slack.reset()
    assert "enterprise_id" not in client.auth_test()
