"""The members of channels, and guests and externals among them: asked of Slack, cached, kept up by events."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

from ai.errors import SourceUnavailable
from bot.people.directory import REMEMBERED_SECONDS, failures, reason
from bot.people.standing import Home, Profile

if TYPE_CHECKING:
    from slack_sdk import WebClient

PAGE = 1_000  # the most that Slack gives at once
LISTED_SECONDS = 1_800.0  # after which the list of all people is asked anew
NOT_TOLD = "Slack does not say who is in this channel ({}); tell an owner, and ask me in a direct message meanwhile."
NOT_LISTED = "Slack does not list the people of this workspace ({}); tell an owner to check the scope users:read."


class Move(Protocol):
    """A join or a leave."""

    @property
    def id(self) -> int: ...

    @property
    def person(self) -> str: ...

    @property
    def is_in(self) -> bool: ...

    @property
    def at(self) -> float: ...


class Moves(Protocol):
    def after(self, team: str, channel: str, number: int) -> Sequence[Move]: ...


@dataclass(frozen=True, slots=True)
class _Members:
    asked_at: float
    last_move: int
    people: frozenset[str]


@dataclass(frozen=True, slots=True)
class SlackMembers:
    """The members of channels. Raises SourceUnavailable where Slack does not tell."""

    client: "WebClient"
    moves: Moves
    team: str
    clock: Callable[[], float] = monotonic
    _known: dict[str, _Members] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def __call__(self, channel: str) -> frozenset[str]:
        with self._lock:
            known = self._known.get(channel)
        if known is None or self.clock() - known.asked_at > REMEMBERED_SECONDS:
            known = self._asked(channel)
        else:
            known = self._moved(channel, known)
        with self._lock:
            self._known[channel] = known
        return known.people

    def _moved(self, channel: str, known: _Members) -> _Members:
        moves = self.moves.after(self.team, channel, known.last_move)
        if not moves:
            return known
        people = set(known.people)
        for move in sorted(moves, key=lambda move: (move.at, move.id)):
            (people.add if move.is_in else people.discard)(move.person)
        return _Members(known.asked_at, moves[-1].id, frozenset(people))

    def _asked(self, channel: str) -> _Members:
        before = self.moves.after(self.team, channel, 0)
        try:
            people = frozenset(_members(partial(self.client.conversations_members, channel=channel)))
        except failures() as error:
            raise SourceUnavailable(NOT_TOLD.format(reason(error))) from None
        return _Members(self.clock(), before[-1].id if before else 0, people)


def _members(call: Callable[..., Any]) -> Iterator[Any]:
    cursor = ""
    while True:
        page = call(limit=PAGE, cursor=cursor)
        yield from page.get("members") or []
        cursor = (page.get("response_metadata") or {}).get("next_cursor", "")
        if not cursor:
            return


@dataclass(frozen=True, slots=True)
class Circles:
    """The guests, externals and bots of Slack; everybody else `listed` is a colleague."""

    listed: frozenset[str] = frozenset()
    guests: frozenset[str] = frozenset()
    externals: frozenset[str] = frozenset()
    bots: frozenset[str] = frozenset()


@dataclass(slots=True)
class SlackCircles:
    """Lists everybody known to Slack; others are asked about, and external while nobody says."""

    client: "WebClient"
    home: Home
    profile_of: Callable[[str], Profile | None]
    clock: Callable[[], float] = monotonic
    _known: Circles = field(default_factory=Circles)
    _asked_at: float = float("-inf")
    _lock: Lock = field(default_factory=Lock)

    def __call__(self, people: frozenset[str]) -> Circles:
        """Return the circles of at least these people. Raises SourceUnavailable."""
        with self._lock:
            if self.clock() - self._asked_at > LISTED_SECONDS:
                self._known, self._asked_at = self._listed(), self.clock()
            if strangers := people - self._known.listed:
                self._known = self._with(self._known, {user: self.profile_of(user) for user in strangers})
            return self._known

    def _listed(self) -> Circles:
        try:
            everybody = _members(self.client.users_list)
            return self._with(Circles(), {str(user["id"]): Profile.of(user) for user in everybody})
        except failures() as error:
            raise SourceUnavailable(NOT_LISTED.format(reason(error))) from None

    def _with(self, known: Circles, found: dict[str, Profile | None]) -> Circles:
        bots = {user for user, profile in found.items() if profile is not None and profile.is_bot}
        standings = {user: self.home.standing(profile) for user, profile in found.items() if user not in bots}
        guests = {user for user, standing in standings.items() if standing == "guest"}
        externals = {user for user, standing in standings.items() if standing in ("external", "stranger", "unknown")}
        return Circles(
            known.listed | found.keys(), known.guests | guests, known.externals | externals, known.bots | bots
        )
