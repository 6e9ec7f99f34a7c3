"""An intake for listeners under test: real rules, a kept queue, and words to people kept in a list."""

from collections.abc import Callable
from dataclasses import dataclass, field

from ai.agents.overview import Overview
from ai.agents.querying.refinements import Refinements
from ai.agents.querying.verdicts import Verdicts
from ai.agents.question_context import QuestionContext
from ai.memory_store import MemoryStore
from ai.sql.thread_files import ThreadFiles
from bot.access import Access
from bot.inbound import Inbound
from bot.listeners import Intake, Tell
from bot.people import Home, People, Profile
from local_slack.testing import BOT
from tests.desk import cards
from tests.fakes import KeptQueue

TEAM = "T0LOCAL"


@dataclass
class Told:
    """What was said to one person alone."""

    words: list[str] = field(default_factory=list)

    def __call__(self, inbound: Inbound, sentence: str) -> None:
        self.words.append(sentence)


def now(work: Callable[..., object], *given: object) -> None:
    work(*given)


def intake_of(
    memory: MemoryStore,
    queue: KeptQueue,
    access: Access | None = None,
    context: QuestionContext | None = None,
    home: Home | None = None,
    profile: Profile | None = Profile(TEAM),  # noqa: B008 - frozen
    bot_user: str = BOT,
    people: People | None = None,
    told: Tell | None = None,
) -> Intake:
    """An intake where Slack tells the same `profile` of everybody."""
    asked = context or QuestionContext(memory, {})
    return Intake(
        memory=memory,
        access=access or Access({"*": "shop"}),
        accept=queue.enqueue_all,
        queue=queue,
        verdicts=Verdicts(memory, asked),
        refinements=Refinements(memory, asked),
        people=people or People(home or Home(TEAM), lambda _: profile),
        bot_user=bot_user,
        tell=told or Told(),
        timezone_of=lambda _: "UTC",
        begin=Told(),
        overview=Overview(memory, asked),
        later=now,
        files=ThreadFiles(memory.parts.results.root.parent / "files", {}),
        is_quick=cards().is_quick,
        forget=memory.lifecycle.forget_person,
    )
