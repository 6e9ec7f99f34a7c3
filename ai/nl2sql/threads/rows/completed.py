"""Complete a fragment with the rows of the thread: “still running ones only” as “shows still running”."""

import re
from collections.abc import Iterator
from dataclasses import replace

from ai.nl2sql.checks import complaint
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Filter, Meaning, Measure
from ai.nl2sql.reading.sketch import Sketch, counts
from ai.nl2sql.schema import names_of, noun
from ai.nl2sql.threads import signals
from ai.nl2sql.threads.edits import listed
from ai.nl2sql.threads.fragments import Sketches
from ai.nl2sql.threads.referents import the_one, thing
from ai.nl2sql.threads.restrict import with_filters, with_periods
from ai.nl2sql.threads.steps import Followed
from ai.nl2sql.words import keys

FEW = 7  # words
OPENED = re.compile(r"^(?:(?:and|but|ok|so|now|then|only|just|show|keep|the|all)\b[ ,]*)+", re.IGNORECASE)
ENDED = re.compile(r"(?:[ ,]+(?:only|instead|please|pls|though|then))+[.!? ]*$|[.!? ]+$", re.IGNORECASE)
PEOPLE = r"(?:ones?|those|these|people|persons?|folks?|guys|anyone|everyone|anybody|everybody)"
LEFT_OUT = re.compile(rf"^without (?:the |any )?{PEOPLE}(?: (?:who|that|which))? (?P<what>.+)$", re.IGNORECASE)
WITHOUT = re.compile(rf"^without (?:the |any )?(?P<what>.+?)(?: {PEOPLE})?$", re.IGNORECASE)
LEADING = re.compile(rf"^{PEOPLE}(?: (?:who|that|which))?(?: (?:are|is|were|was))? (?P<what>.+)$", re.IGNORECASE)
WHICH = re.compile(
    r"^(?:and |so )?which (?:ones|of (?:them|those|these))(?: (?:are|were|is|was|have|had|has))? (?P<what>.+?)[?.! ]*$",
    re.IGNORECASE,
)
HOW_MANY = re.compile(
    r"^(?:and |so )?how many (?:of (?:them|those|these) )?(?:are|is|were|was|have|had|has) (?P<what>.+?)[?.! ]*$",
    re.IGNORECASE,
)
ASKED = re.compile(r"^(?:and |so )?(?:who\b|which ones\b)", re.IGNORECASE)
ONES_WITHOUT = re.compile(rf"\b{PEOPLE} (?:without|w/o)\b", re.IGNORECASE)
TRAILING = re.compile(rf"^(?P<what>.+?(?<! by)(?<! per)(?<! of)(?<! each)) {PEOPLE}$", re.IGNORECASE)


BARE = re.compile(
    r"^(?:and |ok |but |now |so )*(?:(?:only|just) (?:the )?(?P<after>[\w'-]+(?: (?!ones?\b)[\w'-]+)?)"
    r"|(?P<before>(?!only\b|just\b)[\w'-]+(?: [\w'-]+)?) only)[.!? ]*$",
    re.IGNORECASE,
)  # “only email”, “email only” after tickets by channel


def completed(text: str, before: Meaning, lexicon: Lexicon, read: Sketches) -> Followed | None:
    """Read the rows before under the condition of a fragment; None where their name does not complete it."""
    if len(text.split()) > FEW + 3 * bool(signals.HAD.match(text)) or "," in text:
        return None
    rows = rows_counted(before, lexicon) if WHICH.match(text) else before
    if bare := BARE.match(text):
        return _of_value(bare["after"] or bare["before"], before, lexicon)
    base = counted(before, lexicon) if HOW_MANY.match(text) else rows
    if base is None:
        return None
    found = (
        _narrowed(sketch, base)
        for table in dict.fromkeys((before.root, thing(before, lexicon)))
        for said in _sentences(text, noun(lexicon, table))
        for sketch in sorted(read(said), key=lambda sketch: sketch.cost)[: 3 if signals.HAD.match(text) else 1]
        if _is_plain(sketch, table, of_others=signals.HAD.match(text) is not None)
    )
    made = next((meaning for meaning in found if meaning != before and not complaint(meaning, lexicon)), None)
    return Followed(made) if made else None


def _sentences(text: str, things: str) -> Iterator[str]:
    said = OPENED.sub("", ENDED.sub("", text.strip()))
    if found := signals.HAD.match(text):
        yield f"{things} with {found['what']}"
    elif found := WHICH.match(text) or HOW_MANY.match(text):
        yield f"{things} {found['what']}"
        yield f"how many {things} are {found['what']}"
    elif found := LEFT_OUT.match(said):
        yield f"{things} without those who {found['what']}"
        yield f"{things} without those {found['what']}"
    elif found := WITHOUT.match(said):
        yield f"{things} without {found['what']}"
        yield f"{things} that are not {found['what']}"
    elif found := LEADING.match(said) or TRAILING.match(said):
        yield f"{things} {found['what']}"
        yield f"{found['what']} {things}"


def _is_plain(sketch: Sketch, table: str, *, of_others: bool) -> bool:
    """Whether a reading is those rows under conditions, of their own or `of_others`, and nothing else."""
    meaning = sketch.meaning
    if sketch.unread() or sketch.problems or sketch.choices or meaning.subject != table:
        return False
    bare = replace(meaning, filters=(), presences=(), periods=(), columns=(), measures=(), distinct=False)
    is_count = all(counts(sketch.lexicon, figure) for figure in meaning.measures)
    fields = [*(test.field for test in meaning.filters), *(period.field for period in meaning.periods)]
    others = {field.table for field in fields} - {table}
    held = meaning.filters or meaning.presences or (others and meaning.periods)
    return bare == Meaning(table) and is_count and len(others) <= of_others and bool(held)


def rows_asked(text: str, sketch: Sketch, before: Meaning, lexicon: Lexicon) -> Meaning:
    """Return the rows counted, listed, where “who” or “which ones” asks for those of a condition."""
    return rows_counted(before, lexicon) if ASKED.match(text) and sketch.data("filter") else before


def rows_counted(before: Meaning, lexicon: Lexicon) -> Meaning:
    """Return the rows counted, listed."""
    is_count = before.measures and all(counts(lexicon, figure) for figure in before.measures)
    return listed(replace(before, groups=(), order=(), limit=None), lexicon) if is_count else before


def counted(before: Meaning, lexicon: Lexicon) -> Meaning | None:
    """Return the number of the rows listed or counted; None after another figure."""
    own = (Measure("count", before.root),)
    if not before.all_measures and not before.groups and not before.limit:
        return replace(before, measures=own, columns=(), order=(), distinct=False)
    if not before.measures or not all(counts(lexicon, figure) for figure in before.measures) or before.fold:
        return None
    about = the_one(before, lexicon) if before.limit == 1 else None
    if (before.limit and about is None) or before.havings or before.within:
        return None
    among = (*before.among, about) if about else before.among
    return replace(before, groups=(), columns=(), order=(), limit=None, among=among, share=False, series="")


def _narrowed(sketch: Sketch, before: Meaning) -> Meaning:
    meaning = with_filters(before, sketch)
    return with_periods(meaning, sketch.meaning.periods)


def _of_value(said: str, before: Meaning, lexicon: Lexicon) -> Followed | None:
    """Keep the group with this value: “only email” after tickets by channel."""
    made = of_value(said, before, lexicon)
    return None if made is None or complaint(made, lexicon) else Followed(made)


def of_value(said: str, before: Meaning, lexicon: Lexicon) -> Meaning | None:
    """Return a split figure for the one group that a word is the value of."""
    fields = [field for group in before.groups if not group.unit for field in names_of(group, lexicon)]
    tests = {test for field in fields if (test := _value_test(said, field, lexicon)) is not None}
    if len(tests) != 1 or before.fold:
        return None
    test = tests.pop()
    return replace(before, filters=(*(old for old in before.filters if old.field != test.field), test))


def _value_test(said: str, field: Field, lexicon: Lexicon) -> Filter | None:
    senses = lexicon.senses(keys(said))
    values = {
        sense.value
        for sense in senses
        if sense.value is not None and (sense.table, sense.column) == (field.table, field.column)
    }
    return Filter(field, "=", (values.pop(),)) if len(values) == 1 else None
