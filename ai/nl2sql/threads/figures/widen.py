"""Take conditions back: “for all countries”, “drop the health filter”."""

import re
from dataclasses import replace

from ai.nl2sql.chart.figures import additive
from ai.nl2sql.checks import complaint
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Filter, Group, Meaning, Measure, Order
from ai.nl2sql.reading.sketch import counts
from ai.nl2sql.schema import display, names_of, noun, title
from ai.nl2sql.threads import signals
from ai.nl2sql.threads.change import edited
from ai.nl2sql.threads.edits import defining
from ai.nl2sql.threads.fragments import Sketches, best_of, fragment
from ai.nl2sql.threads.steps import CONTINUES_NOTHING, Followed
from ai.nl2sql.words import keys, singular

WHICH_SHARE = "Say what the share is of, such as “what share of revenue is from Berlin?”."
NO_SHARE = "A share needs a figure that adds up, and this one does not."


def lifted(what: str, before: Meaning) -> Followed:
    """Take back the condition named by its column or its value; the only one where none is named."""
    said = {singular(word) for word in keys(what)} - {"on", "to", "for", "about", "the"}
    found = before.filters if not said else tuple(f for f in before.filters if said & _words_of(f))
    of_time = said & {"date", "time", "period"} or not (before.filters or said)
    if of_time and before.periods:
        return Followed(replace(before, periods=()))
    if len(found) == 1 or (not said and found):
        return Followed(replace(before, filters=tuple(f for f in before.filters if f not in found)))
    named = " or ".join(title(f.field) for f in (found or before.filters))
    return Followed(
        None, problem=f"Which condition shall go: {named}?" if named else "There is no condition to leave out."
    )


def _undefined_count(before: Meaning, lexicon: Lexicon) -> Meaning:
    """Return a defined count as one of its rows under the conditions of its definition, where those are simple."""
    tests = defining(before, lexicon) if before.measures and counts(lexicon, before.measures[0]) else ()
    if not tests:
        return before
    plain = before.exchanged(before.measures[0], Measure("count", before.root))
    return replace(plain, filters=tuple(dict.fromkeys((*plain.filters, *tests))))


def share_of(what: str, before: Meaning, lexicon: Lexicon, read: Sketches) -> Followed | None:
    """Divide a count by that of all its rows: “as a percentage of all payments” after the failed ones."""
    found = best_of(read, what)
    tables = {str(part.data) for part in found.parts("noun")} if found and not found.unread() else set()
    before = _undefined_count(before, lexicon)
    whole = before.measures[0] if len(before.measures) == 1 else None
    if whole is None or whole.function != "count" or whole.per or tables != {whole.table}:
        return None
    own = tuple(test for test in before.filters if test.field.table == whole.table)
    base = replace(whole, where=())
    part = replace(base, where=(*whole.where, *own), per=base)
    kept = tuple(test for test in before.filters if test not in own)
    return Followed(replace(before, measures=(part,), filters=kept, order=())) if part.where else None


def share_of_each(found: re.Match[str], before: Meaning, lexicon: Lexicon, read: Sketches) -> Followed | None:
    """Divide a count within its groups: “as percent of all trips of the line” after the cancelled ones per line."""
    named = best_of(read, f"by {found['each'] or found['of']}")
    groups = {group for each in named.data("group") for group in each} if named and not named.unread() else set()
    if not before.groups or not groups or not {group.table for group in groups} <= {g.table for g in before.groups}:
        return None
    return share_of(found["all"] or noun(lexicon, before.root), before, lexicon, read)


def beside_others(what: str, before: Meaning, lexicon: Lexicon, read: Sketches) -> Followed | None:
    """Show the figure of one thing beside that of the others: “compared to the other hotels”."""
    found = best_of(read, f"by {what}")
    groups = tuple(group for each in found.data("group") for group in each) if found and not found.unread() else ()
    if len(groups) != 1 or groups[0].unit or not before.measures or before.fold:
        return None
    names = (*names_of(groups[0], lexicon), *(Field(groups[0].table, key) for key in _keys(groups[0], lexicon)))
    filters = tuple(test for test in before.filters if test.field not in names)
    among = tuple(each for each in before.among if each.field not in names)
    if (filters, among) == (before.filters, before.among):
        return None
    order = (Order(before.measures[0], descending=True),)
    return Followed(replace(before, filters=filters, among=among, groups=groups, order=order, limit=None, offset=0))


def _keys(group: Group, lexicon: Lexicon) -> tuple[str, ...]:
    return lexicon.table(group.table).primary_key if group.column is None else ()


def part_of(what: str, before: Meaning, lexicon: Lexicon, read: Sketches) -> Followed | None:
    """Divide a figure of some rows by that of all: “what share is iOS?” after revenue by platform."""
    found = best_of(read, what)
    whole = before.measures[0] if len(before.measures) == 1 else None
    if whole is not None and whole.per is not None and replace(whole, where=(), per=None) == whole.per:
        whole = whole.per  # a share already, now of other rows
    if found is None or found.unread() or whole is None or whole.per or before.fold or not fragment(found):
        return None
    new = found.meaning.filters
    if not new or found.meaning != replace(found.meaning, periods=(), groups=(), measures=()):
        return None
    if not additive(lexicon, whole):
        return Followed(None, problem=NO_SHARE)
    if {test.field for test in new} & {f.field for f in before.filters}:
        return Followed(None, problem=WHICH_SHARE)
    part = replace(whole, where=(*whole.where, *new), per=whole)
    return Followed(
        replace(before, measures=(part,), groups=(), order=(), limit=None, offset=0, share=False, series="", within=())
    )


def _words_of(test: Filter) -> set[str]:
    words = (*keys(title(test.field)), *(word for value in test.values for word in keys(str(value))))
    return {singular(word) for word in words}


def widened(text: str, what: str, before: Meaning, lexicon: Lexicon, read: Sketches) -> Followed:
    """“for all countries”: the condition on them goes; the rest of the message is an edit of its own."""
    rest = signals.ALL_OF.sub("", text).strip(" ,.!?")
    found = best_of(read, f"list {what}")
    fields = {f for part in (found.cover.parts if found else ()) if isinstance(f := part.data, Field)}
    tables = {str(part.data) for part in (found.parts("noun") if found else ())}
    gone = tuple(
        f for f in before.filters if any(f.field.column == w.column for w in fields) or f.field.table in tables
    )
    if not gone and not rest.removesuffix("again"):
        return Followed(before, (f"there is no condition on {what}",))
    if not gone:
        each = _each_such(text, before, lexicon, read)
        return each or Followed(None, problem=f"There is no condition on {what} to leave out.")
    meaning = replace(before, filters=tuple(f for f in before.filters if f not in gone))
    if not rest:
        return Followed(meaning)
    sketch = best_of(read, signals.STRIPPED.sub("", rest + " "))
    if sketch is None:
        return Followed(None, problem=CONTINUES_NOTHING)
    if (sketch.data("order") or sketch.data("rank")) and meaning.measures and not meaning.groups:
        meaning = _by_each(gone[0].field, meaning, lexicon)
    return edited(sketch, meaning, lexicon, rest, add=False)


def _each_such(text: str, before: Meaning, lexicon: Lexicon, read: Sketches) -> Followed | None:
    """Show a figure of one thing for each of others: “for all finance apps” after that of Gabbro."""
    said = signals.ALL_OF.search(text)
    found = best_of(read, f"list {text[said.start('what') :].strip(' .!?')}") if said else None
    if found is None or found.unread() or found.problems or not found.meaning.filters or found.meaning.measures:
        return None
    own = found.meaning.subject
    names = tuple(test for test in before.filters if test.field in display(lexicon, own))
    if not names or not before.measures or before.groups or before.fold:
        return None
    kept = tuple(test for test in before.filters if test not in names)
    order = (Order(before.measures[0], descending=True),)
    made = replace(before, filters=(*kept, *found.meaning.filters), groups=(Group(own),), order=order)
    return Followed(made) if complaint(made, lexicon) is None else None


def _by_each(field: Field, meaning: Meaning, lexicon: Lexicon) -> Meaning:
    """Split a figure by what its condition picked: “all products, best first” after that of one."""
    named = field in display(lexicon, field.table)
    group = Group(field.table) if named else Group(field.table, field.column)
    return replace(meaning, groups=(group,), order=(Order(meaning.measures[0], descending=True),))
