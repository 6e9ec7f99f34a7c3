"""List the rows behind a number where a message asks who or which they are: “names for Milan North”."""

import re
from collections.abc import Sequence
from dataclasses import replace

from ai.nl2sql.checks import complaint
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Among, Group, Meaning, Measure, Order
from ai.nl2sql.persons import holding
from ai.nl2sql.reading.sketch import counts
from ai.nl2sql.schema import display, names_of
from ai.nl2sql.threads.columns import with_columns
from ai.nl2sql.threads.fragments import Sketches
from ai.nl2sql.threads.referents import referent, the_one
from ai.nl2sql.threads.rows.completed import counted, rows_counted
from ai.nl2sql.threads.rows.composed import After
from ai.nl2sql.threads.rows.who import persons_of
from ai.nl2sql.threads.steps import Followed

NAMED = re.compile(
    r"^(?:and |so |ok |now |just |only )*(?:(?:list|show|give|tell|what are)(?: me)? )?"
    r"(?:(?:all |only )?(?:the |their )|all )?names?(?: of (?:them|those|these))?(?: please)?"
    r"(?: (?P<rest>(?:for|in|from|at|on|with) .+?))?[?.! ]*$"
    r"|^(?:and |so |ok )*who (?:are|were) (?:they|those|these|them)(?: all| exactly)?[?.! ]*$",
    re.IGNORECASE,
)
WHOSE = re.compile(
    r"^(?:and |so |ok )*whose (?:are|is|were|was) (?:they|those|these|that|it)(?: all)?[?.! ]*$", re.IGNORECASE
)
OF_ONE_TOTAL = "I cannot tell which ones are meant after one total; please name them."
OF_BOTH = "I cannot list the rows of both times at once; please name the time."
THAT_MANY = re.compile(r"^(?:and |so |ok )*how many (?:is|was|are|were) (?:that|it)[?.! ]*$", re.IGNORECASE)
WHO = re.compile(r"^(?:and |so |ok )*who\b", re.IGNORECASE)
LISTS = re.compile(
    r"^(?:and |now |ok )*(?:(?:list|name)\b|(?:show|give)(?: me)? (?:all )?(?:the |only |just )+(?:[\w'-]+ ){1,4}ones[?.! ]*$)",
    re.IGNORECASE,
)
OF_THEM = re.compile(
    r"\b(?:which|what|who|any|how many)(?: ones?)? of (?:them|these|those)\b"
    r"|^(?:and |so |ok |but )*how many (?:are|were) (?!there\b|they\b|these\b|those\b|that\b)"
    r"|^(?:and |so |ok |but )*(?:which|what) (?:ones?|of (?:these|those|the) \w+) (?:is|are|was|were|has|have|had)\b",
    re.IGNORECASE,
)
DOES = re.compile(
    r"\b(?:did|does|do|has|have) (?:it|they|he|she|that one) \w+"
    r"|\bof (?:it|that|them|those|these) (?:did|do|have) (?:we|you)\b"
    r"|\b(?:did|do|have) (?:we|you) \w+ of (?:it|that|them|those|these)\b",
    re.IGNORECASE,
)
ENDS = re.compile(
    r"^(?P<first>.+? ones?)[\s,;:–-]+(?:and )?(?:which|who|what) (?:are|were) (?:they|those|these)(?: exactly)?[?.! ]*$",
    re.IGNORECASE,
)


def rows_named(
    body: str, earlier: Sequence[Meaning], lexicon: Lexicon, read: Sketches, after: After
) -> Followed | None:
    """List the rows counted, then take the rest of the message; None for another wish and after another figure."""
    if found := ENDS.match(body):
        first = after(found["first"], earlier, lexicon, read)
        rows = _rows(first.meaning, lexicon) if first and first.meaning else None
        return Followed(rows) if rows else None
    if THAT_MANY.match(body) and earlier[0].limit == 1 and earlier[0].groups and len(earlier[0].measures) == 1:
        return _that_many(earlier[0], lexicon)
    if WHOSE.match(body) and (shared := _by_person(earlier[0], lexicon)):
        return Followed(shared)
    named = NAMED.match(body)
    rows = _rows(earlier[0], lexicon) if named else None
    if named is None or rows is None:
        return None
    if WHO.match(body) and (whose := holding(rows.subject, lexicon)):
        return _with_people(rows, whose, lexicon)
    return after(named["rest"], [rows, *earlier], lexicon, read) if named["rest"] else Followed(rows)


def _that_many(before: Meaning, lexicon: Lexicon) -> Followed:
    """Read “how many is that?” after the highest share: what the share is made of, and no number of groups."""
    (share,), one = before.measures, the_one(before, lexicon)
    if share.per is None or one is None:
        return Followed(None, problem="Which number do you mean? Please name it.")
    part = replace(share, per=None)
    return Followed(replace(before, measures=(part,), groups=(), order=(), limit=None, among=(*before.among, one)))


def _by_person(before: Meaning, lexicon: Lexicon) -> Meaning | None:
    """Return an amount by those whose rows it adds up: “whose are they?” after the total of unpaid payouts."""
    figure = before.measures[0] if len(before.measures) == 1 and not (before.groups or before.fold) else None
    if figure is None or counts(lexicon, figure):
        return None
    people = [table for table in persons_of(figure.table, lexicon) if display(lexicon, table)]
    made = replace(before, groups=(Group(people[0]),), order=(Order(figure, True),)) if len(people) == 1 else None
    return None if made is None or complaint(made, lexicon) else made


def _with_people(rows: Meaning, whose: str, lexicon: Lexicon) -> Followed:
    """Show whose rows they are: “who are they?” after a number of subscriptions."""
    beside = with_columns(rows, display(lexicon, whose), lexicon)
    why = complaint(beside, lexicon) if beside else None
    return Followed(None, problem=why) if why else Followed(beside or rows)


def as_rows(text: str, made: Followed | None, before: Meaning, lexicon: Lexicon) -> Followed | None:
    """List what a message asks to list where one more condition on a count was read: “list the vegans there”."""
    meaning = made.meaning if made else None
    if made is None or meaning is None or not LISTS.match(text) or meaning.measures != before.measures:
        return made
    if not set(meaning.filters) - set(before.filters) or not meaning.measures:
        return made
    if any(figure.where for figure in meaning.measures):
        return Followed(None, problem=OF_BOTH)
    rows = _rows(meaning, lexicon) or _rows_of_mean(meaning, lexicon)
    return replace(made, meaning=rows) if rows else made


def _rows_of_mean(meaning: Meaning, lexicon: Lexicon) -> Meaning | None:
    """Return the rows behind an average: “show me the 1 star ones” after a rating."""
    mean = meaning.measures[0]
    metric = lexicon.metric_of(mean)
    averaged = mean.function == "avg" or (metric is not None and metric.expression.upper().startswith("AVG("))
    if not averaged or len(meaning.measures) > 1 or meaning.all_groups or mean.where or mean.per:
        return None
    return _rows(replace(meaning, measures=(Measure("count", mean.table),)), lexicon)


def among_shown(text: str, made: Followed | None, before: Meaning, lexicon: Lexicon) -> Followed | None:
    """Keep to what a ranking shows: “which of them are free?” after the top 5, “what did it sell?” after the first."""
    meaning = made.meaning if made else None
    if made is None or meaning is None:
        return made
    if before.limit and DOES.search(text):
        return replace(made, meaning=_not_ranked_anew(meaning, before, lexicon))
    if not OF_THEM.search(text):
        return made
    if _adds_up(before, meaning, lexicon):
        return Followed(None, problem=OF_ONE_TOTAL)
    if before.limit is None or before.limit < 2:
        return made
    about = referent(before, lexicon) if (meaning.among, meaning.periods) == (before.among, before.periods) else None
    held = replace(meaning, among=(*meaning.among, about)) if isinstance(about, Among) else meaning
    return made if complaint(held, lexicon) else replace(made, meaning=held)


def _adds_up(before: Meaning, meaning: Meaning, lexicon: Lexicon) -> bool:
    """Whether nameless rows of a total are listed or counted: the daily figures behind what some apps earned."""
    summed = bool(before.measures) and not before.groups and not any(counts(lexicon, each) for each in before.measures)
    of_rows = meaning.root == before.root and all(each.function == "count" for each in meaning.measures)
    return summed and of_rows and not meaning.groups and not display(lexicon, meaning.root)


def _not_ranked_anew(meaning: Meaning, before: Meaning, lexicon: Lexicon) -> Meaning:
    """Keep to what a rank showed: “what did it sell in October?” after the best seller asks of no other one."""
    ranked = (meaning.groups, meaning.order, meaning.limit) == (before.groups, before.order, before.limit)
    about = referent(before, lexicon) if ranked and meaning.groups and meaning.among == before.among else None
    held = (
        replace(meaning, among=(*meaning.among, about), limit=None, offset=0) if isinstance(about, Among) else meaning
    )
    return meaning if complaint(held, lexicon) else held


def _rows(before: Meaning, lexicon: Lexicon) -> Meaning | None:
    """Return the rows of a count, each with the group that it is counted in."""
    if not before.measures or before.fold or not all(counts(lexicon, figure) for figure in before.measures):
        return None
    number = counted(before, lexicon)
    rows = rows_counted(number, lexicon) if number else None
    if rows is None or rows.measures or complaint(rows, lexicon):
        return None
    held = {test.field for test in before.filters if test.operator == "="}
    fields = [f for group in before.groups if not group.unit for f in names_of(group, lexicon) if f not in held]
    beside = with_columns(rows, tuple(fields), lexicon) if fields else None
    return beside if beside and not complaint(beside, lexicon) else rows
