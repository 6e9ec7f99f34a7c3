"""The readers of an answer in a channel, counted by their roles."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from ai.types import NOBODY, Readers
from bot.access.rules import DIRECT, EXTERNALS, GUESTS, Access, beside, is_http
from bot.people import Circles

Roles = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChannelAudience:
    """Decides by the distinct roles of the members, not by person. Slack is asked when the roles are."""

    access: Access
    members: Callable[[str], frozenset[str]]
    circles: Callable[[frozenset[str]], Circles]
    bot_user: str

    def __call__(self, channel: str, asker: str) -> Readers:
        """Return the readers of a reply to somebody in a channel."""
        if channel.startswith(DIRECT):
            return Readers(includes=lambda user: user == asker)
        includes = partial(self.includes, beside(channel))
        if is_http(channel) or self.access.policy_for(channel) == "asker":
            return Readers(includes=includes)
        return Readers(partial(self.roles, channel, asker), includes)

    def includes(self, channel: str, user: str) -> bool:
        """Whether somebody is a member of a channel. Raises SourceUnavailable."""
        return user in self.members(channel)

    def roles(self, channel: str, asker: str) -> Mapping[Roles, int]:
        """Count the other people of a channel by their roles. Raises SourceUnavailable."""
        members = self.members(channel)
        circles = self.circles(members)
        classes: dict[Roles, frozenset[str]] = {(): members - circles.bots - {asker, self.bot_user}}
        for role, holders in self.access.roles.items():
            who = holders.users.union(*map(frozenset, map(self.access.members, holders.groups)))
            classes = _split(classes, who, (role,))
        for circle, people in ((GUESTS, circles.guests), (EXTERNALS, circles.externals)):
            given = (circle,) if self.access.has_rights(channel, circle) else (circle, NOBODY)
            classes = _split(classes, people, given)
        return {roles: len(people) for roles, people in classes.items() if people}


def _split(classes: Mapping[Roles, frozenset[str]], who: frozenset[str], given: Roles) -> dict[Roles, frozenset[str]]:
    """Return the classes of people, those among `who` with further roles."""
    found = {roles: people - who for roles, people in classes.items()}
    return found | {(*roles, *given): people & who for roles, people in classes.items() if people & who}
