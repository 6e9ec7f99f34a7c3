"""Take events in, several as one: a sync of the disk costs more than all the rest of a question."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Event

from ai.errors import SourceUnavailable
from ai.types import ThreadKey
from bot.inbound import NewTurn
from bot.listeners.intake import Intake, Queue
from bot.listeners.messages import Body, take_event


@dataclass(frozen=True, slots=True)
class GatheredTurns:
    """A queue for one thread, whose new turns wait in a list."""

    queue: Queue
    turns: list[NewTurn] = field(default_factory=list)

    def enqueue(self, turn_id: str, thread: ThreadKey, person: str = "", *, is_quick: bool = False) -> None:
        self.turns.append(NewTurn(turn_id, thread, person, is_quick))

    def enqueue_all(self, turns: Sequence[NewTurn]) -> None:
        self.turns.extend(turns)

    def revise(
        self, turn_id: str, edited_ts: str, thread: ThreadKey, person: str = "", *, is_quick: bool = False
    ) -> None:
        self.queue.revise(turn_id, edited_ts, thread, person, is_quick=is_quick)

    def stop(self, turn_id: str) -> None:
        self.queue.stop(turn_id)

    def stop_thread(self, thread: ThreadKey, before: float) -> int:
        return self.queue.stop_thread(thread, before)


def take_events(intake: Intake, bodies: Sequence[Body]) -> None:
    """Take events in; of several, all or none: one transaction of the memory, one of the queue, then what people hear.

    Raises SourceUnavailable for several when Slack does not tell who somebody is.
    """
    if len(bodies) == 1:
        take_event(intake, bodies[0])
        return
    _know_authors(intake, bodies)
    taken, heard = Event(), list[Callable[[], object]]()

    def after(call: Callable[..., object]) -> Callable[..., None]:
        """Call when all are taken in: what is done `later` may speak only then."""

        def said(*given: object) -> None:
            if taken.is_set():
                call(*given)
            else:
                heard.append(partial(call, *given))

        return said

    gathered = GatheredTurns(intake.queue)
    gathering = replace(
        intake, queue=gathered, tell=after(intake.tell), begin=after(intake.begin), later=after(intake.later)
    )
    with intake.memory.parts.conversations.together():
        for body in bodies:
            take_event(gathering, body)
    intake.queue.enqueue_all(gathered.turns)
    taken.set()
    for call in heard:
        call()


def _know_authors(intake: Intake, bodies: Sequence[Body]) -> None:
    """Ask Slack for people that are new before anything is locked."""
    inbounds = [intake.read(body["event"], body) for body in bodies]
    if any(one and intake.people.standing(one.user, one.origin) == "unknown" for one in inbounds):
        raise SourceUnavailable("Slack does not tell who somebody is.")
