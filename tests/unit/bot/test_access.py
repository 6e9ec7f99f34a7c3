"""Who may ask here."""

import pytest

from ai.errors import NotAllowed
from bot.access import Access, Holders, http_channel


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
