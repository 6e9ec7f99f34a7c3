"""What the app called, and how the next calls shall fail: the two things a test wants of an API besides its answers."""

import time
from dataclasses import dataclass, field
from typing import Literal, get_args

from bot.local_slack.entities import Json
from bot.local_slack.errors import SlackError

FaultKind = Literal["ratelimited", "server_error", "unavailable", "drop_after"]


@dataclass(frozen=True, slots=True)
class Call:
    """One API call. `outcome` is "ok", an error code or the kind of a fault; tokens are left out of `args`."""

    number: int
    at: float
    method: str
    args: Json
    outcome: str
    status: int


@dataclass(slots=True)
class Journal:
    """Every API call in the order of arrival, numbered from 1."""

    calls: list[Call] = field(default_factory=list)

    def record(self, method: str, args: Json, outcome: str, status: int) -> None:
        self.calls.append(Call(len(self.calls) + 1, time.time(), method, args, outcome, status))

    def since(self, number: int) -> list[Call]:
        """The calls after call `number`."""
        return self.calls[number:]


@dataclass(frozen=True, slots=True)
class Fault:
    """How a call fails. `retry_after` is in seconds and goes with "ratelimited" only."""

    kind: FaultKind
    retry_after: int = 1


@dataclass(slots=True)
class Faults:
    """The failures that are still to happen, by method."""

    _planned: dict[str, list[Fault]] = field(default_factory=dict)

    def plan(self, method: str, fault: Fault, times: int) -> None:
        """Let the next `times` calls of `method` fail."""
        if fault.kind not in get_args(FaultKind):
            raise SlackError("invalid_fault", [f"kind is one of {', '.join(get_args(FaultKind))}"])
        self._planned.setdefault(method, []).extend([fault] * times)

    def next_for(self, method: str) -> Fault | None:
        """The failure of this call of `method`, taken off the plan."""
        planned = self._planned.get(method)
        return planned.pop(0) if planned else None

    def clear(self) -> None:
        self._planned.clear()
