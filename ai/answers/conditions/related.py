"""Conditions on rows of other tables: whose they are, and which of them others hold already."""

from collections.abc import Sequence

from ai.answers.naming import Names
from ai.language.words import name_parts, singular
from ai.sql.facts import Origin, Period, Test


def related(origin: Origin, names: Names) -> str:
    """Name the things of another table than the rows or the shown groups: "airports"; "" for their own column."""
    facts = names.facts
    held = {by.table for at in facts.groups for by in facts.outputs[at].origins}
    held |= {by.table for output in facts.hidden_groups for by in output.origins}
    if not facts.rows or origin.table in {"", facts.rows.lower()} | held or names.catalog.table(facts.rows) is None:
        return ""
    return names.noun(origin.table) if origin.table in {table.lower() for table in facts.tables} else ""


def placed(origin: Origin, where: str, names: Names) -> str:
    """Name the things "in Barcelona", unless the question says so of the rows."""
    things, question = related(origin, names), names.question.lower()
    is_named = singular(things) in map(singular, name_parts(question))
    return things if question and (is_named or where.lower() not in question) else ""


def said_once(tests: Sequence[Test], held: Sequence[Period], counted: Sequence[str]) -> list[Test]:
    """Drop conditions held by others: the same again, or related rows wanted, counted or dated by another one."""
    kept: list[Test] = []
    for test in tests:
        related = [other for other in tests if other.operator == test.operator == "with" and other.table == test.table]
        is_wide = any(len(other.inner) > len(test.inner) and _within(test, other) for other in related)
        is_counted = test.operator == "with" and not test.inner and test.table.lower() in counted
        if not (test in kept or is_wide or is_counted or _repeats(test, held)):
            kept.append(test)
    return kept


def _within(test: Test, other: Test) -> bool:
    return all(each in other.inner for each in test.inner)


def _repeats(test: Test, held: Sequence[Period]) -> bool:
    """Whether related rows need only lie in a time of the rows themselves: the last count in June."""
    return test.operator == "with" and bool(test.inner) and all(each in held for each in test.inner)
