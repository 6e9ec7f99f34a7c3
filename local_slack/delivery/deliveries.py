"""Deliver payloads to the app: try, repeat, take acknowledgements, give up.

An event without timely acknowledgement is sent again under its event_id: at once, after one minute and after five, on
the workspace's clock. Then it is given up, or with delayed events switched on sent every hour for a day.
"""

import asyncio
from collections import deque
from dataclasses import dataclass, field, replace
from functools import partial
from time import perf_counter
from typing import Literal, Protocol

from local_slack.delivery.journal import Journal
from local_slack.limits import Limits
from local_slack.state.clock import Clock
from local_slack.wire import Json, SlackError

MOST_KEPT = 20_000
DeliveryKind = Literal["events_api", "interactive", "slash_commands"]


_FIRST_RETRIES = 3
_HOUR = 3600.0


@dataclass(slots=True)
class Redelivery:
    """How events are repeated.

    `after` are the seconds the app has to acknowledge. `loses` counts an app without a connection as a failed try; else
    its events wait for it. `is_delayed` repeats what was given up every hour for a day.
    """

    after: float = 3.0
    loses: bool = False
    is_delayed: bool = False


class Carrier(Protocol):
    @property
    def is_open(self) -> bool: ...

    def carry(self, delivery: "OutgoingPayload") -> None:
        """Send it; call `Deliveries.acknowledge` on the app's answer."""


class Router(Protocol):
    def next_carrier(self) -> Carrier | None:
        """Return the way of the next delivery, or None while there is none."""


@dataclass(eq=False, slots=True)
class OutgoingPayload:
    """One payload, how it was tried, and the result."""

    kind: DeliveryKind
    payload: Json
    entry: int  # its number in the journal
    attempt: int = -1  # retry_attempt of the newest try
    failure: str = "timeout"  # why the newest try was not acknowledged
    retry_reason: str = ""
    carrier: Carrier | None = None
    sent_at: float = 0.0  # the newest try, by perf_counter
    seconds: float | None = None  # from the newest try to the acknowledgement
    is_acknowledged: bool = False
    is_given_up: bool = False
    failed_at: float = 0.0  # when the last of the first tries failed
    waits: bool = False  # for its next retry
    timer: asyncio.TimerHandle | None = None  # of a planned delay
    answer: "asyncio.Future[Json] | None" = None

    @property
    def event_id(self) -> str:
        return str(self.payload.get("event_id", ""))

    @property
    def is_done(self) -> bool:
        return self.is_acknowledged or self.is_given_up


@dataclass(slots=True)
class Disorder:
    """Planned disorder of events: twice, late (seconds), or the next few in reverse order."""

    duplicates: bool = False
    delay: float = 0.0
    reverse: int = 0
    held: list[Json] = field(default_factory=list)


class Deliveries:
    """All envelopes. Used on one event loop."""

    def __init__(self, router: Router, redelivery: Redelivery, journal: Journal, clock: Clock, limits: Limits) -> None:
        self.redelivery = redelivery
        self._first_redelivery = replace(redelivery)
        self._clock = clock
        self._limits = limits
        self.disorder = Disorder()
        self.all: deque[OutgoingPayload] = deque(maxlen=MOST_KEPT)
        self._router = router
        self._journal = journal
        self._waiting: deque[OutgoingPayload] = deque()

    def send_event(self, payload: Json) -> None:
        """Send an event, in the planned disorder if any."""
        disorder = self.disorder
        if disorder.reverse:
            disorder.held.insert(0, payload)
            if len(disorder.held) < disorder.reverse:
                return
            held, disorder.held, disorder.reverse = disorder.held, [], 0
            for one in held:
                self._send_soon(one)
        else:
            self._send_soon(payload)

    async def ask(self, payload: Json, kind: DeliveryKind = "interactive") -> Json:
        """Send an interaction and return the app's answer. Raises app_not_connected, operation_timeout."""
        delivery = self._delivery(kind, payload)
        delivery.answer = asyncio.get_running_loop().create_future()
        if not self._dispatch(delivery):
            self._give_up(delivery, "app_not_connected")
            raise SlackError("app_not_connected")
        try:
            return await asyncio.wait_for(delivery.answer, self.redelivery.after)
        except TimeoutError:
            self._give_up(delivery, "timeout")
            raise SlackError("operation_timeout") from None

    def acknowledge(self, delivery: OutgoingPayload, answer: Json) -> None:
        delivery.seconds = perf_counter() - delivery.sent_at
        delivery.is_acknowledged = True
        if delivery.answer and not delivery.answer.done():
            delivery.answer.set_result(answer)
        self._journal.change(delivery.entry, outcome="acknowledged", response=answer)

    def resume(self) -> None:
        """Send waiting envelopes; call when a carrier opens."""
        waiting, self._waiting = self._waiting, deque()
        for delivery in waiting:
            self._dispatch(delivery)

    def redeliver(self, event_id: str) -> bool:
        """Send an earlier event once more; return whether it exists."""
        earlier = next((delivery for delivery in self.all if event_id and delivery.event_id == event_id), None)
        if earlier is None:
            return False
        repeated = self._delivery(earlier.kind, earlier.payload)
        repeated.attempt = earlier.attempt
        self._dispatch(repeated)
        return True

    def undelivered(self) -> list[OutgoingPayload]:
        return [delivery for delivery in self.all if not delivery.is_done]

    def clear(self) -> None:
        for delivery in self.all:
            if delivery.timer:
                delivery.timer.cancel()
        self.disorder = Disorder()
        self.redelivery = replace(self._first_redelivery)
        self.all.clear()
        self._waiting.clear()

    def _send_soon(self, payload: Json) -> None:
        for _ in range(2 if self.disorder.duplicates else 1):
            delivery = self._delivery("events_api", payload)
            if self.disorder.delay:
                loop = asyncio.get_running_loop()
                delivery.timer = loop.call_later(self.disorder.delay, self._dispatch, delivery)
            else:
                self._dispatch(delivery)

    def _delivery(self, kind: DeliveryKind, payload: Json) -> OutgoingPayload:
        inner = payload.get("event", payload)
        name = str(inner.get("command") or inner.get("type"))
        delivery = OutgoingPayload(kind, payload, self._journal.add("envelope", name, payload, "waiting"))
        self.all.append(delivery)
        return delivery

    def _dispatch(self, delivery: OutgoingPayload) -> bool:
        """Hand `delivery` to a carrier, or let it wait; return whether there was a carrier."""
        if delivery.is_done:
            return True
        carrier = self._router.next_carrier()
        delivery.waits = False
        if carrier is None and not (self.redelivery.loses and delivery.kind == "events_api"):
            self._waiting.append(delivery)
            return False
        delivery.attempt += 1
        delivery.retry_reason = delivery.failure if delivery.attempt else ""
        delivery.carrier, delivery.sent_at = carrier, perf_counter()
        self._journal.change(delivery.entry, attempt=delivery.attempt)
        if carrier is None:
            self.fail(delivery, delivery.attempt, "connection_failed")
            return False
        carrier.carry(delivery)
        if delivery.kind == "events_api":
            attempt = delivery.attempt
            self._clock.call_at(self._clock.now() + self.redelivery.after, lambda: self._overdue(delivery, attempt))
        return True

    def _overdue(self, delivery: OutgoingPayload, attempt: int) -> None:
        if delivery.carrier is not None and not delivery.carrier.is_open and delivery.attempt == attempt:
            self._dispatch(delivery)  # the connection is gone: another one may be there
        else:
            self.fail(delivery, attempt, "timeout")

    def fail(self, delivery: OutgoingPayload, attempt: int, reason: str, *, is_final: bool = False) -> None:
        """Note that try number `attempt` failed, and plan the next one; `is_final` plans none."""
        if delivery.is_done or delivery.waits or delivery.attempt != attempt:
            return
        delivery.failure = reason
        wait = None if is_final else self._wait_after(delivery)
        if wait is None:
            self._give_up(delivery, "given_up")
        elif wait == 0:
            self._dispatch(delivery)
        else:
            delivery.waits = True
            self._clock.call_at(self._clock.now() + wait, partial(self._dispatch, delivery))

    def _wait_after(self, delivery: OutgoingPayload) -> float | None:
        """Return the seconds until the next try, or None after the last one."""
        if delivery.attempt < _FIRST_RETRIES:
            return self._limits[f"events.retry_{delivery.attempt + 1}"]
        now = self._clock.now()
        delivery.failed_at = delivery.failed_at or now
        if not self.redelivery.is_delayed or now >= delivery.failed_at + self._limits["events.delayed_hours"] * _HOUR:
            return None
        return _HOUR

    def _give_up(self, delivery: OutgoingPayload, outcome: str) -> None:
        delivery.is_given_up = True
        if delivery in self._waiting:
            self._waiting.remove(delivery)
        self._journal.change(delivery.entry, outcome=outcome)
