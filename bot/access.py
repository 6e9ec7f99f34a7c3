"""Who may ask here, and about which data. Owns the rules; the settings file feeds them."""

from collections.abc import Mapping
from dataclasses import dataclass

from ai.errors import NotAllowed
from bot.inbound import Inbound

ANYWHERE = "*"


@dataclass(frozen=True, slots=True)
class Access:
    """`channels` maps a channel id to the name of its data source; `*` stands for every other channel."""

    channels: Mapping[str, str]
    allow_external: bool = False

    def source_for(self, channel: str) -> str:
        """The data source of a channel. NotAllowed when the channel has none."""
        source = self.channels.get(channel) or self.channels.get(ANYWHERE)
        if source is None:
            raise NotAllowed("This channel has no data source; an owner of the bot can add it to the settings file.")
        return source

    def admit(self, inbound: Inbound) -> None:
        """NotAllowed when this person may not ask here."""
        if inbound.is_external and not self.allow_external:
            raise NotAllowed("I only answer people of this workspace; ask a colleague here to put the question.")
        self.source_for(inbound.thread.channel)
