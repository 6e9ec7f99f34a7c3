"""Read “the price ones” after a figure by reason: the rows of the group with that value, listed where asked so."""

from collections.abc import Sequence

from ai.nl2sql.checks import complaint
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Meaning
from ai.nl2sql.reading.sketch import counts
from ai.nl2sql.threads import signals
from ai.nl2sql.threads.rows.completed import of_value, rows_counted


def of_group(body: str, earlier: Sequence[Meaning], lexicon: Lexicon) -> tuple[Meaning, str] | None:
    """Return the figure of the group named, or its rows, and what else the message says."""
    found, before = signals.ONES.match(body), earlier[0]
    if found is None or before.limit == 1 or before.measures[1:]:
        return None
    made = of_value(found["value"], before, lexicon)
    if made is None:
        return None
    listing = bool(found["list"]) and before.measures and counts(lexicon, before.measures[0])
    if found["list"] and not listing:
        return None
    made = rows_counted(made, lexicon) if listing else made
    return None if complaint(made, lexicon) else (made, found["rest"] or "")
