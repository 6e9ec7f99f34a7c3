"""Golden questions: asked of an analyst again and compared row by row with their known SQL.

Both queries pass the guard and run under the viewer's rights. A run leaves no trace.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice
from typing import Literal

from ai.analysts.port import Analyst, AskBack, Backed, CannotAnswer, Draft, Proposal, Question
from ai.errors import QueryEnded, QueryFailed, SqlRefused
from ai.results.differences import Difference, Rows, difference
from ai.results.likeness import alike
from ai.sql.database import Database
from ai.sql.semantics import Semantics, fitting, visible

MOST_ROWS = 5_000  # compared of each result
REPAIRS = 2
GoldenState = Literal["same", "changed", "unanswered", "stale"]
Judged = Literal["", "reader", "model", "both", "neither"]
"""Who was right where reader and model differ; "" where they do not, or where only one answers."""


@dataclass(frozen=True, slots=True)
class Golden:
    """A question asked on `day`, and its right SQL."""

    id: str
    question: str
    sql: str
    day: date


@dataclass(frozen=True, slots=True)
class Outcome:
    """The analyst's `sql` compared; `problem` if nothing is comparable; stale if the right SQL no longer runs."""

    golden: Golden
    state: GoldenState
    sql: str = ""
    problem: str = ""
    difference: Difference | None = None
    before: Rows | None = None
    after: Rows | None = None
    judged: Judged = ""


@dataclass(frozen=True, slots=True)
class Examiner:
    analyst: Analyst
    database: Database
    semantics: Semantics

    def outcome(self, golden: Golden) -> Outcome:
        try:
            before = self._rows(golden.sql)
        except (SqlRefused, QueryFailed, QueryEnded) as error:
            return Outcome(golden, "stale", problem=str(error))
        proposal, after = self._answer(golden)
        judged: Judged = ""
        if second := self._second(golden, proposal, after):
            judged = _judged(before, *(rows for _, rows in second))
            (proposal, after), _ = second
        if after is None or not isinstance(proposal, Draft):
            sql = proposal.sql if isinstance(proposal, Draft) else ""
            return Outcome(golden, "unanswered", sql, _problem(proposal), before=before)
        found = difference(before, after)
        return Outcome(golden, "same" if found.is_none else "changed", proposal.sql, "", found, before, after, judged)

    def _answer(self, golden: Golden) -> tuple[Proposal, Rows | None]:
        """Return a proposal, repaired as in a turn, and its rows."""
        question = self._question(golden)
        proposal = self.analyst.write_sql(question)
        for number in range(REPAIRS + 1):
            if not isinstance(proposal, Draft):
                break
            try:
                return proposal, self._rows(proposal.sql)
            except (SqlRefused, QueryFailed, QueryEnded) as error:
                if number == REPAIRS:
                    break
                detail = error.detail if isinstance(error, QueryFailed) else str(error)
                proposal = self.analyst.repair_sql(question, proposal, detail)
        return proposal, None

    def _second(
        self, golden: Golden, proposal: Proposal, after: Rows | None
    ) -> tuple[tuple[Draft, Rows], tuple[Draft, Rows]] | None:
        """Return the answers of reader and model, where a turn would show both."""
        if not isinstance(self.analyst, Backed) or not isinstance(proposal, Draft) or after is None or proposal.by:
            return None
        sure = self.analyst.second_reading(self._question(golden))
        if not isinstance(sure, Draft):
            return None
        try:
            rows = self._rows(sure.sql)
        except (SqlRefused, QueryFailed, QueryEnded):
            return None
        return None if alike(rows.rows, after.rows) else ((sure, rows), (proposal, after))

    def _question(self, golden: Golden) -> Question:
        catalog = visible(self.database.catalog(), self.semantics)
        question = Question(golden.question, catalog, golden.day, semantics=fitting(self.semantics, catalog))
        return replace(question, turn_id=f"golden:{golden.id}")

    def _rows(self, sql: str) -> Rows:
        with self.database.run(self.database.check(sql)) as stream:
            rows = tuple(islice(_rows_of(stream.batches), MOST_ROWS + 1))
        return Rows(stream.columns, rows[:MOST_ROWS], len(rows) > MOST_ROWS)


def _rows_of(batches: Iterator[list[tuple[object, ...]]]) -> Iterator[tuple[object, ...]]:
    return (row for batch in batches for row in batch)


def _judged(right: Rows, reader: Rows, model: Rows) -> Judged:
    by_reader, by_model = (difference(right, rows).is_none for rows in (reader, model))
    return "both" if by_reader and by_model else "reader" if by_reader else "model" if by_model else "neither"


def _problem(proposal: Proposal) -> str:
    match proposal:
        case AskBack(text):
            return f"It asks back: {text}"
        case CannotAnswer(reason):
            return reason
        case _:
            return "Its SQL does not run."
