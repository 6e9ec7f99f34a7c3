"""Rules about asking: people, data, workspaces, roles. A chat over HTTP follows its channel."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal

from ai.errors import NotAllowed, SourceUnavailable
from bot.people import Standing

Policy = Literal["members", "asker", "private"]
GUESTS, EXTERNALS = "guest", "external"  # roles that people hold by where they belong
CIRCLES: Mapping[Standing, str] = {
    "guest": GUESTS,
    "external": EXTERNALS,
    "stranger": EXTERNALS,
    "unknown": EXTERNALS,
}
ANYWHERE = "*"
DIRECT = "D"  # ids of direct messages begin with it
HTTP = "http"
DEFAULT_WORKSPACE = "default"
GUEST = "Guests of this workspace may not ask me; ask a colleague who is a member to put the question."
UNKNOWN = (
    "Slack does not tell me who you are, so I may not answer; ask again in a minute. "
    "If it stays so, an owner finds out with `datathread check`: the scope users:read may be missing."
)
FOREIGNER = "I only answer people of this workspace; ask a colleague here to put the question."


@dataclass(frozen=True, slots=True)
class Holders:
    users: frozenset[str] = frozenset()
    groups: tuple[str, ...] = ()


def nobody(group: str) -> frozenset[str]:  # noqa: ARG001 - without Slack there are no groups
    """Return no members, where there is no Slack to ask."""
    return frozenset()


def at_home(user: str) -> Standing:  # noqa: ARG001 - without Slack everybody belongs here
    return "home"


@dataclass(frozen=True, slots=True)
class Access:
    """The rules of the settings file, by channel id and role name."""

    channels: Mapping[str, str]  # "*" is every other one
    allow_external: bool = False
    workspaces: Mapping[str, str] = field(default_factory=dict)
    roles: Mapping[str, Holders] = field(default_factory=dict)
    members: Callable[[str], Collection[str]] = nobody
    owners: Collection[str] = ()  # "*" is everybody
    allow_guests: bool = True
    policies: Mapping[str, Policy] = field(default_factory=dict)  # whose rights an answer is held to
    sharers: Mapping[str, Collection[str]] = field(default_factory=dict)  # roles sharing private answers, as owners do
    circles: Mapping[str, Collection[str]] = field(default_factory=dict)  # of `OUTSIDERS`, with rights for a source
    standing_of: Callable[[str], Standing] = at_home

    def is_owner(self, user: str) -> bool:
        return user in self.owners or ANYWHERE in self.owners

    def source_for(self, channel: str) -> str:
        """Return the data source of a channel. Raises NotAllowed when it has none."""
        source = self.channels.get(beside(channel)) or self.channels.get(ANYWHERE)
        if source is None:
            raise NotAllowed("This channel has no data source; an owner of the bot can add it to the settings file.")
        return source

    def workspace_for(self, channel: str) -> str:
        """Return the workspace of a channel; unlisted direct messages have their own."""
        listed = self.workspaces.get(beside(channel))
        if listed is None and beside(channel).startswith(DIRECT):
            return channel
        return listed or self.workspaces.get(ANYWHERE, DEFAULT_WORKSPACE)

    def roles_of(self, user: str, channel: str = "") -> tuple[str, ...]:
        """Return a user's current roles; a caller over HTTP counts as one of us.

        Raises SourceUnavailable when Slack does not list a group, or does not say who somebody is.
        """
        named = tuple(role for role, holders in self.roles.items() if user and self._holds(user, holders))
        standing = self.standing_of(user) if user and not is_http(channel) else "home"
        if standing == "unknown" and any(self.circles.values()):
            raise SourceUnavailable(UNKNOWN)
        return (*named, *([CIRCLES[standing]] if standing in CIRCLES else []))

    def policy_for(self, channel: str) -> Policy:
        return self.policies.get(beside(channel)) or self.policies.get(ANYWHERE, "members")

    def may_share(self, user: str, channel: str) -> bool:
        """Whether somebody may show a private answer to everybody in a channel."""
        allowed = self.sharers.get(channel, self.sharers.get(ANYWHERE, ()))
        return self.is_owner(user) or not set(allowed).isdisjoint(self.roles_of(user))

    def has_rights(self, channel: str, circle: str) -> bool:
        """Whether people of a circle are shown anything: they may ask here, or have rights of their own."""
        is_open = {GUESTS: self.allow_guests, EXTERNALS: self.allow_external}
        return is_open[circle] or circle in self.circles.get(self.source_for(channel), ())

    def _holds(self, user: str, holders: Holders) -> bool:
        return user in holders.users or any(user in self.members(group) for group in holders.groups)

    def admit(self, channel: str, standing: Standing) -> None:
        """Raise NotAllowed when a person of this standing may not ask in a channel."""
        self.require(standing, FOREIGNER)
        self.source_for(channel)

    def admits(self, channel: str, standing: Standing) -> bool:
        try:
            self.admit(channel, standing)
        except NotAllowed:
            return False
        return True

    def require(self, standing: Standing, refusal: str) -> None:
        if standing == "guest" and not self.allow_guests:
            raise NotAllowed(GUEST)
        if standing in ("external", "stranger", "unknown") and not self.allow_external:
            raise NotAllowed(UNKNOWN if standing == "unknown" else refusal)


def http_channel(user: str, channel: str) -> str:
    """Return the channel of a user's HTTP chats; only that user sees them."""
    return f"{HTTP}:{user}:{channel}"


def is_http(channel: str) -> bool:
    return channel.startswith(f"{HTTP}:")


def beside(channel: str) -> str:
    """Return the Slack channel of an HTTP chat, or the channel itself."""
    return channel.rpartition(":")[2]
