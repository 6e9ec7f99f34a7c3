"""Who may ask here, about which data, in which workspace and role. Owns the rules; the settings file feeds them.

A chat over HTTP is held beside a channel: it asks about the channel's data and shares its workspace.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from ai.errors import NotAllowed
from bot.inbound import Inbound

ANYWHERE = "*"
DIRECT = "D"  # ids of direct messages begin with it
HTTP = "http"
DEFAULT_WORKSPACE = "default"


@dataclass(frozen=True, slots=True)
class Holders:
    """Who has a role: users, and whoever is in one of the user groups."""

    users: frozenset[str] = frozenset()
    groups: tuple[str, ...] = ()


def nobody(group: str) -> frozenset[str]:  # noqa: ARG001 - without Slack there are no groups
    """The members of a group where there is no Slack to ask."""
    return frozenset()


@dataclass(frozen=True, slots=True)
class Access:
    """`channels` maps a channel id to the name of its data source, `workspaces` to that of its workspace.

    The channel `*` stands for every other one. `roles` says who has each role, `members` who is in a user group, `owners`
    who decides about the definitions; `*` among them is everybody.
    """

    channels: Mapping[str, str]
    allow_external: bool = False
    workspaces: Mapping[str, str] = field(default_factory=dict)
    roles: Mapping[str, Holders] = field(default_factory=dict)
    members: Callable[[str], Collection[str]] = nobody
    owners: Collection[str] = ()

    def is_owner(self, user: str) -> bool:
        """Whether somebody decides what words mean here."""
        return user in self.owners or ANYWHERE in self.owners

    def source_for(self, channel: str) -> str:
        """The data source of a channel. NotAllowed when the channel has none."""
        source = self.channels.get(beside(channel)) or self.channels.get(ANYWHERE)
        if source is None:
            raise NotAllowed("This channel has no data source; an owner of the bot can add it to the settings file.")
        return source

    def workspace_for(self, channel: str) -> str:
        """The workspace that a channel belongs to; direct messages that are not listed have one of their own."""
        listed = self.workspaces.get(beside(channel))
        if listed is None and beside(channel).startswith(DIRECT):
            return channel
        return listed or self.workspaces.get(ANYWHERE, DEFAULT_WORKSPACE)

    def roles_of(self, user: str) -> tuple[str, ...]:
        """The roles that a user has now. `SourceUnavailable` when it cannot be told who is in a group."""
        return tuple(role for role, holders in self.roles.items() if user and self._holds(user, holders))

    def _holds(self, user: str, holders: Holders) -> bool:
        return user in holders.users or any(user in self.members(group) for group in holders.groups)

    def admit(self, inbound: Inbound) -> None:
        """NotAllowed when this person may not ask here."""
        if inbound.is_external and not self.allow_external:
            raise NotAllowed("I only answer people of this workspace; ask a colleague here to put the question.")
        self.source_for(inbound.thread.channel)


def http_channel(user: str, channel: str) -> str:
    """What stands for the channel of the chats that a user holds over HTTP beside a channel; only that user sees them."""
    return f"{HTTP}:{user}:{channel}"


def is_http(channel: str) -> bool:
    """Whether a conversation is held over HTTP, and so is not in Slack."""
    return channel.startswith(f"{HTTP}:")


def beside(channel: str) -> str:
    """The channel of Slack whose rules hold in a conversation: the channel itself, but for chats over HTTP."""
    return channel.rpartition(":")[2]
