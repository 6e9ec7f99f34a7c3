"""Plan how the next API calls fail."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal, get_args

from local_slack.wire import SlackError

FaultKind = Literal["ratelimited", "server_error", "unavailable", "drop_after", "drop_before", "slow", "error"]


@dataclass(frozen=True, slots=True)
class PlannedFault:
    """One failure. `seconds` is Retry-After or the length of a slow answer; `error` the code of kind "error"."""

    kind: FaultKind
    seconds: float = 1.0
    error: str = "internal_error"

    @property
    def runs_the_call(self) -> bool:
        return self.kind in {"drop_after", "slow"}

    @property
    def hangs_up(self) -> bool:
        return self.kind in {"drop_after", "drop_before"}


@dataclass(slots=True)
class Faults:
    """Failures still to come, by method; "*" stands for every method. Slow answers wait until they are let go."""

    _planned: dict[str, list[PlannedFault]] = field(default_factory=dict)
    _gate: asyncio.Event = field(default_factory=asyncio.Event)

    def plan(self, method: str, fault: PlannedFault, times: int) -> None:
        if fault.kind not in get_args(FaultKind):
            raise SlackError("invalid_fault", [f"kind is one of {', '.join(get_args(FaultKind))}"])
        self._planned.setdefault(method, []).extend([fault] * times)

    def next_for(self, method: str) -> PlannedFault | None:
        """Take the next failure of `method` off the plan."""
        planned = self._planned.get(method) or self._planned.get("*")
        return planned.pop(0) if planned else None

    async def hold(self, seconds: float) -> None:
        """Wait so long, or until `let_go`."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._gate.wait(), seconds)

    def let_go(self) -> None:
        """Give the slow answers that wait now; later ones wait again."""
        self._gate.set()
        self._gate = asyncio.Event()

    def clear(self) -> None:
        self._planned.clear()
