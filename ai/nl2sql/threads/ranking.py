"""Order the rows of an answer anew: rank and sort them."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from ai.nl2sql.carried import moved_period
from ai.nl2sql.chart.figures import total_of
from ai.nl2sql.chart.parts import Rank, Sorting
from ai.nl2sql.contradictions import plain_tests
from ai.nl2sql.definitions import is_metric
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Among, Field, Filter, Group, Meaning, Measure, Order
from ai.nl2sql.reading.ordering.implied import only_known
from ai.nl2sql.reading.ordering.ranks import JUDGED, is_bad, judged
from ai.nl2sql.reading.sketch import Sketch, counts, is_fact
from ai.nl2sql.schema import days, display
from ai.nl2sql.threads.referents import referent
from ai.nl2sql.threads.sort_keys import TOP, day_of, key_meant, name_of, name_shown, of_groups, usual_key
from ai.nl2sql.totals import is_amount
from ai.nl2sql.vocabulary import is_bad_name
from ai.nl2sql.words import keys, name_parts, stem

ONE_OF = re.compile(r"\b(?:one|of (?:them|those|these))[?.! ]*$", re.IGNORECASE)
SORTS = re.compile(
    r"\b(?:\w+est|(?:most|least) \w+)(?: [^\W\d]\w+){0,2} first\b", re.IGNORECASE
)  # “dearest first” asks for all
LAST = re.compile(r"\b(?:last|latest|newest|most recent)\b", re.IGNORECASE)
MARKS, LOW = frozenset("star stars rating score mark".split()), 2


def with_rank(before: Meaning, sketch: Sketch, text: str = "") -> Meaning | None:
    """“top 3”, “the bottom 5”, “which was the best”: rank by the figure or the order at hand."""
    ranks = [rank for rank in sketch.data("rank") if isinstance(rank, Rank)]
    if not ranks:
        return before
    rank = next((r for r in ranks if r.key is not None), ranks[0])
    return _first_lines(before, rank, _limit(ranks, text), sketch) or _ranked(before, rank, ranks, sketch, text)


def _ranked(before: Meaning, rank: Rank, ranks: list[Rank], sketch: Sketch, text: str) -> Meaning | None:
    limit = _limit(ranks, text)
    sketch.used |= {part.start for part in sketch.parts("rank")}
    said = " ".join(part.said for part in sketch.parts("rank"))
    key = key_meant(rank, before, said, text, sketch.lexicon)
    loose = next((s.key for s in sketch.data("order") if isinstance(s, Sorting) and s.loose and s.key), None)
    if loose is not None and not isinstance(loose, str):
        key = total_of(loose) if isinstance(loose, Field) and before.all_measures else loose
    if key is None and not rank.asked:
        dated = days(sketch.lexicon, before.subject)[:1] if LAST.search(text) and not before.measures else []
        order = tuple(Order(day, descending=True) for day in dated)
        return replace(before, limit=limit, order=order or before.order)
    if key is None:
        return None
    if isinstance(key, Measure):
        key, before = _of_rows(key, before)
    if isinstance(key, Measure) and before.fold and not before.groups:
        before = replace(before, groups=before.fold.grain, fold=None, measures=before.measures)
    if isinstance(key, Measure) and not before.groups:
        if before.measures:
            return None
        before = replace(before, groups=(Group(before.subject),), columns=(), distinct=False)
    if isinstance(key, Field) and before.groups and not before.is_grouped_by(key):
        return None
    if isinstance(key, Field) and before.measures and not before.groups:
        before = _rows_of(before, key, sketch.lexicon)
    before = _among_shown(before, rank, key, text, sketch.lexicon)
    worst = worst_of_what(sketch, before, key, rank) if isinstance(key, Measure) else None
    rank = worst or judged(sketch, key, rank)
    goes_on = not rank.asked or _is_more_of(rank, sketch, before) or _keeps_order(rank, sketch, before, key)
    down = before.order[0].descending if before.order and goes_on else rank.descending
    known = only_known(sketch.lexicon, before.groups) if isinstance(key, Measure) and limit else ()
    filters = tuple(dict.fromkeys((*before.filters, *known)))
    return replace(before, order=(Order(key, down),), limit=limit or before.limit, offset=0, filters=filters)


def _first_lines(before: Meaning, rank: Rank, limit: int | None, sketch: Sketch) -> Meaning | None:
    """Keep the things named: “top 3 countries” after revenue by country and month."""
    groups = [group for group in before.groups if not group.unit]
    if (
        not limit
        or len(groups) != 1
        or len(before.groups) == 1
        or rank.key is not None
        or before.limit
        or not before.measures
    ):
        return None
    group, nouns = groups[0], sketch.data("noun")
    named = (
        group.table in nouns if group.column is None else Field(group.table, group.column) in sketch.data("attribute")
    )
    order = (Order(before.measures[0], rank.descending),)
    total = replace(before, groups=(group,), order=order, limit=limit, columns=(), share=False, series="", within=())
    about = referent(total, sketch.lexicon) if named else None
    if not isinstance(about, Among):
        return None
    sketch.used |= {part.start for part in sketch.parts("rank")}
    return replace(before, among=(*before.among, about))


def _limit(ranks: list[Rank], text: str) -> int | None:
    """Return how many rows are asked for, None for all of them."""
    several = max((rank.limit for rank in ranks if rank.limit and rank.limit > 1), default=None)
    if several or SORTS.search(text):
        return several
    said = any(rank.limit for rank in ranks)
    return 1 if said or any(rank.key is not None for rank in ranks) else None


def _is_more_of(rank: Rank, sketch: Sketch, before: Meaning) -> bool:
    """Whether “top 5” asks for more of the changes shown, be they falls."""
    by_change = before.order and isinstance(key := before.order[0].key, Measure) and key.less is not None
    tops = any(part.said.lower().startswith(TOP) for part in sketch.parts("rank"))
    return bool(by_change) and rank.key is None and tops


def _keeps_order(rank: Rank, sketch: Sketch, before: Meaning, key: Measure | Field) -> bool:
    """Whether “top 3 only” keeps the first lines of what was sorted lowest first."""
    tops = any(part.said.lower().startswith(TOP) for part in sketch.parts("rank"))
    sorted_up = bool(before.order) and before.order[0].key == key and not before.order[0].descending
    return tops and rank.key is None and sorted_up and before.limit is None


def _rows_of(before: Meaning, key: Field, lexicon: Lexicon) -> Meaning:
    """List the rows of a figure with their ranking column: “heaviest one?” after an average weight."""
    columns = tuple(dict.fromkeys((*display(lexicon, key.table), key)))
    return replace(
        before, subject=key.table, measures=(), columns=columns, fold=None, share=False, series="", havings=()
    )


def _among_shown(before: Meaning, rank: Rank, key: Measure | Field, text: str, lexicon: Lexicon) -> Meaning:
    """Keep to the few shown where one of them is asked for by another figure: “cheapest one” after a top 5."""
    few = before.limit and before.limit > 1 and before.order and before.order[0].key != key
    about = referent(before, lexicon) if few and rank.key is not None and ONE_OF.search(text) else None
    return replace(before, among=(*before.among, about)) if isinstance(about, Among) else before


def with_order(before: Meaning, sketch: Sketch) -> Meaning | None:
    """“sort by price”, “lowest first”, “by name”."""
    found = [s for s in sketch.data("order") if isinstance(s, Sorting)]
    if not found or sketch.data("rank"):
        return before
    direction = next((s.descending for s in found if s.descending is not None), None)
    key = next((s.key for s in found if s.key is not None), None)
    sketch.flag("order")
    if key is None:
        chosen = usual_key(before, sketch)
        return replace(before, order=(Order(chosen, bool(direction)),)) if chosen else None
    key = _key_shown(key, before, sketch.lexicon)
    if _is_of_no_group(key, before):
        return None
    if isinstance(key, Measure) or (isinstance(key, Field) and is_amount(sketch.lexicon, key)):
        direction = True if direction is None else direction
    if isinstance(key, Measure) and not before.groups:
        key, before = _of_rows(key, before)
    if isinstance(key, Measure) and not before.groups:
        if before.measures:
            return None
        before = replace(before, groups=(Group(before.subject),), columns=(), distinct=False, measures=())
    if isinstance(key, Measure) and not before.measures and before.order and isinstance(before.order[0].key, Measure):
        old = before.order[0].key  # ranked by another figure, so its time too
        before = replace(before, periods=tuple(moved_period(p, old, key, sketch.lexicon) for p in before.periods))
    before = _only_shown(before, key, sketch.lexicon)
    if isinstance(key, Field) and before.columns and not before.groups and is_amount(sketch.lexicon, key):
        before = replace(before, columns=tuple(dict.fromkeys((*before.columns, key))))
    return replace(before, order=(Order(key, bool(direction)),)) if isinstance(key, Field | Measure) else None


def _only_shown(before: Meaning, key: Measure | Field | None, lexicon: Lexicon) -> Meaning:
    """Keep to the rows shown where they are sorted anew: the latest ten, by amount. The best of each go by another figure."""
    if isinstance(key, Measure) and before.within and before.order and before.measures == (before.order[0].key,):
        return replace(before, measures=(key,))
    about = referent(before, lexicon) if before.limit and before.order and before.order[0].key != key else None
    if not isinstance(about, Among) or before.groups:
        return before
    return replace(before, among=(*before.among, about), filters=(), periods=(), limit=None, offset=0, order=())


def _key_shown(said: Measure | Field | str, before: Meaning, lexicon: Lexicon) -> Measure | Field | None:
    """Return what a key means of the rows shown: their day or name, a column of their groups, or a total."""
    key: Measure | Field | None
    if isinstance(said, str):
        key = day_of(before, lexicon) if said == "date" else name_of(before, lexicon)
    else:
        key = name_shown(said, before, lexicon) if isinstance(said, Measure) else said
    if isinstance(key, Field) and before.groups:
        key = of_groups(key, before, lexicon)
    if isinstance(key, Field) and is_fact(lexicon, key.table):
        key = total_of(key)
    return key


def _is_of_no_group(key: Measure | Field | None, before: Meaning) -> bool:
    """Whether groups have no such column: “sort by price” after the installs of each platform."""
    return isinstance(key, Field) and bool(before.groups and before.measures) and not before.is_grouped_by(key)


def _of_rows(key: Measure, before: Meaning) -> tuple[Measure | Field, Meaning]:
    """Order listed rows by their own column in place of its total, and show it."""
    if key.function != "sum" or key.table != before.subject or key.where or key.per or key.less:
        return key, before
    column = Field(key.table, key.column or "")
    listed = bool(before.columns) and not (before.measures or before.groups or before.distinct)
    if not listed or not key.column or is_metric(column):
        return key, before
    return column, replace(before, columns=tuple(dict.fromkeys((*before.columns, column))))


def worst_of_what(sketch: Sketch, meaning: Meaning, figure: Measure, rank: Rank) -> Rank | None:
    """Turn “worst” and “best” round for a bad figure; None where they may mean the most or the fewest.

    The worst week of cancelled bookings has the most of them; of bookings by members nobody can tell.
    """
    said = {word for part in sketch.parts("rank") for word in keys(part.said)}
    parted = tuple(test for test in figure.where if isinstance(test, Filter))  # “as a percentage” of all
    tests = (*meaning.filters, *parted)
    is_counted = counts(sketch.lexicon, figure) or (bool(parted) and figure.function == "count")
    if not said & JUDGED or not is_counted or not tests or is_bad(sketch.lexicon, figure):
        return judged(sketch, figure, rank)
    return replace(rank, descending="worst" in said) if are_of_bad(tests, sketch.lexicon) else None


def are_of_bad(tests: Sequence[Filter], lexicon: Lexicon) -> bool:
    """Whether conditions tell of bad rows: cancelled bookings, reviews with one star."""
    words = {stem(word) for test in tests for word in _words(test, lexicon)}
    return is_bad_name(words) or any(map(_is_low_mark, tests))


def _is_low_mark(test: Filter) -> bool:
    marks = [value for value in test.values if isinstance(value, int | float) and not isinstance(value, bool)]
    is_low = test.operator in ("=", "in", "<", "<=") and bool(marks) and max(marks) <= LOW
    return is_low and bool(MARKS & set(name_parts(test.field.column)))


def _words(test: Filter, lexicon: Lexicon) -> tuple[str, ...]:
    if test.operator in ("!=", "not in", "null") or test.values == (False,):
        return ()
    plain = [f"{each.field.column} {' '.join(map(str, each.values))}" for each in (test, *plain_tests(test, lexicon))]
    return tuple(
        word for text in plain for word in (*name_parts(text), *keys(text), *map("-".join, pairwise(keys(text))))
    )
