"""Record every call, envelope and hook in order, the newest kept."""

import itertools
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from local_slack.state.clock import Clock
from local_slack.wire import Json

MOST_CALLS, MOST_ENTRIES = 20_000, 1_000

_SECRETS = {"access_token", "client_secret", "code", "refresh_token"}

EntryKind = Literal["call", "envelope", "response_url"]


@dataclass(frozen=True, slots=True)
class ApiCall:
    """One API call. `outcome` is "ok", an error code or the kind of a fault; `args` has no token."""

    number: int
    at: float
    method: str
    args: Json
    outcome: str
    status: int


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One line of the inspector: request and response."""

    number: int
    at: float
    kind: EntryKind
    name: str
    request: Json
    outcome: str
    response: Json | None = None
    status: int | None = None
    ms: float | None = None
    attempt: int = 0

    @property
    def errors(self) -> list[str]:
        metadata = (self.response or {}).get("response_metadata") or {}
        found: list[str] = metadata.get("messages", [])
        return found


@dataclass(slots=True)
class Journal:
    """Entries numbered from 1, and API calls numbered apart, more of them kept."""

    clock: Clock
    calls: deque[ApiCall] = field(default_factory=lambda: deque(maxlen=MOST_CALLS))
    _entries: dict[int, JournalEntry] = field(default_factory=dict)
    _numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))
    _call_numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))
    _readers: list[Callable[[JournalEntry], None]] = field(default_factory=list)

    def record(self, method: str, args: Json, response: Json, outcome: str, status: int, ms: float) -> None:
        """Note an answered API call."""
        shown = _without_secrets(args)
        self.calls.append(ApiCall(next(self._call_numbers), self.clock.now(), method, shown, outcome, status))
        self.add("call", method, shown, outcome, response=_without_secrets(response), status=status, ms=ms)

    def add(self, kind: EntryKind, name: str, request: Json, outcome: str, **facts: Any) -> int:
        """Note anything; return the number to `change` it by."""
        number = next(self._numbers)
        self._entries.pop(number - MOST_ENTRIES, None)
        self._put(JournalEntry(number, self.clock.now(), kind, name, request, outcome, **facts))
        return number

    def change(self, number: int, **facts: Any) -> None:
        """Update an entry, if it is still kept."""
        entry = self._entries.get(number)
        if entry is not None:
            self._put(replace(entry, **facts))

    def calls_since(self, number: int) -> list[ApiCall]:
        return [call for call in self.calls if call.number > number]

    def entries_since(self, number: int) -> list[JournalEntry]:
        return [entry for entry in self._entries.values() if entry.number > number]

    @property
    def dropped(self) -> int:
        """Count the entries no longer kept."""
        return min(self._entries, default=1) - 1

    def subscribe(self, reader: Callable[[JournalEntry], None]) -> None:
        """Call `reader` with every entry, and again when it changes."""
        self._readers.append(reader)

    def clear(self) -> None:
        self.calls.clear()
        self._entries.clear()
        self._numbers, self._call_numbers = itertools.count(1), itertools.count(1)

    def _put(self, entry: JournalEntry) -> None:
        self._entries[entry.number] = entry
        for reader in self._readers:
            reader(entry)


def _without_secrets(value: Json) -> Json:
    """Hide tokens and secrets, in inner objects too."""
    return {
        name: "(hidden)" if name in _SECRETS else _without_secrets(inner) if isinstance(inner, dict) else inner
        for name, inner in value.items()
    }
