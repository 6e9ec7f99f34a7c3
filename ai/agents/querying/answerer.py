"""Comes to a result: write SQL, check it, run it, store it, and hold it beside what the reader is sure of.

SQL with an error or an unexpected result is rewritten, at most twice. Decisions follow from recorded steps alone,
so a resumed turn repeats them.
"""

from collections.abc import Generator
from dataclasses import replace
from functools import partial

from ai.agents.port import StatusEvent, Turn
from ai.agents.querying.attempts import Attempt, Attempts
from ai.agents.question_context import QuestionContext
from ai.analysts.port import Analyst, Backed, Doubting, Draft, Proposal, Question, Voting
from ai.memory_store import MemoryStore

REPAIRS = 2
VERIFIED = "verified"  # what the name of the reader begins with when an accepted answer was used again
ANSWERS = ("ok", "doubtful")


class Answerer:
    """Answers questions by the analyst, and by the reader where that one is backed by it."""

    def __init__(self, memory: MemoryStore, context: QuestionContext, analyst: Analyst) -> None:
        candidates = analyst.candidates if isinstance(analyst, Voting) else 1
        self.attempts = Attempts(memory, memory.parts.results, context, analyst.name, candidates)
        self._context = context
        self._analyst = analyst

    def answer(
        self, turn: Turn, question: Question, same: Draft | None = None
    ) -> Generator[StatusEvent, None, tuple[Attempt, Attempt | None]]:
        """Return the attempt that answers, and the reader's where it is sure of another; with `same`, run that."""
        attempts = self.attempts
        tried = [attempts.first(turn, partial(self._proposed, turn, question, same))]
        for number in range(REPAIRS + 1):
            if tried[-1].state == "draft":
                yield StatusEvent(attempts.running(turn, tried[-1]))
                tried[-1] = attempts.run(turn, f"run_sql:{number}", tried[-1])
            if tried[-1].state not in ("failed", "doubtful") or number == REPAIRS:
                break
            tried.append(self._repaired(turn, question, tried[-1], number))
            if attempts.sql(tried[-1].query_id) == attempts.sql(tried[-2].query_id):
                break
        tried += self._rescue(turn, question, tried)
        answer = self._chosen(tried)
        if same:
            return answer, None
        answer = self._doubted(turn, question, answer)
        return answer, self._second(turn, question, answer)

    def _proposed(self, turn: Turn, question: Question, same: Draft | None) -> Proposal:
        """Return the known query, the accepted answer to this question, or the analyst's proposal."""
        if same:
            return same
        known = self._context.verified(turn)
        if known is None:
            return self._analyst.write_sql(question)
        by = f"{VERIFIED} by {known.accepted_by or 'somebody'} on {known.accepted_at.date()}"
        return Draft(known.sql, known.reading, known.meaning, by=by)

    def _repaired(self, turn: Turn, question: Question, tried: Attempt, number: int) -> Attempt:
        draft, problem = self.attempts.draft(tried), self.attempts.problem(turn, tried)
        propose = partial(self._analyst.repair_sql, question, draft, problem)
        return self.attempts.write(turn, f"repair_sql:{number}", propose)

    def _rescue(self, turn: Turn, question: Question, tried: list[Attempt]) -> list[Attempt]:
        """Return the reader's attempt where none of the analyst came to an answer."""
        analyst, states = self._analyst, {attempt.state for attempt in tried}
        settled = states & {*ANSWERS, "asked", "ended"}
        if not isinstance(analyst, Backed) or not self.attempts.is_own(tried[-1]) or settled:
            return []
        propose = partial(analyst.instead if "failed" in states else analyst.second_reading, question)
        attempt = self.attempts.write_any(turn, "instead", propose)
        return [attempt] if attempt else []

    def _doubted(self, turn: Turn, question: Question, answer: Attempt) -> Attempt:
        """Return the question back of a reader that doubts its answer by the result, else the answer."""
        by = self.attempts.by(answer)
        is_modelled = isinstance(self._analyst, Backed) and self.attempts.is_own(answer)
        if answer.state != "ok" or is_modelled or by.startswith(VERIFIED) or not isinstance(self._analyst, Doubting):
            return answer
        result = self.attempts.result(answer)
        doubt = self._analyst.doubt(question, result) if result else None
        if result and doubt is None:
            return answer
        asked = self.attempts.write_any(turn, "doubt", lambda: doubt and replace(doubt, by=by))
        if asked is None:
            return answer
        self.attempts.replace([answer], asked)
        return asked

    def _second(self, turn: Turn, question: Question, answer: Attempt) -> Attempt | None:
        """Return what the reader is sure of: a question back, or an answer with other rows than the analyst's."""
        if not isinstance(self._analyst, Backed) or not answer.ran or not self.attempts.is_own(answer):
            return None
        second = self.attempts.write_any(turn, "second_reading", partial(self._sure, turn, question, answer))
        if second is None or second.state == "asked":
            return second
        if second.ran and turn.step("compare_readings", partial(self.attempts.differs, answer, second)):
            return second
        self.attempts.replace([second], answer)
        return None

    def _sure(self, turn: Turn, question: Question, answer: Attempt) -> Proposal | None:
        """Return what the reader is sure of, unless it has the same SQL."""
        if not isinstance(self._analyst, Backed):
            return None
        sure = self._analyst.second_reading(question)
        is_same = isinstance(sure, Draft) and self.attempts.agrees(turn, answer, sure.sql)
        return None if is_same else sure

    def _chosen(self, tried: list[Attempt]) -> Attempt:
        """Return the first attempt as expected, else the first that ran, else the last with an outcome."""
        ended = [attempt for attempt in tried if attempt.state != "draft"]  # the same SQL again is not run again
        answer = next((attempt for state in ANSWERS for attempt in tried if attempt.state == state), ended[-1])
        self.attempts.replace(tried, answer)
        return answer
