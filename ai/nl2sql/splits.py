"""Groups named by their values: “split by web / desk / hotel” is by channel, of these three."""

import re

from ai.nl2sql.lexicon import PARTIAL, Lexicon
from ai.nl2sql.meaning import Field
from ai.nl2sql.schema import title
from ai.nl2sql.words import keys

ITEM = r"[^\W_][\w-]*"
SPLIT = re.compile(
    rf"(?:\s*[,–—-])?\s*\b(?:split|splitted|broken down|breakdown|break down|grouped|divided)(?: up)?"
    rf"(?: by| into| in| between| over)? (?P<values>{ITEM}(?:(?: ?/ ?|, ?| and | or |, and | vs\.? ){ITEM})+)",
    re.IGNORECASE,
)
BETWEEN = re.compile(r" ?/ ?|, and |, ?| and | or | vs\.? ", re.IGNORECASE)


def by_values(found: re.Match[str], lexicon: Lexicon) -> str:
    """Put “by channel for web, desk and hotel” for a split by values of one column."""
    values = [value for value in BETWEEN.split(found["values"]) if value]
    fields = [_holding(value, lexicon) for value in values]
    shared = set.intersection(*fields)
    if len(values) < 2 or len(shared) != 1:
        return found[0]
    return f" by {title(shared.pop())} for {', '.join(values[:-1])} and {values[-1]}"


def _holding(value: str, lexicon: Lexicon) -> set[Field]:
    """Return the columns that hold a value."""
    senses = lexicon.senses(keys(value))
    return {sense.field for sense in senses if sense.value is not None and sense.cost < PARTIAL}
