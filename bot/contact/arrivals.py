"""What Slack told us and is not stored yet. A line's mark stops at the oldest of it."""

from threading import Lock


class Arrivals:
    """Safe for many threads. Keys name what is owed; moments are Unix seconds."""

    def __init__(self) -> None:
        self._owed: dict[object, float] = {}
        self._lock = Lock()

    def came(self, key: object, said_at: float) -> None:
        """Owe `key`; said again, the earlier moment stays."""
        with self._lock:
            self._owed[key] = min(said_at, self._owed.get(key, said_at))

    def over(self, key: object) -> None:
        with self._lock:
            self._owed.pop(key, None)

    def stored_until(self, heard_at: float) -> float:
        """Return the mark of a line that heard from Slack at `heard_at`."""
        with self._lock:
            return min([heard_at, *self._owed.values()])
