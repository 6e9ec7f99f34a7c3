"""Wire the parts of one local Slack: workspace, deliveries, permits, journal, limits and faults."""

from dataclasses import dataclass, field
from typing import Literal

from local_slack.access.faults import Faults
from local_slack.access.installs import Installs
from local_slack.access.permits import Permits
from local_slack.access.rate_limits import RateLimits
from local_slack.access.tokens import Grants, Tokens
from local_slack.delivery.deliveries import Carrier, Deliveries, Redelivery
from local_slack.delivery.events import payloads_for
from local_slack.delivery.http import RequestUrl
from local_slack.delivery.interactions import Interactions
from local_slack.delivery.journal import Journal
from local_slack.delivery.socket import Gateway
from local_slack.limits import Limits, strict
from local_slack.state.changes import Change, PresenceChanged
from local_slack.state.demo_workspace import demo_app, demo_workspace
from local_slack.state.entities import App
from local_slack.state.notifications import Notifications
from local_slack.state.workspace import Workspace

LIMIT_FACTORS = {"off": 0, "slack": 1, "generous": 10}


@dataclass(frozen=True, slots=True)
class Options:
    """Start options; `app` replaces the demo's."""

    tokens: Tokens = field(default_factory=Tokens)
    redelivery: Redelivery = field(default_factory=Redelivery)
    app: App = field(default_factory=demo_app)
    limits: Limits = field(default_factory=strict)
    rate_limits: Literal["off", "slack", "generous"] = "off"
    deduplicates: bool = False  # chat.postMessage by client_msg_id


@dataclass(slots=True)
class Ways:
    """The app's request URL if set, else its Socket Mode connections."""

    gateway: Gateway
    request_url: RequestUrl | None = None

    def next_carrier(self) -> Carrier | None:
        return self.request_url or self.gateway.next_carrier()

    @property
    def is_connected(self) -> bool:
        return self.request_url is not None or self.gateway.connection_count > 0


@dataclass(slots=True)
class LocalSlack:
    options: Options
    workspace: Workspace
    ways: Ways
    deliveries: Deliveries
    journal: Journal
    permits: Permits
    installs: Installs
    grants: Grants
    limits: RateLimits
    notifications: Notifications
    faults: Faults = field(default_factory=Faults)

    @property
    def gateway(self) -> Gateway:
        return self.ways.gateway

    @property
    def interactions(self) -> Interactions:
        return Interactions(self.workspace, self.permits)

    def reset(self) -> None:
        """Forget messages, files, calls, faults and deliveries, and restore the first app. Connections stay."""
        self.deliveries.clear()
        self.gateway.clear()
        for part in (self.permits, self.installs, self.grants, self.limits, self.journal, self.faults):
            part.clear()
        self.workspace.limits.rows = self.options.limits.rows
        self.limits.factor = LIMIT_FACTORS[self.options.rate_limits]
        self.workspace.app = self.options.app
        self.workspace.reset()


def local_slack(url: str, options: Options) -> LocalSlack:
    """Return a fresh local Slack with links beginning with `url`; it delivers its changes to the app."""
    workspace = demo_workspace(url, options.app, Limits(options.limits.rows))
    clock = workspace.clock
    gateway = Gateway(
        workspace.app.id, workspace.limits, lambda is_connected: workspace.publish(PresenceChanged(is_connected))
    )
    ways, journal, limits = Ways(gateway), Journal(clock), workspace.limits
    deliveries = Deliveries(ways, options.redelivery, journal, clock, limits)
    gateway.acknowledged, gateway.connected = deliveries.acknowledge, deliveries.resume

    def deliver(change: Change) -> None:
        for payload in payloads_for(workspace, change):
            deliveries.send_event(payload)

    workspace.subscribe(deliver)
    return LocalSlack(
        options, workspace, ways, deliveries, journal, Permits(clock, limits), Installs(clock, limits),
        Grants(options.tokens), RateLimits(clock, limits, LIMIT_FACTORS[options.rate_limits]), Notifications(workspace),
    )  # fmt: skip
