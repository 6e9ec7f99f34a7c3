"""Read questions about the rows shown: the same things with more said of them, or their children."""

import re
from dataclasses import replace

from ai.nl2sql.chart.parts import LOUD, Flag
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Among, Filter, Meaning, Measure
from ai.nl2sql.reading.sketch import Sketch, counts
from ai.nl2sql.schema import noun
from ai.nl2sql.threads import edits, signals
from ai.nl2sql.threads.change import checked, edited
from ai.nl2sql.threads.columns import with_columns
from ai.nl2sql.threads.context import new_periods
from ai.nl2sql.threads.figures.first import most_of_them
from ai.nl2sql.threads.referents import (
    WHICH_ONE,
    are_several,
    before_among,
    named_in,
    referent,
    shown_key,
    thing,
    unranked,
)
from ai.nl2sql.threads.restrict import with_filters, with_periods
from ai.nl2sql.threads.rows.behind import (
    ONE_BY_ONE,
    alone,
    behind_values,
    counted_rows,
    figures_of_many,
    guessed_elsewhere,
    numbers_of_each,
    of_far_rows,
    tested_only,
    when_shown,
    whose,
)
from ai.nl2sql.threads.rows.referred import of_a_thing, with_referent
from ai.nl2sql.threads.rows.who import where_of, who_of
from ai.nl2sql.threads.steps import Followed
from ai.nl2sql.totals import totalled
from ai.nl2sql.vocabulary import is_kind

YES_NO = re.compile(r"(?:and )?(?:is|are|was|were|does|do|did) (?:it|they|that|this|these|those)\b", re.IGNORECASE)
PERSONS = frozenset(("they", "them", "he", "she", "him"))
SOMEBODY = ("people", "buyer", "holder", "firm")
SINGULAR = frozenset(("it", "its", "he", "his", "him", "she", "her"))
NO_REFERENT = "I do not know what “{}” stands for here; please name it."

SOME_OR_ALL = "“{}” may be the {} or all {}; please say which."


def about_shown(sketch: Sketch, before: Meaning, lexicon: Lexicon, text: str, word: str, place: int | None) -> Followed:
    """A question about the rows shown: the same things with more said of them, or others of theirs."""
    given, own = before, thing(before, lexicon)
    if place is None and (
        split := whose(sketch, before, lexicon, text) or counted_rows(sketch, before, own, text, lexicon)
    ):
        return checked(split, before, lexicon, (), sketch)
    if why := _unclear(sketch, own, lexicon, text) or _of_somebody(before, own, word, place):
        return (where_of(before, lexicon, text) if place is None else None) or Followed(None, problem=why)
    counted = not before.all_groups and edits.is_count_of_rows(before, lexicon)
    of_one = word.lower() in SINGULAR and before_among(before)  # “it” is not what it has many of
    if place is None and counted and not of_one and not _counts_more(sketch, before, lexicon, text):
        before = edits.listed(before, lexicon)
    if signals.WHICH_ARE.match(text):
        _states(sketch, own, lexicon)
    when_shown(sketch, before, own, lexicon)
    numbers_of_each(sketch, before, own, text)
    tested_only(sketch, text)
    figures_of_many(sketch, own, lexicon)
    same = _of_all_shown(sketch, before, given, lexicon, text) if place is None else None
    if same is not None:
        return same
    about = referent(before, lexicon, place)
    if isinstance(about, Among) and (ranked := most_of_them(sketch, before, about, lexicon)):
        return ranked
    if about is None and place is None and sketch.wanted and before.filters and not sketch.parts("noun"):
        return edited(sketch, before, lexicon, text, add=False)
    if about is None or not of_a_thing(about, sketch, lexicon):
        return Followed(None, problem=NO_REFERENT.format(word))
    several = place is None and word.lower() in SINGULAR and are_several(about, lexicon)
    which = WHICH_ONE.format(noun(lexicon, own), word) if several else _of_defined_rows(sketch, given, lexicon, word)
    if which:
        return Followed(None, problem=which)
    meant = behind_values(before, sketch) if place is None and isinstance(about, Among) else None
    return with_referent(sketch, before, lexicon, meant or about, text)


def _of_defined_rows(sketch: Sketch, before: Meaning, lexicon: Lexicon, word: str) -> str:
    """Say where “those” may be some rows of a table only: the completed moves before, and not all jobs."""
    defined = [metric for figure in before.all_measures if (metric := lexicon.metric_of(figure)) and metric.condition]
    asked = {wanted.measure.table for wanted in sketch.wanted if not lexicon.metric_of(wanted.measure)}
    rows = [metric for metric in defined if metric.table in asked and counts(lexicon, before.all_measures[0])]
    if not rows or any(test.field.table == rows[0].table for test in before.filters):
        return ""
    return SOME_OR_ALL.format(word, rows[0].name, noun(lexicon, rows[0].table))


def _of_somebody(before: Meaning, own: str, word: str, place: int | None) -> str:
    """Say where one row was shown with whose it is: “they” after the largest donation and its donor is no donation."""
    others = {field.table for field in before.columns} - {own}
    is_one = place is None and before.limit == 1 and not before.all_groups and word.lower() in PERSONS
    somebody = any(is_kind(table, *SOMEBODY) for table in others) and not is_kind(own, *SOMEBODY)
    return NO_REFERENT.format(word) if is_one and somebody else ""


def _unclear(sketch: Sketch, own: str, lexicon: Lexicon, text: str) -> str:
    """Return why a message cannot be read as a question about the things that were shown."""
    if sketch.unread() and not _only_counting(sketch):
        return sketch.unreadable()
    if sketch.flags("when") and sketch.flags("who"):
        return ONE_BY_ONE
    if signals.PLACELESS.match(text):
        return f"I cannot answer “{text.split()[0].lower()}” here; ask for a column or a figure."
    if signals.WHICH_ARE.match(text) and (far := of_far_rows(sketch, own, lexicon)):
        return far
    if signals.WHICH_ARE.match(text) and (guess := guessed_elsewhere(sketch, own)):
        return f"I cannot tell which {noun(lexicon, own)} these are: {guess}."
    guess = guessed_elsewhere(sketch, own) if signals.FACT.match(text) else ""
    guess = guess or next((note for note in sketch.notes if "was read as" in note and signals.YES_NO.match(text)), "")
    if guess:
        return f"I am not sure what this asks: {guess}. Please name the column or the value."
    counted = bool(sketch.wanted) and all(counts(sketch.lexicon, wanted.measure) for wanted in sketch.wanted)
    if signals.WHAT_DID.match(text) and counted:
        return f"Do you want how many {noun(lexicon, sketch.wanted[0].measure.table)}, or which? Please say it."
    if signals.EXACTLY.match(text):
        return f"I cannot say more exactly which {noun(lexicon, own)} are meant; name a column to see."
    return ""


def _of_all_shown(sketch: Sketch, before: Meaning, given: Meaning, lexicon: Lexicon, text: str) -> Followed | None:
    """Read a question about all the things shown; None for one about others."""
    if signals.ASSIGNED.match(text) and not _changes(sketch) and _says_nothing(sketch):
        problem = f"What do you want to know about {noun(lexicon, thing(before, lexicon))}?"
        return who_of(before, lexicon, text) or Followed(None, problem=problem)
    if _counts_more(sketch, before, lexicon, text):
        sketch.wanted = []
        return edited(sketch, before, lexicon, text, add=False)
    return _same_things(sketch, before, given, lexicon, text)


def _same_things(sketch: Sketch, before: Meaning, given: Meaning, lexicon: Lexicon, text: str) -> Followed | None:
    """Return the things shown: counted, with more columns or with a figure of each; None for others."""
    own = thing(before, lexicon)
    nouns = [str(part.data) for part in sketch.parts("noun") if str(part.data) != own]
    same = [w for w in sketch.wanted if w.measure == Measure("count", own)]
    if sketch.wanted and not same and signals.OF_THOSE.match(text) and not before.limit and not before.havings:
        return _counted_anew(sketch, before, given, lexicon)
    if same and _is_single(before) and not (given.measures and signals.OF_THOSE.match(text)):
        owner = named_in(before, lexicon)
        meaning = replace(sketch.meaning, filters=(*sketch.meaning.filters, *owner)) if owner else None
        return checked(meaning, given, lexicon, (), sketch)
    if same and len(same) == len(sketch.wanted) and not before.measures and not before.groups:
        return _counted(sketch, before, lexicon, text)
    if not (nouns or sketch.wanted or sketch.shown) and YES_NO.match(text):
        asked = tuple(f.field for f in sketch.meaning.filters if f.field.table == own)
        meaning = with_columns(before, asked, lexicon) if asked else None
        return checked(meaning, given, lexicon, (), sketch)
    if not (nouns or sketch.wanted or sketch.shown):
        return _of_those(sketch, before, given, lexicon, text)
    if not shown_key(before, lexicon):
        return None
    columns = sketch.shown and not sketch.wanted and all(f.table == own for f in sketch.shown)
    if columns and before.limit != 1 and not sketch.data("filter"):
        return checked(with_columns(before, tuple(sketch.shown), lexicon), given, lexicon, (), sketch)
    if sketch.wanted and "each" in {word.key for word in sketch.lattice.words}:
        meaning = edits.with_measures(unranked(edits.listed(before, lexicon), sketch), sketch, add=False)
        meaning = meaning or next(iter(alone(sketch, before, own, lexicon)), None)
        meaning = meaning and with_periods(with_filters(meaning, sketch), new_periods(sketch, meaning, lexicon))
        return checked(meaning, before, lexicon, (), sketch)
    each = sketch.wanted and own not in {w.measure.table for w in sketch.wanted} and "their" in text.lower().split()
    adding = each or text.lower().startswith(("show", "list", "add", "give", "and ", "with", "also"))
    split = any(sketch.data(kind) for kind in ("group", "rank", "having"))
    if adding and sketch.wanted and not nouns and not split and before.limit != 1:
        meaning = edits.with_measures(edits.listed(before, lexicon), sketch, add=True)
        new = new_periods(sketch, meaning, lexicon) if meaning else ()
        meaning = meaning and with_periods(with_filters(meaning, sketch), new, beside=tuple(p.field for p in new))
        made = checked(meaning, before, lexicon, (), sketch)
        return made if made.meaning else replace(made, choices=alone(sketch, before, own, lexicon))
    return None


def _counts_more(sketch: Sketch, before: Meaning, lexicon: Lexicon, text: str) -> bool:
    """Whether the count of a metric is asked under one more condition: “how many of those …?”."""
    figure = before.measures[0] if len(before.measures) == 1 and not before.all_groups else None
    metric = figure is not None and figure.function == "metric" and counts(lexicon, figure)
    same = all(figure and wanted.measure == Measure("count", figure.table) for wanted in sketch.wanted)
    return metric and bool(signals.OF_THOSE.match(text)) and same and bool(sketch.meaning.filters)


def _counted_anew(sketch: Sketch, before: Meaning, given: Meaning, lexicon: Lexicon) -> Followed:
    """Count the things shown under new conditions."""
    own = thing(before, lexicon)
    if not _changes(sketch):
        return Followed(None, problem=f"I cannot read this as a condition on the {noun(lexicon, own)}.")
    counted = replace(
        before, columns=(), groups=(), measures=(Measure("count", own),), order=(), distinct=False, fold=None
    )
    changed = with_periods(with_filters(counted, sketch), new_periods(sketch, counted, lexicon))
    return checked(replace(changed, subject=own), given, lexicon, (), sketch)


def _is_single(before: Meaning) -> bool:
    """Whether one row was shown: “how many releases does it have?” then asks of what the row belongs to."""
    return before.limit == 1 or any(among.source.limit == 1 for among in before.among)


def _counted(sketch: Sketch, before: Meaning, lexicon: Lexicon, text: str) -> Followed:
    """“how many of them were hotfixes?”."""
    own = thing(before, lexicon)
    counted = replace(
        before, columns=(), measures=(Measure("count", own),), order=(), limit=None, distinct=False, subject=own
    )
    sketch.wanted = []
    if _changes(sketch):
        return edited(sketch, counted, lexicon, text, add=False)
    return checked(counted, before, lexicon, (), sketch)


def _states(sketch: Sketch, own: str, lexicon: Lexicon) -> None:
    """Read a sometimes empty column as a condition: “which of them are out of service?”."""
    if sketch.wanted or not sketch.shown or any(f.table != own or not lexicon.column(f).nullable for f in sketch.shown):
        return
    held = tuple(Filter(field, "not null", ()) for field in sketch.shown)
    sketch.edit(filters=(*sketch.meaning.filters, *held), columns=())
    sketch.shown = []


def _only_counting(sketch: Sketch) -> bool:
    """Whether only signs of use to a reference are left: how many, in total."""
    left = [
        p.data.sign
        for p in sketch.parts("flag")
        if p.start not in sketch.used and isinstance(p.data, Flag) and p.data.sign in LOUD
    ]
    return not sketch.cover.unread and set(left) <= {"count", "aggregate", "order", "verb"}


def _of_those(sketch: Sketch, before: Meaning, given: Meaning, lexicon: Lexicon, text: str) -> Followed:
    """“which of them are on iOS?”, “how many are that?”, “list them”, “sort them by revenue”."""
    if sketch.flags("who"):
        return Followed(None, problem=f"What do you want to know about {noun(lexicon, thing(before, lexicon))}?")
    counting = bool(sketch.flags("count"))
    fold = before.fold is not None and before.fold.function == "count"
    averaging = sketch.flags("aggregate")
    if averaging and not counting:
        sketch.flag("aggregate")
        return (
            Followed(totalled(before))
            if averaging[0].data.value == "sum"
            else Followed(None, problem=NO_REFERENT.format("that"))
        )
    asks_list = (
        bool(sketch.flags("list"))
        or bool(sketch.flags("who"))
        or text.lower().startswith(("which", "who", "list", "show", "what"))
    )
    meaning: Meaning | None = before
    if asks_list and not counting and not sketch.data("order"):
        meaning = edits.listed(before, lexicon)
    if counting and not before.measures:
        meaning = replace(
            before, columns=(), measures=(Measure("count", before.subject),), order=(), limit=None, distinct=False
        )
    elif counting and before.groups and not fold:
        meaning = totalled(replace(before, limit=None)) if before.havings else None
    if counting:
        sketch.flag("count")
    if meaning is not None and before.limit and asks_list and not sketch.data("order"):
        about = referent(before, lexicon)
        if isinstance(about, Among) and not before.groups:
            meaning = replace(
                edits.listed(replace(before, filters=(), periods=(), limit=None, order=()), lexicon), among=(about,)
            )
    if meaning is None:
        return Followed(None, problem=NO_REFERENT.format("that"))
    return (
        edited(sketch, meaning, lexicon, text, add=False)
        if _changes(sketch)
        else checked(meaning, given, lexicon, (), sketch)
    )


def _says_nothing(sketch: Sketch) -> bool:
    return not (sketch.wanted or sketch.shown or sketch.parts("noun"))


def _changes(sketch: Sketch) -> bool:
    return bool(sketch.meaning.filters) or any(
        sketch.data(kind) for kind in ("filter", "period", "group", "rank", "order", "having", "presence")
    )
