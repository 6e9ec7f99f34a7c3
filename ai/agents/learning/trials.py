"""Trials of a rule on golden questions: as JSON beside the rule, and in words."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from pydantic import TypeAdapter, ValidationError

from ai.agents.learning.golden import Outcome
from ai.answers.phrase import literal
from ai.results.differences import Difference, Rows
from ai.types import Json

UNTESTED = "No accepted answer can show what it changes; accept some answers first to see more."


@dataclass(frozen=True, slots=True)
class TrialCase:
    """A tested question and its difference, "" without one."""

    id: str
    question: str
    what: str


@dataclass(frozen=True, slots=True)
class Trial:
    mark: str
    tried: tuple[TrialCase, ...]

    @classmethod
    def of(cls, mark: str, outcomes: Sequence[Outcome]) -> "Trial":
        return cls(mark, tuple(TrialCase(one.golden.id, one.golden.question, changes(one)) for one in outcomes))

    @property
    def unchanged(self) -> tuple[int, ...]:
        """Numbers of the unchanged accepted answers."""
        return tuple(int(one.id) for one in self.tried if not one.what)

    def as_json(self) -> dict[str, Json]:
        return {"mark": self.mark, "tried": [asdict(one) for one in self.tried]}


TRIAL = TypeAdapter(Trial)


def trial_from(kept: Json) -> Trial | None:
    try:
        return TRIAL.validate_python(kept)
    except ValidationError:
        return None


def report(trial: Trial) -> str:
    """Return Markdown: the number of changed answers, and each change."""
    if not trial.tried:
        return UNTESTED
    changed = [one for one in trial.tried if one.what]
    questions = "1 accepted question" if len(trial.tried) == 1 else f"{len(trial.tried)} accepted questions"
    head = f"Tested on {questions}: **{len(trial.tried) - len(changed)}** unchanged, **{len(changed)}** changed."
    return "\n".join([head, *(f"- “{literal(one.question)}”: {literal(one.what)}" for one in changed)])


def changes(outcome: Outcome) -> str:
    """Describe the difference, "" without one."""
    if outcome.difference is None:
        return outcome.problem or "there is nothing to compare"
    was, now = _single(outcome.before), _single(outcome.after)
    if was is not None and now is not None and not outcome.difference.is_none:
        return f"{was} becomes {now}"
    return in_rows(outcome.difference)


def in_rows(found: Difference) -> str:
    counted = (
        (len(found.missing), "missing row"),
        (len(found.extra), "extra row"),
        (len(found.changed), "changed cell"),
    )
    parts = [f"{number:,} {what}{'' if number == 1 else 's'}" for number, what in counted if number]
    return ", ".join(
        [*([found.columns] if found.columns else []), *parts, *([f"{found.same:,} the same"] * bool(parts))]
    )


def _single(rows: Rows | None) -> str | None:
    return str(rows.rows[0][0]) if rows and len(rows.columns) == 1 and len(rows.rows) == 1 else None
