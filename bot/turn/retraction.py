"""Take an answer away, behind a turn that runs."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from slack_sdk.errors import SlackApiError

from ai.errors import SourceUnavailable
from ai.memory_store import MemoryStore
from ai.stopping import Stop
from ai.types import LoggedMessage, Step, ThreadKey
from bot.inbound import is_retraction, question_of
from bot.turn.patience import patiently

Retract = Callable[[ThreadKey, str, str], None]
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Retractions:
    """Takes answers away; hands other turns on to `run`."""

    memory: MemoryStore
    retract: Retract
    run: Callable[[str, Step, Stop], str]

    def __call__(self, turn_id: str, step: Step, stop: Stop) -> str:
        if not is_retraction(turn_id):
            return self.run(turn_id, step, stop)
        question = self.memory.question(question_of(turn_id), taken_back=True)
        if question is not None:
            try:
                self._take_away(question, step)
            except (SlackApiError, SourceUnavailable):
                log.exception("turn %s cannot be done", turn_id)
                return "undeliverable"
        return "forgotten"

    def _take_away(self, question: LoggedMessage, step: Step) -> None:
        began = datetime.fromisoformat(step("begin", lambda: datetime.now(UTC).isoformat()))
        step("withdraw", lambda: self.memory.lifecycle.withdraw_answer(question.turn_id))
        retract = partial(self.retract, question.said_in, question.turn_id, question.author)
        step("retract", lambda: patiently(retract, began))
