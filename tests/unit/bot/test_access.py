"""Who may ask here."""

from datetime import UTC, datetime

import pytest

from ai.errors import NotAllowed
from ai.types import ThreadKey
from bot.access import Access
from bot.inbound import Inbound


def asked(channel: str, *, external: bool = False) -> Inbound:
    return Inbound("T:C:1", ThreadKey("T", channel, "1"), "x", "U1", datetime.now(UTC), False, False, external, ())


def test_a_channel_has_its_source_or_everybodys() -> None:
    access = Access({"C1": "sales", "*": "apps"})
    assert (access.source_for("C1"), access.source_for("C2")) == ("sales", "apps")


def test_a_channel_without_a_source_is_refused() -> None:
    with pytest.raises(NotAllowed, match="no data source"):
        Access({"C1": "sales"}).admit(asked("C2"))


def test_other_organisations_are_refused_unless_allowed() -> None:
    with pytest.raises(NotAllowed, match="people of this workspace"):
        Access({"*": "apps"}).admit(asked("C1", external=True))
    Access({"*": "apps"}, allow_external=True).admit(asked("C1", external=True))
