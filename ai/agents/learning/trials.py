"""What came of testing a rule on golden questions: as a value, as JSON beside the rule, and in words."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from pydantic import TypeAdapter, ValidationError

from ai.agents.learning.golden import Outcome
from ai.answers.phrase import literal
from ai.results.differences import Difference, Rows
from ai.types import Json

UNTESTED = "No accepted answer can show what it changes; accept some answers first to see more."


@dataclass(frozen=True, slots=True)
class Tried:
    """One question. `what` says in words what is different, "" where nothing is."""

    id: str
    question: str
    what: str


@dataclass(frozen=True, slots=True)
class Trial:
    """A test under definitions of one mark."""

    mark: str
    tried: tuple[Tried, ...]

    @classmethod
    def of(cls, mark: str, outcomes: Sequence[Outcome]) -> "Trial":
        """The test that these outcomes are of."""
        return cls(mark, tuple(Tried(one.golden.id, one.golden.question, changes(one)) for one in outcomes))

    @property
    def unchanged(self) -> tuple[int, ...]:
        """The accepted answers that stay as they are."""
        return tuple(int(one.id) for one in self.tried if not one.what)

    def as_json(self) -> dict[str, Json]:
        """As it is kept."""
        return {"mark": self.mark, "tried": [asdict(one) for one in self.tried]}


TRIAL = TypeAdapter(Trial)


def trial_from(kept: Json) -> Trial | None:
    """A test as it was kept, None for anything else."""
    try:
        return TRIAL.validate_python(kept)
    except ValidationError:
        return None


def told(trial: Trial) -> str:
    """A test in Markdown: how many answers change, and how each does."""
    if not trial.tried:
        return UNTESTED
    changed = [one for one in trial.tried if one.what]
    questions = "1 accepted question" if len(trial.tried) == 1 else f"{len(trial.tried)} accepted questions"
    head = f"Tested on {questions}: **{len(trial.tried) - len(changed)}** unchanged, **{len(changed)}** changed."
    return "\n".join([head, *(f"- “{literal(one.question)}”: {literal(one.what)}" for one in changed)])


def changes(outcome: Outcome) -> str:
    """What is different, "" where nothing is."""
    if outcome.difference is None:
        return outcome.problem or "there is nothing to compare"
    was, now = _single(outcome.before), _single(outcome.after)
    if was is not None and now is not None and not outcome.difference.is_none:
        return f"{was} becomes {now}"
    return in_rows(outcome.difference)


def in_rows(found: Difference) -> str:
    """A difference in counts of rows and cells."""
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
    """The value of a result that is nothing else."""
    return str(rows.rows[0][0]) if rows and len(rows.columns) == 1 and len(rows.rows) == 1 else None
