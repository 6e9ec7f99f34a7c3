"""Who may ask here."""

from pathlib import Path
from typing import Any

import pytest

from ai.errors import NotAllowed, SourceUnavailable
from ai.language.texts import translator_of
from bot.access import Access, Holders, http_channel
from bot.people import Home, People, Profile
from tests.cases import cases


def test_a_channel_has_its_source_or_everybodys() -> None:
    access = Access({"C1": "sales", "*": "apps"})
    assert (access.source_for("C1"), access.source_for("C2")) == ("sales", "apps")


def test_a_channel_without_a_source_is_refused() -> None:
    with pytest.raises(NotAllowed, match="no data source"):
        Access({"C1": "sales"}).admit("C2", "home")


def test_other_organisations_are_refused_unless_allowed() -> None:
    with pytest.raises(NotAllowed, match="people of this workspace"):
        Access({"*": "apps"}).admit("C1", "external")
    Access({"*": "apps"}, allow_external=True).admit("C1", "external")


def test_a_channel_has_its_workspace_and_a_direct_message_its_own() -> None:
    access = Access({}, workspaces={"C1": "finance", "D2": "finance", "*": "all"})
    assert [access.workspace_for(channel) for channel in ("C1", "C2", "D1", "D2")] == [
        "finance",
        "all",
        "D1",
        "finance",
    ]
    assert Access({}).workspace_for("C1") == "default"


def test_a_chat_over_http_has_what_the_channel_beside_it_has() -> None:
    access = Access({"C1": "sales", "*": "apps"}, workspaces={"C1": "finance"})
    chat = http_channel("U1", "C1")
    assert (access.source_for(chat), access.workspace_for(chat)) == ("sales", "finance")
    assert access.workspace_for(http_channel("U1", "D1")) != access.workspace_for(http_channel("U2", "D1"))


def test_a_role_is_had_by_id_or_by_group() -> None:
    roles = {"finance": Holders(frozenset({"U1"}), ("S1",)), "audit": Holders(groups=("S2",))}
    access = Access({}, roles=roles, members={"S1": ["U2"], "S2": ["U1", "U2"]}.__getitem__)
    assert access.roles_of("U1") == access.roles_of("U2") == ("finance", "audit")
    assert access.roles_of("U3") == ()
    assert Access({}, roles={"all": Holders(groups=("S1",))}).roles_of("U1") == ()


@pytest.mark.parametrize("line", cases(Path(__file__).with_name("standings.jsonl")))
def test_a_standing_may_ask_or_not(line: dict[str, Any]) -> None:
    access = Access({"*": "apps"}, allow_guests=line["guests"], allow_external=line["external"])
    assert access.admits("C1", line["standing"]) is line["may"]


def test_an_owner_is_named_or_everybody() -> None:
    assert [Access({}, owners=["U1"]).is_owner(user) for user in ("U1", "U2")] == [True, False]
    assert Access({}, owners=["*"]).is_owner("U2")
    assert not Access({}).is_owner("U1")


def test_owners_and_sharers_share() -> None:
    roles = {"lead": Holders(frozenset({"U2"}))}
    access = Access({}, roles=roles, owners=["U1"], sharers={"C1": ["lead"], "*": ["audit"]})
    assert [access.may_share(user, "C1") for user in ("U1", "U2", "U3")] == [True, True, False]
    assert not access.may_share("U2", "C2")


def test_a_policy_is_the_channels_or_everybodys_or_the_members() -> None:
    access = Access({}, policies={"C1": "asker", "*": "members"})
    assert [access.policy_for(channel) for channel in ("C1", "C2")] == ["asker", "members"]
    assert Access({}, policies={"*": "asker"}).policy_for("C2") == "asker"
    assert Access({}).policy_for("C1") == "members"


def test_who_is_unknown_has_no_roles_where_guests_have_rights_of_their_own() -> None:
    circles = {"apps": ["guest"]}
    with pytest.raises(SourceUnavailable):
        Access({}, circles=circles, standing_of=lambda _: "unknown").roles_of("U1")
    assert Access({}, circles={"apps": []}, standing_of=lambda _: "unknown").roles_of("U1") == ("external",)
    assert Access({}, circles=circles, standing_of=lambda _: "guest").roles_of("U1") == ("guest",)
    assert Access({}, circles=circles, standing_of=lambda _: "unknown").roles_of("U1", http_channel("U1", "C1")) == ()


@pytest.mark.parametrize(
    ("user", "locale", "language"),
    [("U1", "de-DE", "de"), ("U1", "", "en"), ("U1", None, "en"), ("", "de-DE", "en")],
    ids=["told", "without a language", "unknown", "nobody"],
)
def test_a_person_has_texts_in_their_language(user: str, locale: str | None, language: str) -> None:
    people = People(Home("T1"), lambda _: None if locale is None else Profile("T1", locale=locale))
    assert people.texts_for(user) is translator_of(language)
