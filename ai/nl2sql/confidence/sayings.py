"""Features of the wording: wishes of words, and whether the meaning fulfils them."""

import re
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from ai.nl2sql.confidence.derivation import Derivation
from ai.nl2sql.meaning import Field, Filter, Meaning
from ai.nl2sql.spans import is_span
from ai.nl2sql.words import name_parts


class Saying(NamedTuple):
    """Words with a wish; `has` tells whether the meaning fulfils it."""

    words: re.Pattern[str]
    has: Callable[[Derivation], bool]


def _said(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)


def _timed(made: Derivation) -> bool:
    meaning = made.meaning
    timed = any(not isinstance(test, Filter) for test in made.tests) or any(g.unit for g in meaning.all_groups)
    timed = timed or any(_names(TIMES, Field(group.table, group.column or "")) for group in meaning.all_groups)
    timed = timed or any(is_span(field) for field in _columns(made))
    return timed or any(isinstance(test, Filter) and _names(TIMES, test.field) for test in made.tests)


def _names(words: frozenset[str], field: Field) -> bool:
    """Whether the name of a column says such a word."""
    return bool(words & set(name_parts(field.column)))


def _negated(made: Derivation) -> bool:
    tests = any(isinstance(t, Filter) and t.operator in ("!=", "not in", "null") for t in made.tests)
    false = any(isinstance(t, Filter) and False in t.values for t in made.tests)
    return tests or false or any(not presence.present for presence in made.meaning.presences)


def _bounded(made: Derivation) -> bool:
    signs = (">", ">=", "<", "<=")
    return bool(made.meaning.havings) or any(isinstance(t, Filter) and t.operator in signs for t in made.tests)


def _sides(made: Derivation) -> bool:
    meaning = made.meaning
    return len(meaning.measures) > 1 or len(meaning.groups) > 0 or bool(meaning.series) or _changes(meaning)


def _changes(meaning: Meaning) -> bool:
    return any(measure.less or measure.per for measure in meaning.all_measures) or meaning.series == "change"


def _averaged(made: Derivation) -> bool:
    meaning = made.meaning
    means = any(m.function in ("avg", "metric") or m.per for m in meaning.all_measures) or meaning.fold
    return bool(means) or any(isinstance(t, Filter) and t.than for t in made.tests) or meaning.series == "moving"


def _ranked(made: Derivation) -> bool:
    meaning = made.meaning
    return bool(meaning.order or meaning.last) or any(m.function in ("min", "max") for m in meaning.all_measures)


def _shared(made: Derivation) -> bool:
    meaning = made.meaning
    return meaning.share or any(m.per or m.function in ("avg", "metric") for m in meaning.all_measures)


def _divided(made: Derivation) -> bool:
    meaning = made.meaning
    listed = not (meaning.all_measures or meaning.limit)  # one row for each thing
    return bool(listed or meaning.groups or meaning.fold or meaning.within) or any(m.per for m in meaning.all_measures)


def _chosen(made: Derivation) -> bool:
    meaning = made.meaning
    several = any(isinstance(t, Filter) and len(t.values) > 1 for t in made.tests)
    return several or bool(meaning.either) or len(meaning.all_measures) > 1 or len(meaning.groups) > 1


def _several(made: Derivation) -> bool:
    meaning = made.meaning
    wide = len(meaning.columns) > 1 or len(meaning.filters) + len(meaning.periods) + len(meaning.presences) > 1
    return wide or _chosen(made)


def _summed(made: Derivation) -> bool:
    """A sum, or the column called a total."""
    return any(m.function in ("sum", "metric") or (m.column and _names(SUMS, Field(m.table, m.column)))
               for m in made.meaning.all_measures) or any(_names(SUMS, field) for field in _columns(made))  # fmt: skip


def _columns(made: Derivation) -> list[Field]:
    """The columns shown, tested, or sorted by."""
    keys = (order.key for order in made.meaning.order)
    fields = (*made.meaning.columns, *(test.field for test in made.tests), *keys)
    return [field for field in fields if isinstance(field, Field)]


def _in_series(made: Derivation) -> bool:
    return bool(made.meaning.series)


def _counted(made: Derivation) -> bool:
    return any(m.function in ("count", "metric") for m in made.meaning.all_measures)


def _listed(made: Derivation) -> bool:
    return not made.meaning.measures or bool(made.meaning.groups)


def _one_row(made: Derivation) -> bool:
    return not made.meaning.groups and bool(made.meaning.measures)


def _never(_: Derivation) -> bool:
    return False


MONTHS = "jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|january|february|march|april|june|july|august|september"
SAYINGS = {
    "time": Saying(
        _said(
            rf"today|yesterday|tomorrow|week|weeks|month|months|quarter|year|years(?! old)|day|days|ytd|q[1-4]"
            rf"|since|ago|{MONTHS}"
            "|october|november|december|20\\d\\d|lately|recently|mondays?|tuesdays?|fridays?|weekends?"
        ),
        _timed,
    ),
    "negation": Saying(
        _said(r"not|no|never|without|except|excluding|non|nobody|none|\w+n't|aren't|isn't|didnt|dont|other than"),
        _negated,
    ),
    "bound": Saying(
        _said(
            r"more than|less than|fewer than|over(?! (?:day|week|month|quarter|year|time|the (?:last|past))\b)|under|above"
            "|below|at least|at most|exceed|exceeding|higher than|>|<"
        ),
        _bounded,
    ),
    "comparison": Saying(
        _said("vs|versus|compared|compare|than last|than the|growth|change|changed|difference|up or down"), _sides
    ),
    "change": Saying(
        _said("grow|grew|grown|rise|rose|fell|drop|dropped|increase|increased|decrease|trend"), _in_series
    ),
    "average": Saying(_said("average|avg|mean|median|typical|typically|usually|on average"), _averaged),
    "rank": Saying(
        _said(r"most|least|top|best|worst|highest|lowest|biggest|largest|smallest|fewest|latest|newest|oldest|\w+iest"),
        _ranked,
    ),
    "share": Saying(_said("%|share|percent|percentage|proportion|fraction|ratio|rate|pct|how often"), _shared),
    # “sorted by”, “written by” and “order by” are no splits.
    "split": Saying(_said("per|each|every|(?<!ed )(?<!en )(?<!order )by|breakdown|split|grouped"), _divided),
    "choice": Saying(_said("or|either"), _chosen),
    "both": Saying(_said("and|both|plus|also|as well as|along with"), _several),
    "sum": Saying(_said("total|sum|overall|altogether|how much"), _summed),
    "count": Saying(_said("how many|number of|count|count of"), _counted),
    "list": Saying(_said("list|show me|which|who|what are|give me|name"), _listed),
    "one": Saying(_said("how much|how many|what is|what's|whats"), _one_row),
    "series": Saying(_said("running|cumulative|rolling|moving"), _in_series),
    "odd": Saying(
        _said(
            "still|yet|currently|now|ever|only|just|same|actually|really|due|expected|planned|missing|late|open|twice"
            "|once|between|during|while|first|last|previous|next|new|longest|shortest|long|often|time|times|until"
        ),
        _never,
    ),
    "if": Saying(_said("if|should|would|could|will|why|because|how come|forecast|predict|expect"), _never),
    "hour": Saying(_said("hour|hours|minute|minutes|o'clock|am|pm|morning|evening|night"), _never),
    "person": Saying(_said("he|she|they|them|their|it|its|his|her|those|these|that|this|ones|one"), _never),
    "us": Saying(_said("we|our|us|my|i"), _never),
}
WANTING = tuple(name for name, saying in SAYINGS.items() if saying.has is not _never and name != "one")
FIGURE = re.compile(r"\d+")
TIMES = frozenset("year month week day date time quarter age".split())
SUMS = frozenset("total sum overall amount".split())


def says(name: str, made: Derivation) -> float:
    """Whether a message says such a word."""
    return SAYINGS[name].words.search(made.text) is not None


def lacks(name: str, made: Derivation) -> float:
    """Whether a message says such a word and the meaning has nothing of it."""
    return bool(says(name, made)) and not SAYINGS[name].has(made)


def unasked(name: str, made: Derivation) -> float:
    """Whether the meaning has it without such a word."""
    return not says(name, made) and SAYINGS[name].has(made)


def numbers_lost(made: Derivation) -> float:
    return len(numbers_left(made))


def numbers_left(made: Derivation) -> list[str]:
    """Figures of the message without a place in the meaning."""
    timed = Counter(n for part in made.parts if part.kind == "period" for n in FIGURE.findall(part.said))
    said = [*(Counter(FIGURE.findall(made.text)) - timed).elements()]
    text = repr(made.meaning) if said else ""
    return [number for number in said if number not in text]
