"""The processes of a bot: a receiver takes events in, replicas answer them. What they share outlives them."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

from ai.errors import DatathreadError
from bot.access import Access
from bot.delivery import RateLimiter, SlackDelivery, Surface
from bot.engine import Engine, Hooks, Room, TurnQueue, is_outage
from bot.engine.bells import Bell
from bot.engine.database import QueueDatabase
from bot.listeners import Notes
from bot.listeners.messages import take_event
from bot.turn import Retractions, TurnRunner
from tests.schedules.echoes import HANG_SECONDS, Echoes, is_quick
from tests.schedules.shared import Shared
from tests.schedules.wire import SimulatedClient
from tests.schedules.world import Process, never

T = TypeVar("T")
RESTART_SECONDS, RETRY_SECONDS = 3.0, 1.0


@dataclass
class HeardBell:
    """Rings in the other processes at once. The product's bells are sockets."""

    shared: Shared

    def ring(self) -> None:
        for key, (process, heard) in list(self.shared.bells.items()):
            if key != id(self) and process.is_alive:
                self.shared.world.spawn(process, heard)

    def listen(self, heard: Callable[[], None]) -> None:
        self.shared.bells[id(self)] = self.shared.world.process, heard

    def close(self) -> None:
        self.shared.bells.pop(id(self), None)


def connect(queue: TurnQueue, shared: Shared) -> None:
    """Give a queue the simulated bell, and borders between its effects and all others."""
    queue._bell.close()
    bell: Bell = HeardBell(shared)
    queue._bell = bell
    database = queue._database
    database.write = partial(_written, shared, database.write)  # type: ignore[method-assign]
    database.read = partial(_read, shared, database.read)  # type: ignore[method-assign]
    shared.world.process.on_death.append(partial(_drop, database))


def _written(shared: Shared, write: Callable[..., T], work: Callable[..., T], *, alone: bool = False) -> T:
    shared.world.border()
    _require_queue(shared)
    value = write(work, alone=alone)
    shared.world.border()
    return value


def _read(shared: Shared, read: Callable[..., T], *given: Any) -> T:
    _require_queue(shared)
    return read(*given)


def _require_queue(shared: Shared) -> None:
    if shared.is_queue_away:
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR
        raise error


def _drop(database: QueueDatabase) -> None:
    database._drop_idle()


@dataclass
class Member:
    """A process of the bot, and how it begins again."""

    shared: Shared
    name: str
    process: Process = field(default_factory=lambda: Process("", is_alive=False))

    def start(self) -> None:
        if not self.process.is_alive:
            self.process = Process(self.name)
            self.shared.world.spawn(self.process, self.run)

    def run(self) -> None:
        raise NotImplementedError

    def supervise(self) -> None:
        """Begin again, a while after the end."""
        world = self.shared.world
        while True:
            world.wait(lambda: not self.process.is_alive)
            world.rest(RESTART_SECONDS)
            self.start()


@dataclass
class Replica(Member):
    """Answers questions."""

    engine: Engine | None = None

    def run(self) -> None:
        shared, world = self.shared, self.shared.world
        limiter = RateLimiter(clock=world.time, pause=world.rest)
        files = shared.desk.memory.lifecycle.shared_files
        delivery = SlackDelivery(SimulatedClient(shared.wire.call), limiter=limiter, files=files)
        delivery.calls.gate._clock = world.time
        runner = TurnRunner(shared.desk.memory, Echoes(shared), Access({"*": "shop"}), lambda _: Surface(delivery))
        hooks = Hooks(on_poison=runner.give_up, on_wait=runner.wait, hang_seconds=HANG_SECONDS)
        turn = Retractions(shared.desk.memory, delivery.retract, runner.run)
        engine = Engine(shared.queue_url, shared.folder, turn, Room(4, limiter.is_full), hooks)
        connect(engine, shared)
        engine._dispatcher._notebook._clock = world.time
        self.process.on_death.append(partial(_release, engine))
        while not self._is_launched(engine):
            world.rest(RETRY_SECONDS)
        self.engine = engine
        world.wait(never)

    @staticmethod
    def _is_launched(engine: Engine) -> bool:
        try:
            engine.launch()
        except DatathreadError:
            return False
        return True

    def close(self) -> None:
        """End in an orderly way."""
        process, engine = self.process, self.engine
        if process.is_alive and engine is not None:
            self.engine = None
            self.shared.world.spawn(process, partial(_end, engine, process))


def _end(engine: Engine, process: Process) -> None:
    engine.close()
    process.die()


def _release(engine: Engine) -> None:
    """Drop the locks of a dead process."""
    held = getattr(engine._leases, "_held", {})
    while held:
        _, descriptor = held.popitem()
        with suppress(OSError):
            os.close(descriptor)


@dataclass
class Receiver(Member):
    """Takes events in; Slack repeats what is not acknowledged."""

    queue: TurnQueue | None = None

    def run(self) -> None:
        shared, world = self.shared, self.shared.world
        queue = TurnQueue(shared.queue_url, shared.folder)
        connect(queue, shared)
        limiter = RateLimiter(clock=world.time, pause=world.rest)
        delivery = SlackDelivery(SimulatedClient(shared.wire.call), limiter=limiter)
        delivery.calls.gate._clock = world.time
        intake = replace(shared.intake, accept=queue.enqueue_all, queue=queue, later=Notes._do, is_quick=is_quick)
        self.queue = queue
        inbox = shared.wire.inbox
        while world.wait(lambda: bool(inbox)):
            body = inbox[0]
            try:
                take_event(intake, body)
            except Exception as error:
                if not is_outage(error):
                    raise
                world.rest(RETRY_SECONDS)
                continue
            world.border()
            inbox.remove(body)

    def press_stop(self, turn_id: str) -> None:
        queue = self.queue
        if self.process.is_alive and queue is not None:
            self.shared.world.spawn(self.process, partial(_press, queue, turn_id))


def _press(queue: TurnQueue, turn_id: str) -> None:
    with suppress(sqlite3.OperationalError):  # people see that the button did nothing
        queue.stop(turn_id)
