"""Take events in, several as one: a sync of the disk costs more than all the rest of a question."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from threading import Event

from ai.errors import SourceUnavailable
from bot.inbound import NewTurn
from bot.listeners.intake import Intake
from bot.listeners.messages import Body, take_event


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

    turns = list[NewTurn]()
    gathering = replace(
        intake, accept=turns.extend, tell=after(intake.tell), begin=after(intake.begin), later=after(intake.later)
    )
    with intake.memory.parts.conversations.together():
        for body in bodies:
            take_event(gathering, body)
    intake.accept(turns)
    taken.set()
    for call in heard:
        call()


def _know_authors(intake: Intake, bodies: Sequence[Body]) -> None:
    """Ask Slack for people that are new before anything is locked."""
    inbounds = [intake.read(body["event"], body) for body in bodies]
    if any(one and intake.people.standing(one.user, one.origin) == "unknown" for one in inbounds):
        raise SourceUnavailable("Slack does not tell who somebody is.")
