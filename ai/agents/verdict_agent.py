"""Takes “correct” and “not right”, said of the last answer of the thread."""

import re
from collections.abc import Iterator
from functools import partial
from zoneinfo import ZoneInfo

from ai.agents.cards import AgentCard, Services, always
from ai.agents.port import TO_NOW, QuestionEvent, ReplyEvent, TextEvent, Turn
from ai.agents.querying.objections import REASONS
from ai.agents.querying.verdicts import Person, Verdicts
from ai.analysts.port import Intent
from ai.answers.phrase import literal
from ai.types import AnsweredQuery, Place

THAT = r"(?:that(?:['\u2019]?s| is| was| looks)|this is|it(?:['\u2019]?s| is| looks))"
RIGHT = re.compile(rf"(?:yes,? )?(?:{THAT} )?(?:correct|right|accurate)[.! ]*")
WRONG = re.compile(
    rf"(?:no,? )?(?:{THAT} )?(?:not (?:right|correct)|wrong|incorrect|false)(?:[.! ]*|: (?P<reason>[a-z ]+))"
)
TAKE_BACK = re.compile(r"(?:take back (?:the |my )?objection|it was right after all)[.! ]*")
NOTHING = "There is no answer in this thread to judge yet; ask a question first."


class VerdictAgent:
    def __init__(self, services: Services) -> None:
        self._context = services.context
        self._is_owner = services.is_owner
        self._verdicts = Verdicts(services.memory, services.context)

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        past = self._context.past(turn)
        if not past:
            yield TextEvent(NOTHING)
            return
        said, person = _plain(turn.request.text), self._person(turn)
        if TAKE_BACK.fullmatch(said):
            yield TextEvent(literal(turn.step("take_back", partial(self._verdicts.take_back, past[0].id, person))))
        elif wrong := WRONG.fullmatch(said):
            yield from self._rejected(turn, past[0], person, wrong["reason"] or "")
        else:
            yield TextEvent(literal(turn.step("accept", partial(self._accepted, turn, past[0], person))))

    def _accepted(self, turn: Turn, query: AnsweredQuery, person: Person) -> str:
        day = query.created_at.astimezone(ZoneInfo(turn.request.timezone)).date()
        return self._verdicts.accept(query.id, day, person).said

    def _rejected(self, turn: Turn, query: AnsweredQuery, person: Person, said: str) -> Iterator[ReplyEvent]:
        day = query.created_at.astimezone(ZoneInfo(turn.request.timezone)).date()
        reason = next((key for key, label in REASONS.items() if label.lower() == said), "")
        reject = partial(self._verdicts.reject, query.id, day, person, reason or "other")
        yield TextEvent(literal(turn.step("reject", reject)))
        if not reason:
            labels = tuple(REASONS.values())
            yield QuestionEvent(
                "What is wrong?", labels, tuple(f"Not right: {label.lower()}" for label in labels), deed=TO_NOW
            )

    def _person(self, turn: Turn) -> Person:
        request = turn.request
        is_owner, channel = self._is_owner(request.user), request.thread.channel
        return Person(request.user, request.roles, Place.of(request).workspace, is_owner, channel)


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


CARD = AgentCard(
    intent=Intent("verdict"),
    rank=25,
    quick=always,
    patterns=tuple(rf"^(?:{pattern.pattern})$" for pattern in (RIGHT, WRONG, TAKE_BACK)),
    examples=("correct", "not right"),
    gives="the last answer kept as right, or set aside",
    told="that the last answer is right or wrong",
    build=VerdictAgent,
)
