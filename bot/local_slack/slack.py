"""The parts of one local Slack, wired: workspace, Socket Mode gateway, journal and faults. HTTP is put on top elsewhere."""

from dataclasses import dataclass, field

from bot.local_slack.demo_workspace import demo_workspace
from bot.local_slack.entities import Change, PresenceChanged
from bot.local_slack.events import payloads_for
from bot.local_slack.journal import Faults, Journal
from bot.local_slack.socket import Gateway, Redelivery
from bot.local_slack.state import Workspace


@dataclass(frozen=True, slots=True)
class Tokens:
    """The only two tokens that are accepted."""

    bot: str = "xoxb-local-bot"
    app: str = "xapp-local-app"


@dataclass(slots=True)
class LocalSlack:
    tokens: Tokens
    workspace: Workspace
    gateway: Gateway
    journal: Journal = field(default_factory=Journal)
    faults: Faults = field(default_factory=Faults)

    def reset(self) -> None:
        """Back to the first day: no messages, files, calls, faults or deliveries. Connections stay."""
        self.workspace.reset()
        self.gateway.clear()
        self.journal.calls.clear()
        self.faults.clear()


def local_slack(url: str, tokens: Tokens, redelivery: Redelivery) -> LocalSlack:
    """A fresh local Slack whose links begin with `url`: what changes in its workspace is delivered to the app."""
    workspace = demo_workspace(url)
    gateway = Gateway(
        workspace.app.id, redelivery, lambda is_connected: workspace.publish(PresenceChanged(is_connected))
    )

    def deliver(change: Change) -> None:
        for payload in payloads_for(workspace, change):
            gateway.deliver(payload)

    workspace.subscribe(deliver)
    return LocalSlack(tokens, workspace, gateway)
