"""The readers of a channel: counted by roles, kept up by moves, quick for ten thousand."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from time import process_time
from typing import Any

import pytest
from slack_sdk.errors import SlackApiError

from ai.errors import SourceUnavailable
from ai.memory.log.moves import ChannelMove
from ai.types import NOBODY
from bot.access import Access, ChannelAudience, Holders
from bot.people import Home, Profile, SlackCircles, SlackMembers
from bot.people.membership import Circles

HOME = Home("T1")


@dataclass
class Slack:
    """A Slack of so many people; U0 is a guest, U1 is of another company, B is a bot of a third."""

    people: int
    calls: list[str] = field(default_factory=list)
    error: str = ""

    def conversations_members(self, channel: str, limit: int, cursor: str) -> dict[str, Any]:
        self.calls.append("members")
        if self.error:
            raise SlackApiError("no", {"error": self.error})  # type: ignore[no-untyped-call]
        start = int(cursor or 0)
        ids = [f"U{number}" for number in range(start, min(start + limit, self.people))]
        after = str(start + limit) if start + limit < self.people else ""
        return {"members": [*ids, *(["B"] if not start else [])], "response_metadata": {"next_cursor": after}}

    def users_list(self, limit: int, cursor: str) -> dict[str, Any]:
        self.calls.append("list")
        if self.error:
            raise SlackApiError("no", {"error": self.error})  # type: ignore[no-untyped-call]
        start = int(cursor or 0)
        users = [self.user(number) for number in range(start, min(start + limit, self.people))]
        after = str(start + limit) if start + limit < self.people else ""
        bots = [{"id": "B", "team_id": "T3", "is_bot": True}] if not start else []
        return {"members": users + bots, "response_metadata": {"next_cursor": after}}

    @staticmethod
    def user(number: int) -> dict[str, Any]:
        return {"id": f"U{number}", "team_id": "T2" if number == 1 else "T1", "is_restricted": number == 0}


@dataclass
class KeptMoves:
    moves: list[ChannelMove] = field(default_factory=list)

    def after(self, team: str, channel: str, number: int) -> Sequence[ChannelMove]:
        return [move for move in self.moves if move.id > number]


def nobody_known(user: str) -> Profile | None:
    return None


def audience(slack: Slack, moves: KeptMoves, access: Access) -> ChannelAudience:
    client: Any = slack
    return ChannelAudience(access, SlackMembers(client, moves, "T1"), SlackCircles(client, HOME, nobody_known), "UBOT")


def bosses(**facts: Any) -> Access:
    return Access({"*": "shop"}, roles={"boss": Holders(frozenset({"U2", "U3"}))}, **facts)


def test_people_are_counted_by_their_roles() -> None:
    found = audience(Slack(6), KeptMoves(), bosses())("C1", "U2").roles()
    assert found == {(): 2, ("boss",): 1, ("guest",): 1, ("external", NOBODY): 1}


def test_guests_who_may_not_ask_see_nothing_but_what_they_are_given() -> None:
    strict = audience(Slack(1), KeptMoves(), bosses(allow_guests=False))("C1", "U2").roles()
    given = audience(Slack(1), KeptMoves(), bosses(allow_guests=False, circles={"shop": {"guest"}}))("C1", "U2").roles()
    assert (strict, given) == ({("guest", NOBODY): 1}, {("guest",): 1})


def test_moves_count_at_once_and_strangers_see_nothing() -> None:
    moves, slack = KeptMoves(), Slack(3)
    readers = audience(slack, moves, bosses())("C1", "U0")
    assert sum(readers.roles().values()) == 2
    moves.moves += [ChannelMove(1, "U2", False, 5.0), ChannelMove(2, "U77", True, 6.0)]
    assert readers.roles() == {("external", NOBODY): 2}
    assert readers.includes("U77")
    assert slack.calls.count("members") == 1


@pytest.mark.parametrize("channel", ["D1", "http:U1:C1"])
def test_nobody_else_reads_what_is_said_to_one(channel: str) -> None:
    slack = Slack(3)
    assert audience(slack, KeptMoves(), bosses())(channel, "U2").roles() == {}
    assert slack.calls == []


def test_a_channel_may_follow_the_asker_alone() -> None:
    slack = Slack(3)
    assert audience(slack, KeptMoves(), bosses(policies={"C1": "asker"}))("C1", "U2").roles() == {}
    assert slack.calls == []


def test_where_slack_does_not_say_who_is_there_nobody_knows() -> None:
    with pytest.raises(SourceUnavailable, match="missing_scope"):
        audience(Slack(3, error="missing_scope"), KeptMoves(), bosses())("C1", "U2").roles()


def circles(slack: Slack) -> Circles:
    client: Any = slack
    return SlackCircles(client, HOME, nobody_known)(frozenset({"U9"}))


def test_guests_externals_and_bots_are_told_apart() -> None:
    people = frozenset({"U0", "U1", "U2", "U9", "B"})
    assert circles(Slack(3)) == Circles(people, frozenset({"U0"}), frozenset({"U1", "U9"}), frozenset({"B"}))


def test_where_slack_does_not_list_its_people_nobody_is_a_colleague() -> None:
    with pytest.raises(SourceUnavailable, match=r"missing_scope.*users:read"):
        circles(Slack(3, error="missing_scope"))


def test_ten_thousand_members_are_decided_in_fifty_milliseconds() -> None:
    groups = {f"S{number}": frozenset(f"U{n}" for n in range(number, 10_000, 7)) for number in range(8)}
    roles = {f"role {name}": Holders(groups=(name,)) for name in groups}
    readers = audience(Slack(10_000), KeptMoves(), Access({"*": "shop"}, roles=roles, members=groups.__getitem__))
    ask = readers("C1", "U2")
    ask.roles()  # asks Slack
    began = process_time()
    assert sum(ask.roles().values()) == 9_999
    assert process_time() - began < 0.05
