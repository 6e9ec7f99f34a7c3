"""Where the words of a question and its query disagree. Only what both say outright is compared."""

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta

from sqlglot import exp

from ai.language.questions import keys
from ai.language.spans import Span
from ai.language.words import name_parts, singular
from ai.sql.catalog import Table
from ai.sql.cautions.asked import Asked
from ai.sql.cautions.evidence import Caution, Evidence
from ai.sql.facts import Facts, Output, Period, Test, day_of

Check = Callable[[Asked, Evidence], Iterator[str]]
DAY = timedelta(days=1)
SCALES = (1, 100, 0.01, 1_000, 60, 24, 1_000_000, 0.001)
EACH = re.compile(
    r"\b(?:(?P<of>per|for (?:each|every)) \w+|(?P<done>\w+(?:ed|en|id|ght|de|ne|wn) )?by (?P<by>\w+))", re.IGNORECASE
)
MEANS = ("average", "avg")
DENIED = ("not", "without", "never", "except", "excluding", "nor", "neither")
NEGATIONS = (exp.Not, exp.NEQ, exp.Except, exp.Is)
LEASTS = ("lowest", "fewest", "least", "smallest", "minimum", "cheapest")
MOSTS = ("highest", "most", "largest", "biggest", "greatest", "maximum")
SHORTEST = 3  # letters of a value that a question may name


def claims(evidence: Evidence) -> Iterator[Caution]:
    """Note what the question says and the query does not do."""
    if evidence.asked is not None:
        asked = evidence.asked
        yield from (Caution("question", text) for check in CHECKS for text in check(asked, evidence))


def other_period(asked: Asked, evidence: Evidence) -> Iterator[str]:
    said = asked.periods
    if len(said) != 1:
        return
    [(words, span)] = said
    held = [period for facts in within(evidence.facts) for period in periods(facts)]
    if held and not any(_meets(span, period) for period in held):
        yield f"The question says “{words}” ({_days(span)}), but the query covers {_covered(held[0])}."
    elif not held and _is_dated(evidence) and not _named_year(span, evidence):
        yield f"The question says “{words}” ({_days(span)}), but the query has no such period."


def other_number(asked: Asked, evidence: Evidence) -> Iterator[str]:
    held = {float(node.name) for node in evidence.tree.find_all(exp.Literal) if node.is_number}
    texts = {part for text in _texts(evidence) for part in re.findall(r"[^\W_]+", text)}
    for said, number in asked.numbers:
        near = any(abs(number * scale - value) <= 1 for scale in SCALES for value in held)
        if not near and not {said.lower(), f"{number:g}"} & texts:
            yield f"The question says {said}, but the query has no such number."


def other_value(asked: Asked, evidence: Evidence) -> Iterator[str]:
    """A stored value that the question names and no condition, column or text of the query does."""
    words = f" {' '.join(keys(asked.text))} "
    texts = [" ".join(keys(text)) for text in _texts(evidence)]
    shown = {origin.column for facts in within(evidence.facts) for o in facts.outputs for origin in o.origins}
    for table in evidence.catalog.tables:
        if table.name.lower() not in evidence.facts.tables:
            continue
        parts = {singular(part) for name in (table.name, *(c.name for c in table.columns)) for part in name_parts(name)}
        for column in table.columns:
            for value in column.values if column.name.lower() not in shown else ():
                name = " ".join(keys(value))
                if len(name) >= SHORTEST and f" {name} " in words and value in asked.text and value[:1].isupper():
                    known = any(name in text or text in name for text in texts if text)
                    if not known and singular(name) not in parts:
                        yield f"The question names “{value}” ({column.name}), but the query does not look for it."


def lost_groups(asked: Asked, evidence: Evidence) -> Iterator[str]:
    facts = evidence.facts
    grouped = facts.groups or facts.hidden_groups or facts.branches or facts.steps
    if len(facts.outputs) != 1 or not facts.outputs[0].is_figure or grouped or _is_ratio(facts):
        return
    columns = {
        part for name in facts.tables if (table := evidence.catalog.table(name)) for part in _column_words(table)
    }
    for found in EACH.finditer(asked.text):
        if found["of"] or (singular(found["by"].lower()) in columns and not found["done"]):
            yield f"The question says “{found.group().strip()}”, but the query gives one figure for all."
            return


def _column_words(table: Table) -> Iterator[str]:
    yield from (singular(part) for column in table.columns for part in name_parts(column.name))


def no_average(asked: Asked, evidence: Evidence) -> Iterator[str]:
    named = any(
        part in (*MEANS, "mean") for node in evidence.tree.find_all(exp.Identifier) for part in name_parts(node.name)
    )
    if asked.says(*MEANS) and not named and not evidence.tree.find(exp.Avg, exp.Div):
        yield "The question asks for an average, but the query makes none."


def no_denial(asked: Asked, evidence: Evidence) -> Iterator[str]:
    denied = asked.says(*DENIED) or any(key.endswith("n't") for key in asked.keys)
    if denied and not _is_denied(evidence.tree) and not _has_zero(evidence.tree):
        word = next((key for key in asked.keys if key in DENIED or key.endswith("n't")), "not")
        yield f"The question says “{word}”, but the query excludes nothing."


def other_end(asked: Asked, evidence: Evidence) -> Iterator[str]:
    """The lowest are asked for and the highest given, or the other way round."""
    key = evidence.facts.order[0] if evidence.facts.order else None
    if key is None or evidence.facts.limit is None or not key.by.is_figure or _is_dated_output(key.by):
        return
    least, most = asked.says(*LEASTS), asked.says(*MOSTS)
    if least and not most and key.descending:
        yield "The question asks for the lowest, but the query takes the highest."
    if most and not least and not key.descending:
        yield "The question asks for the highest, but the query takes the lowest."


def not_distinct(asked: Asked, evidence: Evidence) -> Iterator[str]:
    facts = evidence.facts
    counted = any(output.function == "count" for output in facts.outputs)
    several = asked.says("distinct", "different", "unique") and len(facts.tables) > 1
    if several and counted and evidence.tree.find(exp.Distinct, exp.Group) is None:
        yield "The question asks for different ones, but the query counts repeated ones, too."


def not_as_defined(_: Asked, evidence: Evidence) -> Iterator[str]:
    for facts in (evidence.facts, *evidence.facts.branches):
        for output in facts.outputs:
            if output.lacks:
                yield f"{output.lacks} has a condition in the definitions, which this query leaves out."


def within(facts: Facts) -> Iterator[Facts]:
    """Yield the facts of a query and of all queries inside it."""
    yield facts
    inside = [*facts.steps, *facts.branches, *(o.query for o in facts.outputs if o.query)]
    inside += [query for test in facts.conditions for query in test.queries]
    for inner in inside:
        yield from within(inner)


def periods(facts: Facts) -> Iterator[Period]:
    yield from _periods_in(facts.tests)
    for output in facts.outputs:
        yield from _of_output(output)


def _of_output(output: Output) -> Iterator[Period]:
    yield from _periods_in(output.tests)
    for part in (*output.parts, *output.operands):
        yield from _of_output(part)


def _periods_in(tests: tuple[Test | Period, ...]) -> Iterator[Period]:
    for test in tests:
        if isinstance(test, Period):
            yield test
        else:
            yield from _periods_in(test.inner)


def _meets(span: Span, period: Period) -> bool:
    starts = (span.start or date.min, period.start or date.min)
    ends = (span.end or date.max, period.end or date.max)
    return max(starts) < min(ends)


def _days(span: Span) -> str:
    start, last = span.start, span.end - DAY if span.end else None
    return _between(start, last)


def _covered(period: Period) -> str:
    return _between(period.start, period.end - DAY if period.end else None)


def _between(start: date | None, last: date | None) -> str:
    if start == last or last is None:
        return f"{'from ' if last is None else ''}{start}"
    return f"{start} to {last}" if start else f"up to {last}"


def _is_dated(evidence: Evidence) -> bool:
    """Whether a table of the query has days, and the query leaves them alone."""
    tables = [table for name in evidence.facts.tables if (table := evidence.catalog.table(name))]
    kinds = {column.kind for table in tables for column in table.columns}
    own = any(
        day_of(node.name) or re.fullmatch(r"\d{4}(-\d\d)?", node.name) for node in evidence.tree.find_all(exp.Literal)
    )
    return bool(kinds & {"date", "datetime"}) and not own and evidence.tree.find(exp.CurrentDate, exp.Anonymous) is None


def _named_year(span: Span, evidence: Evidence) -> bool:
    year = span.year or (span.start.year if span.start else None)
    return any(str(year) in node.name for node in evidence.tree.find_all(exp.Literal))


def _is_ratio(facts: Facts) -> bool:
    return any(o.function in ("ratio", "other", "avg", "median") or o.parts for o in facts.outputs)


def _texts(evidence: Evidence) -> list[str]:
    """The literals and names of a query: some databases take a text in double quotes."""
    return [node.name.lower().strip("%") for node in evidence.tree.find_all(exp.Literal, exp.Identifier)]


def _parts(output: Output) -> tuple[str, ...]:
    return tuple(part for origin in output.origins for part in name_parts(origin.column))


def _is_denied(tree: exp.Expr) -> bool:
    return tree.find(*NEGATIONS) is not None or any(
        like.args.get("negate") for like in tree.find_all(exp.Like, exp.ILike)
    )


def _has_zero(tree: exp.Expr) -> bool:
    """Whether a query compares with 0, false or a text that denies."""
    texts = [node.name.lower() for node in tree.find_all(exp.Literal)]
    return bool(tree.find(exp.Boolean)) or any(
        text in ("0", "no", "n", "f", "false") or "not" in text for text in texts
    )


def _is_dated_output(output: Output) -> bool:
    return bool(output.grain) or any(part in ("date", "day", "year", "age") for part in _parts(output))


CHECKS: tuple[Check, ...] = (
    other_period, other_number, other_value, lost_groups, no_average, no_denial, other_end, not_distinct,
    not_as_defined,
)  # fmt: skip
