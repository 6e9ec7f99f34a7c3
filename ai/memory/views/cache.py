"""The cache of windows: in this process, and in Redis where processes share a memory.

A window names its thread's version, and every write makes a new one: no reader takes old messages for new.
"""

import json
import logging
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from time import monotonic
from typing import Any, Protocol

from ai.errors import ConfigError, MissingExtra
from ai.memory.views.fitting import ContextWindow
from ai.types import LoggedMessage, ThreadKey

log = logging.getLogger(__name__)

SECONDS = 3600
THREADS = 200  # in this process: a window is up to 50 KB, and reading it again half a millisecond
PATIENCE = 0.25  # seconds that Redis may take; the database is as quick
PLAIN = "seq turn_id role content author tokens".split()
REST = 30  # seconds without Redis after it failed
PUT_IF_NEWER = """
local kept = tonumber(redis.call('GET', KEYS[2]) or '-1')
if kept > tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
redis.call('SET', KEYS[2], ARGV[1], 'EX', ARGV[3])
return 1
"""


@dataclass(frozen=True, slots=True)
class Cached:
    """`last_seq` is the newest message by then; 0 means unknown."""

    version: int
    window: ContextWindow[LoggedMessage]
    last_seq: int = 0


class WindowCache(Protocol):
    def get(self, key: ThreadKey, version: int) -> ContextWindow[LoggedMessage] | None: ...

    def latest(self, key: ThreadKey) -> Cached | None: ...

    def put(self, key: ThreadKey, cached: Cached) -> None:
        """Keep a window, unless a newer one is kept."""

    def drop(self, key: ThreadKey) -> None: ...

    def clear(self) -> None: ...


class InProcess:
    def __init__(self, threads: int = THREADS, seconds: float = SECONDS) -> None:
        self._threads = threads
        self._seconds = seconds
        self._kept: OrderedDict[ThreadKey, tuple[float, Cached]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: ThreadKey, version: int) -> ContextWindow[LoggedMessage] | None:
        with self._lock:
            until, cached = self._kept.get(key, (0.0, None))
            if cached is None or cached.version != version or until < monotonic():
                return None
            self._kept.move_to_end(key)
            return cached.window

    def latest(self, key: ThreadKey) -> Cached | None:
        with self._lock:
            until, cached = self._kept.get(key, (0.0, None))
            return cached if until >= monotonic() else None

    def put(self, key: ThreadKey, cached: Cached) -> None:
        with self._lock:
            _, kept = self._kept.get(key, (0.0, None))
            if kept is None or kept.version <= cached.version:
                self._kept[key] = (monotonic() + self._seconds, cached)
                self._kept.move_to_end(key)
            if len(self._kept) > self._threads:
                self._kept.popitem(last=False)

    def drop(self, key: ThreadKey) -> None:
        with self._lock:
            self._kept.pop(key, None)

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()


class Shared:
    def __init__(self, url: str, seconds: int = SECONDS) -> None:
        try:
            from redis import Redis  # only where there is one
            from redis.backoff import NoBackoff
            from redis.exceptions import RedisError
            from redis.retry import Retry
        except ModuleNotFoundError:
            raise MissingExtra("REDIS_URL", "redis") from None

        self._failure: type[Exception] = RedisError
        try:
            self._redis = Redis.from_url(
                url,
                socket_timeout=PATIENCE,
                socket_connect_timeout=PATIENCE,
                retry=Retry(NoBackoff(), 0),
                decode_responses=True,
            )
        except ValueError:
            raise ConfigError(f"REDIS_URL is {url!r}: give a URL such as redis://127.0.0.1:6379/0.") from None
        self._near = InProcess(seconds=seconds)
        self._seconds = seconds
        self._put = self._redis.register_script(PUT_IF_NEWER)
        self._rests_until = 0.0
        self._behind = ThreadPoolExecutor(1, "window-cache")  # one: what is dropped stays dropped

    def get(self, key: ThreadKey, version: int) -> ContextWindow[LoggedMessage] | None:
        near = self._near.get(key, version)
        if near is not None or self._near.latest(key) is not None or self._rests():
            return near  # an older window is continued from the store, which is quicker
        try:
            text, kept = self._redis.mget(_name(key), _version(key))
        except self._failure as error:
            self._rest(error)
            return None
        if text is None or kept != str(version):
            return None
        window = _window(key, json.loads(text))
        self._near.put(key, Cached(version, window))
        return window

    def latest(self, key: ThreadKey) -> Cached | None:
        return self._near.latest(key)

    def put(self, key: ThreadKey, cached: Cached) -> None:
        self._near.put(key, cached)
        if not self._rests():
            self._behind.submit(self._share, key, cached)

    def drop(self, key: ThreadKey) -> None:
        self._near.drop(key)
        self._behind.submit(self._delete, [_name(key), _version(key)]).result()

    def answers(self) -> bool:
        """Whether Redis can be reached just now."""
        try:
            return bool(self._redis.ping())
        except self._failure:
            return False

    def clear(self) -> None:
        self._near.clear()
        self._behind.submit(self._delete_all).result()

    def _share(self, key: ThreadKey, cached: Cached) -> None:
        text = json.dumps([_plain(message, cached.window.truncated) for message in cached.window.messages])
        try:
            self._put(keys=[_name(key), _version(key)], args=[cached.version, text, self._seconds])
        except self._failure as error:
            self._rest(error)

    def _delete(self, names: Sequence[str]) -> None:
        try:
            self._redis.delete(*names)
        except self._failure as error:
            self._rest(error)

    def _delete_all(self) -> None:
        try:
            for name in self._redis.scan_iter("chat:*:recent*"):
                self._redis.delete(name)
        except self._failure as error:
            self._rest(error)

    def _rests(self) -> bool:
        return monotonic() < self._rests_until

    def _rest(self, error: Exception) -> None:
        if not self._rests():
            log.warning("Redis does not answer (%s); going on without it.", type(error).__name__)
        self._rests_until = monotonic() + REST


def cache_at(url: str | None) -> WindowCache:
    return InProcess() if url is None else Shared(url)


def _name(key: ThreadKey) -> str:
    return f"chat:{key}:recent"


def _version(key: ThreadKey) -> str:
    return f"chat:{key}:recent:version"


def _plain(message: LoggedMessage, truncated: bool) -> dict[str, Any]:
    plain = {name: getattr(message, name) for name in PLAIN}
    return {
        **plain,
        "thread": str(message.thread),
        "created_at": message.created_at.isoformat(),
        "truncated": truncated,
    }


def _window(key: ThreadKey, kept: list[dict[str, Any]]) -> ContextWindow[LoggedMessage]:
    messages = tuple(_message(key, fields) for fields in kept)
    truncated = any(fields["truncated"] for fields in kept)
    return ContextWindow(messages, sum(message.tokens for message in messages), truncated)


def _message(key: ThreadKey, fields: dict[str, Any]) -> LoggedMessage:
    said = {name: value for name, value in fields.items() if name != "truncated"}
    return LoggedMessage(**{**said, "thread": key, "created_at": datetime.fromisoformat(fields["created_at"])})
