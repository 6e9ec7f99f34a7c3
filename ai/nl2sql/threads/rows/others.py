"""Read “everybody else” after the figure of some rows: the same of those left out by the latest condition."""

from collections.abc import Sequence
from dataclasses import replace

from ai.nl2sql.chart.tests import OPPOSITE
from ai.nl2sql.checks import complaint
from ai.nl2sql.contradictions import EXACT, plain_tests
from ai.nl2sql.definitions import is_term
from ai.nl2sql.grammar import kinds_of
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Filter, Meaning
from ai.nl2sql.threads import signals
from ai.nl2sql.threads.steps import Followed
from ai.nl2sql.values import truths

WHICH_OTHERS = "I cannot tell which others you mean; please name the column or the value."


def everyone_else(earlier: Sequence[Meaning], lexicon: Lexicon) -> Followed:
    """Turn round the condition added last, or the only one."""
    before = earlier[0]
    added = [test for test in before.filters if len(earlier) > 1 and test not in earlier[1].filters]
    turned = added if len(added) == 1 else before.filters
    other = _turned(turned[0], lexicon) if len(turned) == 1 and not before.either else None
    if other is None:
        return Followed(None, problem=WHICH_OTHERS)
    made = replace(before, filters=tuple(other if test == turned[0] else test for test in before.filters))
    return Followed(None, problem=WHICH_OTHERS) if complaint(made, lexicon) else Followed(made)


def _turned(test: Filter, lexicon: Lexicon) -> Filter | None:
    plain = tuple(plain_tests(test, lexicon)) if is_term(test.field) else (test,)
    if len(plain) == 1:
        test = plain[0]
    if test.operator not in EXACT or test.than or test.other or test.of:
        return None
    if not is_term(test.field) and len(test.values) == 1 and (both := truths(lexicon.column(test.field))):
        return replace(test, values=tuple(value for value, _ in both if value != test.values[0])[:1])
    return replace(test, operator=OPPOSITE[test.operator])


def of_shown_value(text: str, before: Meaning, lexicon: Lexicon) -> Followed | None:
    """“without other”, “only new”: a value of the split shown, elsewhere a word of grammar."""
    found = signals.SHOWN_VALUE.match(text)
    said = found["value"].strip().lower() if found else ""
    if found is None or not kinds_of(said):
        return None
    for group in before.groups:
        if not group.column or group.unit or group.column[:1] in "=?@":
            continue
        field = Field(group.table, group.column)
        values = [value for value in lexicon.column(field).values if value.lower() == said]
        if len(values) == 1:
            test = Filter(field, "!=" if found["out"] else "=", (values[0],))
            return Followed(replace(before, filters=(*before.filters, test)))
    return None
