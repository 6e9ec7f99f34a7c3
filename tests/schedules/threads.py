"""Threads, locks, timers and clocks of the product, put into the hands of a simulated world."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, tzinfo
from importlib import import_module
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any, Generic, TypeVar

from tests.schedules.world import Task, World

T = TypeVar("T")
StandIn = tuple[str, object, object]  # a name, what it stands for in the product, and what it stands for here
MODULES = (
    "ai.stopping",
    "bot.delivery.calls",
    "bot.delivery.delivery",
    "bot.delivery.files",
    "bot.delivery.progress",
    "bot.engine.dispatch",
    "bot.engine.hands",
    "bot.engine.queue",
    "bot.engine.sweep",
    "bot.engine.workflow",
    "bot.listeners.intake",
    "bot.turn.patience",
    "bot.turn.retraction",
    "bot.turn.runner",
    "local_slack.state.clock",
)


class SimulatedThread:
    def __init__(
        self, world: World, target: Callable[..., object], args: Sequence[Any] = (), name: str = "", daemon: bool = True
    ) -> None:
        del name, daemon
        self._world = world
        self._work = lambda: target(*args)
        self._task: Task | None = None

    def start(self) -> None:
        self._task = self._world.spawn(self._world.process, self._work)

    def join(self, timeout: float | None = None) -> None:
        task = self._task
        if task is not None:
            self._world.wait(lambda: task.is_over, timeout)


class SimulatedTimer(SimulatedThread):
    def __init__(self, world: World, seconds: float, function: Callable[[], object]) -> None:
        super().__init__(world, self._run)
        self._seconds = seconds
        self._function = function
        self._is_cancelled = False

    def cancel(self) -> None:
        self._is_cancelled = True

    def _run(self) -> None:
        if not self._world.wait(lambda: self._is_cancelled, self._seconds):
            self._function()


class SimulatedEvent:
    def __init__(self, world: World) -> None:
        self._world = world
        self._is_set = False

    def is_set(self) -> bool:
        return self._is_set

    def set(self) -> None:
        self._is_set = True

    def clear(self) -> None:
        self._is_set = False

    def wait(self, timeout: float | None = None) -> bool:
        return self._world.wait(self.is_set, timeout)


class SimulatedLock:
    def __init__(self, world: World) -> None:
        self._world = world
        self._is_held = False

    def __enter__(self) -> None:
        if self._is_held:
            self._world.wait(lambda: not self._is_held)
        self._is_held = True

    def __exit__(self, *error: object) -> None:
        self._is_held = False


class SimulatedCondition(SimulatedLock):
    def wait_for(self, predicate: Callable[[], bool], timeout: float | None = None) -> bool:
        self._is_held = False
        found = predicate() or self._world.wait(predicate, timeout)
        self.__enter__()
        return found

    def notify_all(self) -> None:
        """The world looks for itself."""


class SimulatedSemaphore:
    def __init__(self, world: World, value: int) -> None:
        del world
        self._value = value

    def acquire(self, *, blocking: bool) -> bool:
        assert not blocking
        taken = self._value > 0
        self._value -= taken
        return taken

    def release(self) -> None:
        self._value += 1


class SimulatedQueue(Generic[T]):
    def __init__(self, world: World) -> None:
        self._world = world
        self._items = deque[T]()

    def put(self, item: T) -> None:
        self._items.append(item)

    def get(self) -> T:
        self._world.wait(lambda: bool(self._items))
        return self._items.popleft()


@contextmanager
def simulated(world: World, *more: StandIn) -> Iterator[None]:
    """Give the modules of the product the threads and the clock of a world, and `more` of it."""
    put_back: list[tuple[object, str, object]] = []
    stand_ins = (*_stand_ins(world), *more)
    try:
        for module in map(import_module, MODULES):
            for name, real, stand_in in stand_ins:
                if getattr(module, name, None) is real:
                    put_back.append((module, name, real))
                    setattr(module, name, stand_in)
        yield
    finally:
        for changed, name, real in put_back:
            setattr(changed, name, real)


def _stand_ins(world: World) -> list[StandIn]:

    class Calendar(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> "Calendar":
            return cls.fromtimestamp(world.now, tz or UTC)

    def of(kind: Callable[..., object]) -> Callable[..., object]:
        def made(*args: Any, **options: Any) -> object:
            return kind(world, *args, **options)

        return made

    def queue() -> object:
        return SimulatedQueue(world)

    return [
        ("Thread", threading.Thread, of(SimulatedThread)),
        ("Timer", threading.Timer, of(SimulatedTimer)),
        ("Event", threading.Event, of(SimulatedEvent)),
        ("Lock", threading.Lock, of(SimulatedLock)),
        ("Condition", threading.Condition, of(SimulatedCondition)),
        ("Semaphore", threading.Semaphore, of(SimulatedSemaphore)),
        ("SimpleQueue", SimpleQueue, queue),
        ("monotonic", time.monotonic, world.time),
        ("time", time.time, world.time),
        ("time", time, SimpleNamespace(time=world.time)),
        ("datetime", datetime, Calendar),
    ]
