"""Edits of the answer before that any reader would make: exact words, all of them used, and one part of it changed."""

import re

from ai.nl2sql.confidence import costs, results
from ai.nl2sql.confidence.derivation import Derivation
from ai.nl2sql.confidence.edits import is_at_place
from ai.nl2sql.reading.sketch import counts, is_fact, many_between
from ai.nl2sql.threads import signals
from ai.nl2sql.threads.columns import WITH

# Its conditions, split, order or columns; another figure or other rows are no plain edit.
PLAIN = frozenset(("filters", "periods", "groups", "order", "columns", "limit"))
OF_THOSE = PLAIN - {"filters", "periods", "groups", "columns"} | {"measures", "among", "havings"}  # “installs of those”
RANKED = frozenset(("limit", "order"))  # “most recent one”: by which day is open
ADDED = frozenset(("measures", "filters", "columns"))
ASKED = re.compile(r"(?:and |so )?(?:what|which|who|where|whose|its|their|his|her)\b(?!.*\bwith\b)", re.IGNORECASE)
HAVE = re.compile(r"\b(?:do|does) (?:they|it|he|she) (?:have|own|run|manage|make|sell)[?.! ]*$", re.IGNORECASE)
HOW_MANY = re.compile(r"(?:and |so |but )?how (?:many|often)\b", re.IGNORECASE)
THEIRS = frozenset("it its they them their those these each he she that".split())
BEING = frozenset("is was are were which what has had the".split())
SUPERLATIVE = frozenset(
    "best worst highest lowest biggest smallest strongest weakest largest most fewest least".split()
)
MOST_OF_THEM = re.compile(r"\b(?:most|fewest|least) of (?:them|those|these|it)\b", re.IGNORECASE)
AND_THESE = re.compile(r"and (?:the |their |its )?[a-z]+(?: [a-z]+)?[?.! ]*$", re.IGNORECASE)
TOLD = 0.1  # what it costs at most to say a defined kind with its noun
IDLE = frozenset("too also instead well again then please only just now".split())  # words of a step itself


def is_plain_edit(made: Derivation) -> bool:
    """Whether a message changes the answer before by exact names alone, or in words of one sense."""
    if made.before is None or made.lost or not made.changed or costs.guesses(made):
        return False
    if results.gives_nothing(made) or (results.overlength_unlisted(made) and not narrows_a_list(made)):
        return False
    return (
        _keeps_groups(made)
        or _is_exact(made)
        or _is_step(made)
        or _asks_owner(made)
        or _counts_theirs(made)
        or _tells_its_figure(made)
        or _ranks_its_figure(made)
        or _counts_others(made)
    )


def narrows_a_list(made: Derivation) -> bool:
    """Whether an edit keeps the groups of the answer before, which were told whole: it gives no more rows than that."""
    before, now = made.before, made.meaning
    return before is not None and bool(now.groups) and before.groups == now.groups and before.limit is None


def _keeps_groups(made: Derivation) -> bool:
    """Whether a message only says which groups to keep, by a figure: “only with more than 100 reviews”."""
    if not narrows_a_list(made) or made.kinds != {"having"} or costs.dearest_part(made) >= costs.SURE:
        return False
    left = {made.words[at].key for at in costs.places_left(made)} - IDLE - THEIRS - {"one"}
    return made.changed <= {"havings", "measures"} and not left


def _is_exact(made: Derivation) -> bool:
    counted = _counts_by_group(made)
    of_those = "among" in made.changed <= OF_THOSE and bool(made.meaning.groups)
    if not of_those and not counted and (not made.changed <= PLAIN or made.changed >= RANKED):
        return False
    if made.sketch is None or costs.dearest_part(made) >= costs.SURE:
        return False
    left = [at for at in costs.places_left(made) if made.words[at].key not in IDLE]
    return not (left or costs.unread_words(made) or _tests_others(made) or _splits_by_many(made))


def _counts_by_group(made: Derivation) -> bool:
    """Whether rows listed are counted by what a message names: “by hotel” after open tickets."""
    listed = made.before is not None and not made.before.all_measures
    split = made.kinds == {"group"} and made.changed <= {*PLAIN, "measures", "distinct"}
    return listed and split and all(counts(made.lexicon, figure) for figure in made.meaning.measures)


def _splits_by_many(made: Derivation) -> bool:
    """Whether rows are split by things that each of them has several of: customers by the type of a van."""
    groups = {group.table for group in made.meaning.groups} - {
        group.table for group in (made.before or made.meaning).groups
    }
    return any(many_between(made.lexicon, made.meaning.root, table) for table in groups if table)


def _tests_others(made: Derivation) -> bool:
    """Whether a new condition is of rows that each thing has many of, as “active only” of rooms; not “only dramas”."""
    held, lexicon = set(made.before.filters) if made.before else set(), made.lexicon
    new = [test for test in made.meaning.filters if test not in held]
    many = [test for test in new if many_between(lexicon, made.meaning.root, test.field.table)]
    named = (isinstance(next(iter(test.values), 0), str) and not is_fact(lexicon, test.field.table) for test in many)
    return not all(named)


def _asks_owner(made: Derivation) -> bool:
    """Whether a message asks what the things shown have one of: “what's its team”, “which city is the second one in”.

    With the companies 8 of 9 such were right that were asked back.
    """
    lexicon, root = made.lexicon, made.meaning.root
    shown = {
        among.field.table for among in made.meaning.among if among not in (made.before.among if made.before else ())
    }
    if not shown or not made.kinds <= {"noun", "attribute"} or not ASKED.match(made.text):
        return False
    if costs.dearest_part(made) >= costs.SURE or made.sketch is None or made.meaning.all_measures:
        return False
    left = {made.words[at].key for at in costs.places_left(made)} | {word.lower() for word in made.sketch.unread()}
    left -= {*IDLE, *signals.PLACES, "one"}
    others = made.meaning.tables - {root}
    one_each = not any(many_between(lexicon, table, other) for table in shown for other in (root, *others))
    return not left and (one_each or bool(HAVE.search(made.text)))


def _counts_theirs(made: Derivation) -> bool:
    """Whether a message counts what the things shown have, or puts one figure in the place of another.

    With the companies 9 of 10 such counts and all 3 such changes were right that were asked back.
    """
    if made.kinds != {"measure"} or costs.dearest_part(made) >= costs.SURE + TOLD:
        return False
    if {made.words[at].key for at in costs.places_left(made)} - IDLE - {"each"}:
        return False
    if "each" in made.keys and not made.meaning.groups:
        return False
    counts_theirs = HOW_MANY.match(made.text) and made.keys & THEIRS
    return bool(counts_theirs) or made.changed <= {"measures", "order"}


def _tells_its_figure(made: Derivation) -> bool:
    """Whether a message asks one exact figure of the one thing shown: “its revenue so far” after the newest app."""
    held = made.before.among if made.before else ()
    of_one = any(among.source.limit == 1 for among in made.meaning.among if among not in held)
    if not of_one or not made.keys & {"it", "its"} or not made.kinds <= {"measure", "attribute", "period"}:
        return False
    left = {made.words[at].key for at in costs.places_left(made)} - IDLE
    return len(made.meaning.measures) == 1 and not left and costs.dearest_part(made) < costs.SURE + TOLD


def _counts_others(made: Derivation) -> bool:
    """Whether a message names other rows to count for the same things: “and appointments” after “how many vets there”."""
    before, now = made.before, made.meaning
    if before is None or not (AND_THESE.match(made.text) and made.kinds <= {"noun", "measure"}) or before.groups:
        return False
    counted = (*before.measures, *now.measures)
    plain = len(counted) == 2 and all(figure.function == "count" and not figure.where for figure in counted)
    kept = (now.among, now.filters, now.periods, now.groups) == (before.among, before.filters, before.periods, ())
    return plain and kept and bool(now.among or now.filters) and costs.dearest_part(made) < costs.SURE + TOLD


def _ranks_its_figure(made: Derivation) -> bool:
    """Whether a message asks for the first by the very figure shown: “which month was the worst”, “who got most of them”.

    One more thing may be shown of the row at a place of the list: “who owns the third one”.
    """
    before, now = made.before, made.meaning
    if before is None or not before.all_measures or now.limit is None:
        return False
    if now.limit == 1 and before.groups and set(before.groups) < set(now.groups):
        return bool(ASKED.match(made.text)) and signals.ONE.search(signals.canonical(made.text)) is not None
    if costs.unread_words(made):
        return False
    if before.groups:
        same = (now.groups, now.measures) == (before.groups, before.measures)
        same = same and bool(now.order) and now.order[0].key == before.all_measures[0]
        units = {group.unit for group in now.groups}  # “which month”, though a column is called so too
        left = {made.words[at].key for at in costs.places_left(made)} - IDLE - BEING - units
        return same and made.changed <= RANKED and bool(SUPERLATIVE & made.keys) and not left
    keyed = now.order and now.order[0].key in before.measures
    named = len(now.groups) == 1 and made.kinds <= {"noun", "attribute", "rank"}
    return bool(keyed) and named and MOST_OF_THEM.search(made.text) is not None


def _is_step(made: Derivation) -> bool:
    """Whether a message counts those shown, lists them with more columns, or adds one thing.

    With the companies all 13 such counts, 8 of 10 such lists and all 3 such additions were right that were asked back.
    """
    if made.sketch and {word.lower() for word in made.sketch.unread()} - IDLE - signals.PLACES.keys():
        return False
    figures = made.meaning.measures
    if signals.WHO_DOES.match(made.text):
        return "columns" in made.changed and not figures
    if signals.OF_THOSE.match(made.text):
        return bool(figures) and not made.meaning.groups and all(counts(made.lexicon, figure) for figure in figures)
    if signals.LISTED.match(made.text) or WITH.match(made.text):
        told = {"filters"} if made.before and made.before.measures else set()  # the condition of the figure counted
        return "columns" in made.changed <= {"columns", "measures", *told} and not figures
    if is_at_place(made):
        gives_one = made.result is None or bool(results.gives_one_row(made))
        return made.kinds <= {"attribute", "measure", "noun"} and costs.dearest_part(made) < costs.SURE and gives_one
    return bool(signals.BESIDE.search(made.text)) and len(made.changed) == 1 and made.changed <= ADDED
