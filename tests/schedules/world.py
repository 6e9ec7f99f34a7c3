"""Simulated processes on a simulated clock: one task runs at a time, until it waits. A dead process does nothing more."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from greenlet import getcurrent, greenlet

from tests.fakes import PowerCut


def always() -> bool:
    return True


def never() -> bool:
    return False


@dataclass(eq=False)
class Process:
    name: str
    is_alive: bool = True
    on_death: list[Callable[[], None]] = field(default_factory=list)  # what its system does then

    def die(self) -> None:
        self.is_alive = False
        while self.on_death:
            self.on_death.pop()()


@dataclass(eq=False)
class Task:
    """One thread of a process: it may run when it is `ready`, and is so at the latest when `due`."""

    process: Process
    let: greenlet
    ready: Callable[[], bool] = always
    due: float | None = None

    @property
    def is_over(self) -> bool:
        return bool(self.let.dead)


@dataclass(eq=False)
class World:
    """`now` is in seconds of the epoch. `slices` counts how often a task ran until it waited."""

    now: float
    chance: Random
    slices: int = 0
    errors: list[BaseException] = field(default_factory=list)
    tasks: list[Task] = field(default_factory=list)
    current: Task | None = None
    _hub: greenlet = field(default_factory=getcurrent)
    _known: set[Process] = field(default_factory=set)
    _has_dead: bool = False  # tasks, to be buried

    def time(self) -> float:
        return self.now

    def spawn(self, process: Process, work: Callable[[], object]) -> Task:
        def run() -> None:
            try:
                if process.is_alive:
                    work()
            except PowerCut:
                return
            except Exception as error:  # noqa: BLE001 - a thread that ends so, ends unheard
                self.errors.append(error)

        if process not in self._known:
            self._known.add(process)
            process.on_death.append(self._hear_of_death)
        task = Task(process, greenlet(run, self._hub))
        self.tasks.append(task)
        self._has_dead = self._has_dead or not process.is_alive
        return task

    def _hear_of_death(self) -> None:
        self._has_dead = True

    @property
    def process(self) -> Process:
        assert self.current is not None
        return self.current.process

    def wait(self, ready: Callable[[], bool], seconds: float | None = None) -> bool:
        """Let others run until `ready`, or for so long; return whether it is. Outside of tasks nobody waits."""
        task = self.current
        if task is not None:
            self._require_life(task)
            task.ready, task.due = ready, None if seconds is None else self.now + max(0.0, seconds)
            self._hub.switch()
            self._require_life(task)
        return ready()

    def rest(self, seconds: float) -> None:
        self.wait(never, seconds)

    def border(self) -> None:
        """Let others run between two effects."""
        self.wait(always)

    def step(self) -> bool:
        """Run one task until it waits, when none can at the time when one may; return False when none ever will."""
        able, now = [], self.now
        for task in self.tasks:  # written out, as it is done hundreds of times a walk
            due = task.due
            if (due is not None and due <= now) or ((ready := task.ready) is not never and ready()):
                able.append(task)
        if not able:
            dues = [task.due for task in self.tasks if task.due is not None]
            if not dues:
                return False
            self.now = min(dues)
            return True
        self.slices += 1
        self.now += 0.000_01  # so that no two things happen at one moment
        task = self.current = able[0] if len(able) == 1 else self.chance.choice(able)
        task.let.switch()
        self.current = None
        if task.is_over:
            self.tasks.remove(task)
        self.bury()
        return True

    def bury(self) -> None:
        """End the tasks of dead processes where they wait."""
        if not self._has_dead:
            return
        self._has_dead = False
        for task in self.tasks:
            if task.let and not task.process.is_alive:
                self.current = task
                task.let.throw(PowerCut)
                self.current = None
        self.tasks = [task for task in self.tasks if task.process.is_alive and not task.is_over]

    @staticmethod
    def _require_life(task: Task) -> None:
        if not task.process.is_alive:
            raise PowerCut
