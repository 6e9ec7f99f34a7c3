"""Read questions about the rows behind a figure shown, or about one more figure of its things."""

import re
from dataclasses import replace

from ai.nl2sql.chart.figures import total_of
from ai.nl2sql.chart.parts import Wanted
from ai.nl2sql.checks import complaint
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Among, Field, Filter, Group, Meaning, Measure, Order, Period, Presence
from ai.nl2sql.reading.rows.happenings import days_asked
from ai.nl2sql.reading.sketch import Sketch, many_between
from ai.nl2sql.schema import always_known, display, is_numeric, noun
from ai.nl2sql.spans import DATED
from ai.nl2sql.threads import signals
from ai.nl2sql.threads.edits import listed
from ai.nl2sql.threads.ellipsis import by_thing
from ai.nl2sql.threads.referents import referent, the_one, thing
from ai.nl2sql.words import name_parts, stems

ONE_BY_ONE = "This asks when and who at once; ask for one after the other."
HAVE = re.compile(r"(?:and |so )?how many [\w -]+ (?:do|does|did) (?:they|those|these) have\b", re.IGNORECASE)
PERSONS = frozenset(("he", "she", "his", "her", "him"))  # their day is not that of a place


def whose(sketch: Sketch, before: Meaning, lexicon: Lexicon, text: str) -> Meaning | None:
    """Split the figure by what its rows belong to: “which courses are these?” after sessions by location."""
    nouns = [str(part.data) for part in sketch.parts("noun")]
    others = [part for part in sketch.cover.parts if part.kind not in ("noun", "flag")]
    if not signals.WHICH_THESE.match(text) or len(nouns) != 1 or others or not before.measures or before.limit == 1:
        return None
    if before.fold or nouns[0] in (before.root, thing(before, lexicon)):
        return None
    if before.measures[0].function in ("min", "max"):
        return _of_extreme(before, nouns[0], lexicon)
    return by_thing(before, before.measures, nouns[0], lexicon)


def _of_extreme(before: Meaning, table: str, lexicon: Lexicon) -> Meaning | None:
    """Show the owner of the first or last row: “which client is that for?” after the next hearing."""
    figure, shown = before.measures[0], display(lexicon, table)
    if before.groups or figure.column is None or not shown or figure.per or figure.where:
        return None
    if lexicon.links.path(figure.table, table) is None or many_between(lexicon, figure.table, table):
        return None
    order = (Order(Field(figure.table, figure.column), figure.function == "max"),)
    return replace(before, subject=figure.table, measures=(), columns=tuple(shown), order=order, limit=1)


def rows_behind(meaning: Meaning, before: Meaning, about: Among, text: str) -> Meaning | None:
    """Ask of the rows counted by the values of a column: “those tickets” after tickets by category in October.

    “How many of those” means the rows counted by things, too: after the shop with the most late orders, its late ones.
    """
    by_column = any(Field(group.table, group.column or "") == about.field for group in before.groups)
    counted = signals.OF_THOSE.match(text) and before.groups and before.measures + before.all_measures
    if not (by_column or counted) or before.root != meaning.root or not meaning.measures or before.within:
        return None
    own = {test.field for test in meaning.filters}
    cut = (about,) if before.limit or before.havings or about.source.limit else ()
    return replace(
        meaning,
        filters=(*meaning.filters, *(test for test in before.filters if test.field not in own)),
        periods=meaning.periods or before.periods,
        presences=(*meaning.presences, *before.presences),
        either=(*meaning.either, *before.either),
        among=(*meaning.among, *before.among, *cut),
        keys=meaning.keys or before.keys,
    )


def those_with(meaning: Meaning, before: Meaning, lexicon: Lexicon) -> Meaning | None:
    """List those with rows of a figure, where no figure was asked for: “which of those gave in October?”."""
    figure = meaning.measures[0] if len(meaning.measures) == 1 else None
    rows = listed(before, lexicon)
    if figure is None or meaning.groups or meaning.order or rows.groups or rows.measures or figure.function == "avg":
        return None
    tests: tuple[Filter | Period, ...] = (*meaning.filters, *meaning.periods)
    if figure.table == rows.subject or any(test.field.table != figure.table for test in tests):
        return None
    return replace(rows, presences=(*rows.presences, Presence(figure.table, present=True, where=tests)))


def alone(sketch: Sketch, before: Meaning, own: str, lexicon: Lexicon) -> tuple[Meaning, ...]:
    """Return the new figure of the things shown, without the one before."""
    about, figures = referent(before, lexicon), tuple(wanted.measure for wanted in sketch.wanted)
    if not isinstance(about, Among) or sketch.unread():
        return ()
    order = (Order(figures[0], descending=True),)
    made = Meaning(own, measures=figures, groups=(Group(own),), order=order, among=(about,))
    return (made,) if complaint(made, lexicon) is None else ()


def tested_only(sketch: Sketch, text: str) -> None:
    """Show no column of a condition on rows to be counted: “how many of those want the newsletter?”."""
    held = {test.field for test in sketch.meaning.filters}
    if signals.OF_THOSE.match(text) and sketch.shown and set(sketch.shown) <= held:
        sketch.shown = []
        sketch.edit(columns=())


def figures_of_many(sketch: Sketch, own: str, lexicon: Lexicon) -> None:
    """Ask for the mean or the total of the many numbers of a thing: “and its rating?”."""
    many = [
        f for f in sketch.shown if is_numeric(lexicon, f) and f.table != own and many_between(lexicon, own, f.table)
    ]
    if not many or len(many) < len(sketch.shown) or sketch.wanted:
        return
    sketch.shown, sketch.wanted = [], [Wanted(total_of(field)) for field in many]
    sketch.edit(subject=many[0].table, columns=(), distinct=False, measures=tuple(w.measure for w in sketch.wanted))


def numbers_of_each(sketch: Sketch, before: Meaning, own: str, text: str) -> None:
    """Show the own numbers of each of several rows listed: “how many stars do they have?”."""
    figures = [wanted.measure for wanted in sketch.wanted]
    fields = [Field(own, figure.column or "") for figure in figures if figure.table == own and figure.column]
    is_list = not before.measures and not before.groups and before.limit != 1
    plain = len(fields) == len(figures) and not any(figure.per or figure.where for figure in figures)
    if HAVE.match(text) and is_list and plain and fields and not sketch.meaning.filters:
        sketch.wanted, sketch.shown = [], fields
        sketch.edit(subject=own, columns=tuple(fields), measures=())


def counted_rows(sketch: Sketch, before: Meaning, own: str, text: str, lexicon: Lexicon) -> Meaning | None:
    """Count those rows of a figure by things that meet one more condition: bookings by class, then the no-shows."""
    new = sketch.meaning.filters
    if not signals.OF_THOSE.match(text) or not before.groups or not before.measures:
        return None
    if before.root == own and not any(group.unit for group in before.groups):
        return None
    about = the_one(before, lexicon) if before.limit == 1 and before.groups[0].unit else None
    if (before.limit and not about) or before.havings or before.fold or sketch.unread():
        return None
    if not new or any(test.field.table != before.root for test in new):
        return None
    return replace(
        before,
        subject=before.root,
        measures=(Measure("count", before.root),),
        groups=(),
        columns=(),
        order=(),
        share=False,
        series="",
        limit=None,
        filters=(*before.filters, *new),
        among=(*before.among, about) if about else before.among,
    )


def guessed_elsewhere(sketch: Sketch, own: str) -> str:
    """Return the guess about a word that tells of other things than those shown; "" for none."""
    tables = {test.field.table for test in sketch.meaning.filters} | {each.table for each in sketch.meaning.presences}
    tables |= {field.table for field in sketch.shown}
    return next((note for note in sketch.notes if "was read as" in note), "") if tables - {own} else ""


def _days_named(sketch: Sketch, own: str, lexicon: Lexicon) -> list[Field]:
    """“when were they built”: the column that says so, be it a mere year."""
    said = {word.stem for word in sketch.lattice.words}
    columns = [column for column in lexicon.table(own).columns if said & set(stems(name_parts(column.name)))]
    dated = [column for column in columns if column.kind in DATED or "year" in name_parts(column.name)]
    return [Field(own, column.name) for column in dated]


def when_shown(sketch: Sketch, before: Meaning, own: str, lexicon: Lexicon) -> None:
    """“when was that released?” asks for the day of the thing."""
    if sketch.flags("when") and not sketch.shown:
        fields = _days_named(sketch, own, lexicon) or days_asked(before, own, lexicon)
        if not PERSONS & {word.key for word in sketch.lattice.words}:
            fields = always_known(lexicon, fields) or fields
        if len(fields) == 1:
            sketch.shown.append(fields[0])
            sketch.flag("when")
            sketch.edit(subject=own, columns=(fields[0],), measures=(), groups=(), distinct=False)
            sketch.problems = [p for p in sketch.problems if "when" not in p]


def of_far_rows(sketch: Sketch, own: str, lexicon: Lexicon) -> str:
    """Say where a condition is of other rows: “which of them are in Germany” of customers, where suppliers are."""
    for test in sketch.meaning.filters:
        far = test.field.table
        steps = lexicon.links.path(own, far) if far not in (own, "") and test.operator == "=" else None
        if steps and len(steps) > 1 and many_between(lexicon, own, far):
            said, whose = test.values[0], noun(lexicon, far)
            return f"“{said}” is told of {whose}, not of {noun(lexicon, own)}; name the {whose} if you mean it."
    return ""


def behind_values(before: Meaning, sketch: Sketch) -> Among | None:
    """Return the rows counted, in place of the values they were split by, where a figure belongs to such rows.

    “the average bill for those” after visits of rabbits by reason is of these visits, and not of all with such reasons.
    """
    lexicon, root = sketch.lexicon, before.root
    figures = [wanted.measure.table for wanted in sketch.wanted if wanted.measure.table != root]
    keys = lexicon.table(root).primary_key if root else ()
    whole = len(before.groups) == 1 and before.groups[0].column and not (before.limit or before.havings or before.fold)
    way = lexicon.links.path(figures[0], root) if len(figures) == 1 and len(keys) == 1 else None
    narrowed = bool(before.filters or before.periods) and not sketch.parts("attribute")
    if not whole or not narrowed or not way or any(link.many for link in way):
        return None
    key = Field(root, keys[0])
    return Among(key, replace(before, groups=(), measures=(), columns=(key,), order=(), share=False, series=""))
