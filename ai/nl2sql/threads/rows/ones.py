"""Read “the price ones” after a figure by reason: the rows of the group with that value, listed where asked so."""

from collections.abc import Sequence
from dataclasses import replace

from ai.nl2sql.checks import complaint
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Meaning
from ai.nl2sql.reading.sketch import counts
from ai.nl2sql.schema import names_of
from ai.nl2sql.threads import signals
from ai.nl2sql.threads.rows.completed import rows_counted, value_test


def of_group(body: str, earlier: Sequence[Meaning], lexicon: Lexicon) -> tuple[Meaning, str] | None:
    """Return the figure of the group named, or its rows, and what else the message says."""
    found, before = signals.ONES.match(body), earlier[0]
    if found is None or not before.groups or before.fold or before.limit == 1 or before.measures[1:]:
        return None
    fields = [field for group in before.groups if not group.unit for field in names_of(group, lexicon)]
    tests = {test for field in fields if (test := value_test(found["value"], field, lexicon)) is not None}
    if len(tests) != 1:
        return None
    test = tests.pop()
    made = replace(before, filters=(*(old for old in before.filters if old.field != test.field), test))
    listing = bool(found["list"]) and before.measures and counts(lexicon, before.measures[0])
    if found["list"] and not listing:
        return None
    made = rows_counted(made, lexicon) if listing else made
    return None if complaint(made, lexicon) else (made, found["rest"] or "")
