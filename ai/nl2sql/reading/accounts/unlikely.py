"""Checks for unlikely readings: one end of two, the days of another thing, the number of a thing named."""

import re
from itertools import pairwise

from ai.nl2sql.chart.parts import Part, Rank, Wanted, When
from ai.nl2sql.joins import turns
from ai.nl2sql.meaning import Field, Filter, Measure
from ai.nl2sql.reading.accounts.elsewhere import place_of_another
from ai.nl2sql.reading.sketch import Sketch, many_between
from ai.nl2sql.schema import days, display, is_numeric, noun, title
from ai.nl2sql.spans import DATED
from ai.nl2sql.values import TERMS, is_month
from ai.nl2sql.vocabulary import is_kind
from ai.nl2sql.words import name_parts

OF_EVENTS = 2.0
OF_ITSELF = 1.2  # what it costs to group a figure by its own column
PEOPLE = frozenset({"people", "persons", "humans", "men", "women"})
WORKING = frozenset("work works working worked".split())
COUNTED = frozenset({"noun", "measure", "attribute", "filter", "ratio", "presence"})
EACH = re.compile(r"\b(?:each|every)\b(?P<has> (?:ha(?:s|ve|d)|gets?|got|ma[dk]es?|sells?|sold)\b)?")
BOTH_ENDS = "Ask for the lowest and the highest one after the other."


def _one_end(sketch: Sketch) -> None:
    """“smallest and largest bill”: two ranks are no single one."""
    ranks = [part.data for part in sketch.parts("rank") if isinstance(part.data, Rank)]
    ranks = [rank for rank in ranks if rank.key or (rank.limit or 1) == 1]  # “worst rated, top 5”
    if len({rank.descending for rank in ranks}) > 1 and len(sketch.meaning.all_measures) < len(ranks):
        sketch.doubt(BOTH_ENDS)


def _months_of_another(sketch: Sketch) -> None:
    """“data used in October”: rows with a month of their own are not of the days of their parents."""
    for table in {measure.table for measure in sketch.meaning.all_measures}:
        others = [period for period in sketch.meaning.periods if period.field.table != table]
        own = next((c.name for c in sketch.lexicon.table(table).columns if is_month(c)), "") if others else ""
        if own:
            sketch.doubt(f"I cannot read the {title(Field(table, own))} of {noun(sketch.lexicon, table)} as a time.")


def _days_counted(sketch: Sketch) -> None:
    """“visitors” are no rows with a visit date."""
    for part in sketch.parts("measure"):
        tests = part.data.filters if isinstance(part.data, Wanted) else ()
        held = [sketch.lexicon.column(test.field) for test in tests if test.operator == "not null"]
        if any(column.kind in DATED and (part.note or not column.nullable) for column in held):
            sketch.doubt(f"I cannot tell what “{part.said}” counts here.")


def _newest_kind(sketch: Sketch) -> None:
    """“newest acquisition” is no kind of acquisition."""
    meaning = sketch.meaning
    ranks = [part.data for part in sketch.parts("rank") if isinstance(part.data, Rank)]
    keys = [rank.key for rank in ranks if isinstance(rank.key, Field)]
    if not meaning.limit or not keys or sketch.lexicon.column(keys[0]).kind not in DATED or sketch.parts("noun"):
        return
    for part in sketch.parts("attribute"):
        if isinstance(part.data, Field) and _is_kind(part.said, part.data, sketch):
            sketch.doubt(f"I cannot tell what “{part.said}” names here; say what you want to see.")


def _is_kind(said: str, field: Field, sketch: Sketch) -> bool:
    """Whether a part of a column's name is said, and the column tells kinds."""
    is_part = len(said.split()) < len(name_parts(field.column))
    is_name = field in display(sketch.lexicon, field.table)
    return is_part and not is_name and len(sketch.lexicon.column(field).values) > 1


def _asked_beside(sketch: Sketch) -> None:
    """“which doctors joined and where are they based” asks twice; the second question is not passed over."""
    words = sketch.lattice.words
    read = {at for part in sketch.cover.parts for at in range(part.start, part.end) if part.kind != "flag"}
    for at in range(2, len(words) - 1):
        if words[at].key == "where" and words[at - 1].key == "and" and not read & {*range(at, len(words))}:
            sketch.doubt(f"“{sketch.lattice.text(at, len(words))}” is a question of its own; ask it after this one.")


def _days_of_parent(sketch: Sketch) -> None:
    """Doubt “claims opened this year” where only the branches of claims have a day called so."""
    named = {str(part.data) for part in sketch.parts("noun")}
    named |= {test.field.table for test in sketch.meaning.filters} | {wanted.measure.table for wanted in sketch.wanted}
    for part in sketch.parts("period"):
        field = part.data.field if isinstance(part.data, When) else None
        told = field is not None and field.table not in named and not sketch.data("group") and bool(named)
        ways = [sketch.lexicon.links.path(table, field.table) for table in named] if told and field else []
        above = any(way and not any(link.many for link in way) for way in ways)
        if above and field and any(days(sketch.lexicon, table) for table in named):
            sketch.doubt(f"“{title(field)}” is a day of {noun(sketch.lexicon, field.table)}; name the day you mean.")


def _per_number(sketch: Sketch) -> None:
    """“reviews per 1000 installs” is no condition."""
    for part in sketch.parts("filter"):
        before = sketch.lattice.words[part.start - 1].key if part.start else ""
        if before == "per" or part.said.lower().startswith("per "):
            sketch.doubt(f"I cannot compute a figure per {part.said.removeprefix('per ')}; ask for both figures.")


def _grouped_by_own(sketch: Sketch) -> None:
    """“ratings by stars” are counted, no average of stars."""
    groups = {Field(group.table, group.column) for group in sketch.meaning.groups if group.column and not group.unit}
    for measure in sketch.meaning.measures:
        own = {field for field in groups if field.table == measure.table and _is_made_of(sketch, measure, field.column)}
        sketch.cost += OF_ITSELF * bool(own and not sketch.flags("share"))


def _rows_left_out(sketch: Sketch) -> None:
    """“apps with 100 reviews by rating” tells of apps, not of the reviews of each rating."""
    meaning = sketch.meaning
    first = next(iter(sketch.parts("noun")), None)
    counted = meaning.all_measures and all(measure.function == "count" for measure in meaning.all_measures)
    if first and counted and meaning.groups:
        seen = meaning.changed(subject="").tables | {presence.table for presence in meaning.presences}
        sketch.cost += OF_ITSELF * (str(first.data) not in seen)


def _is_made_of(sketch: Sketch, measure: Measure, column: str) -> bool:
    metric = sketch.lexicon.metric_of(measure)
    if metric is None:
        return measure.column == column and measure.function != "count"
    return re.fullmatch(rf"\w+\(\s*{re.escape(column)}\s*\)", metric.expression, re.IGNORECASE) is not None


def _active_by_time(sketch: Sketch) -> None:
    """Doubt “monthly active users” that nobody defined: they are none of those who joined in a month."""
    said = {(one.key, other.key) for one, other in pairwise(sketch.lattice.words)}
    term = next((one for one, other in said if one in TERMS and other == "active"), "")
    counted = all(measure.function == "count" for measure in sketch.meaning.all_measures)
    stated = any("active" in test.values for test in sketch.meaning.filters)
    if term and counted and stated and any(group.unit for group in sketch.meaning.groups):
        sketch.doubt(
            f"Nobody defined what “{term} active” is; say by what they are active, such as “users with orders”."
        )


def _place_of_another(sketch: Sketch) -> None:
    """“installs outside Europe” are not of the region of teams."""
    if why := place_of_another(sketch, sketch.meaning.all_measures):
        sketch.doubt(why)


def _unread_one(sketch: Sketch) -> None:
    """“one star reviews” are those of one star, and not all with their stars."""
    words, read = sketch.lattice.words, {at for part in sketch.cover.parts for at in range(part.start, part.end)}
    for part in sketch.parts("attribute"):
        before = words[part.start - 1] if part.start else None
        counted = before is not None and before.key == "one" and part.start - 1 not in read
        if counted and isinstance(part.data, Field) and is_numeric(sketch.lexicon, part.data):
            sketch.cost += OF_ITSELF


def _did_events(sketch: Sketch) -> None:
    """“members who visited last month” did not join then: the verb names events of theirs."""
    meaning, lexicon = sketch.meaning, sketch.lexicon
    spoken = meaning.tables | {there.table for there in meaning.presences}
    if not any(period.field.table == meaning.root for period in meaning.periods) or not display(lexicon, meaning.root):
        return
    for part in sketch.flags("verb"):
        tables = (i.sense.table for i in sketch.lattice.at(part.start, "table") if i.sense and i.end == part.end)
        if any(table not in spoken and many_between(lexicon, meaning.root, table) for table in tables):
            sketch.cost += OF_EVENTS


def _by_days_of_many(sketch: Sketch) -> None:
    """“on which day do we get most reviews” goes by no day of another table with many rows for each review."""
    keys_of = [order.key for order in sketch.meaning.order if isinstance(order.key, Measure)]
    for measure in (*sketch.meaning.all_measures, *keys_of):
        for group in sketch.meaning.all_groups:
            dated = group.column and sketch.lexicon.column(Field(group.table, group.column)).kind in DATED
            if dated and many_between(sketch.lexicon, measure.table, group.table):
                things, others = noun(sketch.lexicon, measure.table), noun(sketch.lexicon, group.table)
                sketch.doubt(f"A day of {others} says nothing of {things}.")
                return


def _absent_elsewhere(sketch: Sketch) -> None:
    """“countries without reviews”: values of one table say nothing of rows that only share a parent with it."""
    meaning = sketch.meaning
    for presence in meaning.presences:
        path = sketch.lexicon.links.path(meaning.root, presence.table) or ()
        unsaid = bool(meaning.measures) and len(path) > 1 and presence.table not in sketch.lattice.named
        if unsaid or (turns(path) and meaning.columns and not display(sketch.lexicon, meaning.root)):
            rows, others = noun(sketch.lexicon, meaning.root), noun(sketch.lexicon, presence.table)
            sketch.doubt(f"I cannot tell which {rows} have {others} and which not.")


def _one_for_each(sketch: Sketch) -> None:
    """“first release of each web app” is not the first of all."""
    meaning, said = sketch.meaning, " ".join(word.key for word in sketch.lattice.words)
    split = any({"each", "every"} & {*part.said.lower().split()} for part in sketch.parts("group"))
    each = EACH.search(said)
    if (
        each
        and (meaning.limit == 1 or (each["has"] and meaning.measures))
        and not (meaning.within or (meaning.all_groups and not split) or meaning.fold)
    ):
        sketch.doubt("I cannot read this for each one; ask for a figure of each, or name one of them.")


def _whole_group(sketch: Sketch) -> None:
    """“5 star share for iOS vs Android”: the share of iOS among what is on iOS is all of it."""
    groups = {Field(group.table, group.column) for group in sketch.meaning.all_groups if group.column}
    for measure in sketch.meaning.all_measures:
        parts = {test.field for test in measure.where if isinstance(test, Filter)}
        if measure.per and parts and parts <= groups:
            sketch.doubt("I cannot tell which share this asks for; name the part and the whole.")


def _people_counted(sketch: Sketch) -> None:
    """“how many people work on Gabbro” counts people, not what else is named."""
    words = sketch.lattice.words
    counting = [part for part in sketch.cover.parts if part.kind in COUNTED]
    if WORKING & {word.key for word in words} and is_kind(sketch.meaning.root, "people") and sketch.meaning.filters:
        return  # “people work in support”, of the agents
    for at, (before, word) in enumerate(pairwise(words), 1):
        over = [part for part in counting if part.start <= at < part.end]
        read = any(part.start == at or part.end == at + 1 or not (_counts_values(part) or _over(part)) for part in over)
        if word.key in PEOPLE and before.key in ("many", "of") and not read:
            sketch.doubt(f"I cannot tell which {word.text} this counts; name what to count.")


def _first_of_one(sketch: Sketch) -> None:
    """“when did we last ship Gabbro” is not of the latest app among those called Gabbro."""
    meaning = sketch.meaning
    own = display(sketch.lexicon, meaning.root) if meaning.limit == 1 and meaning.order else ()
    by = meaning.order[0].key if meaning.order else None
    dated = isinstance(by, Field) and by.table == meaning.root and sketch.lexicon.column(by).kind in DATED
    named = [test for test in meaning.filters if test.field in own and test.operator == "=" and len(test.values) == 1]
    if dated and named:
        sketch.doubt(f"“{named[0].values[0]}” is only one, so none is the first or the last.")


def _made_by_itself(sketch: Sketch) -> None:
    """“albums by Iron Maiden” are those of the band, not the one called so."""
    own = {field for part in sketch.parts("noun") for field in display(sketch.lexicon, str(part.data))}
    for part in sketch.parts("filter"):
        before = sketch.lattice.words[part.start - 1].key if part.start else ""
        titles = all(test.field in own or name_parts(test.field.column)[-1] == "title" for test in part.data)
        sketch.cost += OF_ITSELF * (before == "by" and titles)


def _per_unnamed_row(sketch: Sketch) -> None:
    """“countries where Gabbro has more installs than Pingo” splits nothing by rows that nobody can name."""
    for group in sketch.meaning.groups:
        unnamed = group.column is None and not display(sketch.lexicon, group.table)
        if unnamed and len(sketch.lexicon.table(group.table).primary_key) > 1:
            sketch.doubt(f"I cannot tell one of the {noun(sketch.lexicon, group.table)} from another; name a column.")


def _names_of_another(sketch: Sketch) -> None:
    """“menu item names” are not the names of restaurants."""
    things = {part.end: str(part.data) for part in sketch.parts("noun")}
    for part in sketch.parts("attribute"):
        field, before = part.data, things.get(part.start)
        own = isinstance(field, Field) and field in display(sketch.lexicon, field.table) and part.end == part.start + 1
        sketch.cost += OF_ITSELF * bool(own and before and before != field.table)


def _over(part: Part) -> bool:
    """Whether other words than “are there” stand between “how many” and what is counted: “people work in team”."""
    return isinstance(part.data, Wanted) and part.data.measure.function == "count" and part.end > part.start + 3


def _counts_values(part: Part) -> bool:
    return isinstance(part.data, Wanted) and bool(part.data.filters)


UNLIKELY = (
    _names_of_another,
    _per_unnamed_row,
    _made_by_itself,
    _people_counted,
    _first_of_one,
    _whole_group,
    _one_for_each,
    _by_days_of_many,
    _absent_elsewhere,
    _active_by_time,
    _place_of_another,
    _grouped_by_own,
    _rows_left_out,
    _per_number,
    _days_of_parent,
    _asked_beside,
    _one_end,
    _months_of_another,
    _days_counted,
    _newest_kind,
    _unread_one,
    _did_events,
)
