"""The columns a list shows of its rows, and the other things named beside them."""

from ai.nl2sql.chart.figures import total_of
from ai.nl2sql.chart.parts import Part
from ai.nl2sql.meaning import Field, Filter, Group, Measure
from ai.nl2sql.reading.rows.counting import number_or_amount
from ai.nl2sql.reading.shape import referred
from ai.nl2sql.reading.sketch import Sketch, many_between
from ai.nl2sql.schema import days, display, is_numeric, noun, referred_table, telling
from ai.nl2sql.spans import DATED
from ai.nl2sql.values import truths
from ai.nl2sql.words import is_participle, name_parts

BEING = frozenset({"are", "is", "were", "was"})
MOST_TOLD = 3  # columns that tell rows apart
NUMBERED = frozenset({"id", "ids", "code", "codes", "number", "numbers"})


def listed(sketch: Sketch) -> None:
    """Show the columns named, of the rows or of the groups."""
    lexicon = sketch.lexicon
    _figure_of_listed(sketch)
    _day_of_rows(sketch)
    _number_of_listed(sketch)
    meaning = sketch.meaning
    if not sketch.shown:
        return
    _happened(sketch)
    if _told_with(sketch):
        return
    if not meaning.all_measures:
        sketch.edit(columns=tuple(dict.fromkeys((*_named_before(sketch), *sketch.shown))))
        if meaning.groups:
            _listed_groups(sketch)
        return
    entities = {group.table for group in meaning.all_groups if group.column is None}
    keys = {Field(g.table, g.column) for g in meaning.all_groups if g.column}
    loose = [f for f in sketch.shown if f.table not in entities and f not in keys]
    own = tuple(f for f in sketch.shown if f.table in entities)
    if loose and not meaning.groups and sketch.wanted and not meaning.limit:
        _grouped_by_shown(sketch, loose)
        return
    if loose:
        numbers = [f for f in loose if is_numeric(lexicon, f) and meaning.groups]
        if len(numbers) < len(loose):
            sketch.doubt("I cannot show these columns beside that figure.")
            return
        more = tuple(total_of(f) for f in numbers)
        sketch.edit(measures=(*meaning.measures, *more))
    sketch.edit(columns=tuple(dict.fromkeys((*_named_before(sketch), *own))) if own else ())


def _happened(sketch: Sketch) -> None:
    """“which rep left and when”."""
    if not sketch.flags("when") or sketch.lattice.words[0].key == "when":
        return
    for part in sketch.parts("attribute"):
        word = sketch.lattice.words[part.start].key
        done = part.data in sketch.shown and part.end == part.start + 1 and is_participle(word)
        column = sketch.lexicon.column(part.data) if done else None
        if column and column.kind in DATED and column.nullable:
            filled = Filter(part.data, "not null")
            sketch.edit(filters=tuple(dict.fromkeys((*sketch.meaning.filters, filled))))


def _told_with(sketch: Sketch) -> bool:
    """“overdue services with plate”: rows without a name, each with the column of what it belongs to."""
    meaning, noun_said = sketch.meaning, next(iter(sketch.parts("noun")), None)
    column = next(iter(sketch.parts("attribute")), None)
    if noun_said is None or column is None or meaning.all_measures or meaning.groups or meaning.limit:
        return False
    rows = str(noun_said.data)
    beside = 0 < noun_said.end < column.start and "with" in {
        word.key for word in sketch.lattice.words[noun_said.end : column.start]
    }
    apart = all(not many_between(sketch.lexicon, rows, f.table) for f in sketch.shown if f.table != rows)
    numbers = all(f.table != rows or is_numeric(sketch.lexicon, f) for f in sketch.shown)
    if not beside or not apart or not numbers or display(sketch.lexicon, rows) or not days(sketch.lexicon, rows):
        return False
    named = telling(sketch.lexicon, rows)[:MOST_TOLD]
    sketch.edit(subject=rows, columns=tuple(dict.fromkeys((*named, *sketch.shown))), distinct=False)
    return True


def _day_of_rows(sketch: Sketch) -> None:
    """“who left this year? name and date”: the day asked about, or the only one of the rows."""
    meaning = sketch.meaning
    said = [part for part in sketch.flags("unit") if part.said.lower() in ("date", "dates", "day")]
    if not said or meaning.all_measures or meaning.groups or not (sketch.shown or meaning.order):
        return
    asked = [period.field for period in meaning.periods] or [o.key for o in meaning.order if isinstance(o.key, Field)]
    table = sketch.shown[0].table if sketch.shown else meaning.subject
    fields = [f for f in asked if f.table == table and sketch.lexicon.column(f).kind in DATED] or days(
        sketch.lexicon, table
    )
    if len(fields) == 1:
        sketch.used |= {part.start for part in said}
        sketch.shown.append(fields[0])


def _number_of_listed(sketch: Sketch) -> None:
    """“number, date and amount”: the number of each row of a list."""
    meaning = sketch.meaning
    flags = [part for part in sketch.flags("count") if part.said.lower() in ("number", "numbers")]
    if not flags or not meaning.subject or meaning.measures or meaning.groups or not (sketch.shown or meaning.order):
        return
    columns = sketch.lexicon.table(meaning.subject).columns
    fields = [
        Field(meaning.subject, c.name) for c in columns if name_parts(c.name)[-1:] in (("no",), ("nr",), ("number",))
    ]
    if len(fields) == 1:
        sketch.used |= {part.start for part in flags}
        sketch.shown.insert(0, fields[0])


def _figure_of_listed(sketch: Sketch) -> None:
    """“list apps with revenue”: a figure after the things listed is one of each of them."""
    meaning = sketch.meaning
    first = next(iter(sketch.parts("noun")), None)
    plain = meaning.measures and not meaning.groups and not meaning.fold and not meaning.order
    if first is None or not plain:
        return
    measure, table = meaning.measures[0], str(first.data)
    theirs = {word.key for word in sketch.lattice.words[first.end :]} & {"their", "its"}
    if not sketch.flags("list") and not (theirs and not sketch.flags("count")):
        return
    later = [
        p
        for p in sketch.cover.parts
        if p.kind in ("measure", "attribute") and p.start > first.start and measure.table in p.tables
    ]
    if (
        later
        and table != measure.table
        and not many_between(sketch.lexicon, measure.table, table)
        and sketch.lexicon.links.path(measure.table, table)
    ):
        sketch.edit(groups=(Group(table),))


def _named_before(sketch: Sketch) -> tuple[Field, ...]:
    """“apps with their price”: the names of the rows stand beside their other columns."""
    first = next((part for part in sketch.parts("attribute") if part.data == sketch.shown[0]), None)
    if first is None:
        return ()
    named = [part for part in sketch.parts("noun") if part.data == sketch.shown[0].table]
    facts = any(is_numeric(sketch.lexicon, f) or sketch.lexicon.column(f).kind in DATED for f in sketch.shown)
    before = [part for part in named if part.start < first.start or facts]
    before += _described(sketch, first)
    before += [part for part in sketch.parts("rank") if part.said.lower().split()[-1:] in (["one"], ["ones"])]
    shown = display(sketch.lexicon, sketch.shown[0].table)
    return shown if before or (sketch.shown[0] in shown and _whole_name(sketch, first.said)) else ()


def _described(sketch: Sketch, column: Part) -> list[Part]:
    """“games with their price”: the rows named by a value, in the place of a noun."""
    word = sketch.lattice.words[column.start - 1].key if column.start else ""
    if word not in ("with", "their", "its"):
        return []
    kinds = [part for part in sketch.parts("filter") if part.end in (column.start - 1, column.start - 2)]
    return [part for part in kinds if all(test.field.table == sketch.shown[0].table for test in part.data)]


def _whole_name(sketch: Sketch, said: str) -> bool:
    """Whether “name” stands for all columns of the name, such as first and last name."""
    return said.lower() in ("name", "names") and bool(sketch.shown)


def _grouped_by_shown(sketch: Sketch, loose: list[Field]) -> None:
    """“each country and the number of its singers”: the columns named are the groups."""
    lexicon = sketch.lexicon
    if _only_those_so(sketch, loose):
        return
    named = [f for f in loose if f in display(lexicon, f.table) or f.column in lexicon.table(f.table).primary_key]
    tables = {f.table for f in loose}
    nouns = {str(part.data) for part in sketch.parts("noun")}
    if (
        len(tables) == 1
        and (named or tables & nouns)
        and not any(m.measure.table in tables and m.measure.column is None for m in sketch.wanted)
    ):
        names = _named_before(sketch) if all(f.table == loose[0].table for f in sketch.shown) else ()
        sketch.edit(groups=(Group(loose[0].table),), columns=tuple(dict.fromkeys((*names, *loose))))
    elif sketch.wanted and all(not is_numeric(lexicon, f) or _of_counted(sketch, f) for f in loose):
        sketch.edit(groups=tuple(dict.fromkeys(referred(sketch, Group(f.table, f.column)) for f in loose)))
        own_keys = [f for f in loose if (found := referred_table(lexicon, f)) and found.name == f.table]
        if own_keys or any(lexicon.column(f).kind in DATED for f in loose):
            sketch.doubt("I cannot show these columns beside that figure.")
        _kind_by_key(sketch, loose)
        sketch.cost += 0.2 if sketch.flag("each") else 0.6
    else:
        sketch.doubt("I cannot show these columns beside that figure.")


def _kind_by_key(sketch: Sketch, fields: list[Field]) -> None:
    """Doubt “how many of those are gifts” where only a key is called so in part: `gift_payer_id`."""
    for part in sketch.parts("attribute"):
        before = sketch.lattice.words[part.start - 1].key if part.start else ""
        if part.data in fields and before in BEING and referred_table(sketch.lexicon, part.data):
            sketch.doubt(f"I cannot tell which {noun(sketch.lexicon, part.data.table)} are “{part.said}”.")


def _only_those_so(sketch: Sketch, fields: list[Field]) -> bool:
    """“how many customers opted in to the newsletter”: a yes or no is a condition."""
    said = {word.key for word in sketch.lattice.words}
    asked = sketch.lattice.words[0].key == "how" and not said & {"or", "and", "whether", "each", "their"}
    if not asked or len(set(fields)) != 1 or not _of_counted(sketch, fields[0]):
        return False
    true = [value for value, truth in truths(sketch.lexicon.column(fields[0])) if truth]
    if true:
        sketch.edit(filters=(*sketch.meaning.filters, Filter(fields[0], "=", (true[0],))))
    return bool(true)


def _of_counted(sketch: Sketch, field: Field) -> bool:
    """Whether the rows of a column are counted: “all ages and the number of students”."""
    return all(w.measure.function == "count" and w.measure.table == field.table for w in sketch.wanted)


def _listed_groups(sketch: Sketch) -> None:
    """“the name of each singer” is a list; “price by category” needs a figure."""
    meaning, lexicon = sketch.meaning, sketch.lexicon
    if all(group.column is None for group in meaning.groups):
        shown = {field.table for field in meaning.columns}
        names = set(display(lexicon, sketch.target.table)) if sketch.target else set()
        apart = not shown & {group.table for group in meaning.groups} and set(meaning.columns) <= names
        if apart and sketch.target and sketch.target.column is None:
            sketch.edit(columns=(), measures=(Measure("count", sketch.target.table),))
            return
        if any(part.said.lower().startswith("by ") and not part.tables <= shown for part in sketch.parts("group")):
            sketch.doubt("I cannot tell which figure is wanted for each group.")
        told = [f for f in meaning.columns if is_numeric(lexicon, f) or lexicon.column(f).kind in DATED]
        called = display(lexicon, meaning.groups[0].table) if told and meaning.groups[0].table in shown else ()
        sketch.edit(groups=(), columns=tuple(dict.fromkeys((*called, *meaning.columns))))
        return
    numbers = [f for f in meaning.columns if is_numeric(lexicon, f)]
    if numbers and len(numbers) == len(meaning.columns):
        sketch.edit(columns=(), measures=tuple(total_of(f) for f in numbers))
        return
    sketch.doubt("I cannot tell which figure is wanted for each group.")


def counted_groups(sketch: Sketch) -> None:
    """Groups without a figure are counted: “apps by platform”."""
    meaning = sketch.meaning
    if meaning.groups and not meaning.all_measures and not meaning.columns and not sketch.target:
        sketch.doubt("I cannot tell which figure is wanted for each group.")
    if meaning.groups and not meaning.all_measures and not meaning.columns and sketch.target:
        if any(group == sketch.target for group in meaning.groups):
            sketch.edit(groups=(), columns=display(sketch.lexicon, sketch.target.table))
            return
        sketch.edit(measures=(number_or_amount(sketch.lexicon, sketch.target.table),))


def numbered(sketch: Sketch) -> None:
    """“document ids with two paragraphs”: rows grouped by a key are shown with it where it is asked for."""
    meaning, lexicon = sketch.meaning, sketch.lexicon
    for part in sketch.parts("attribute"):
        whose = referred_table(lexicon, part.data) if part.data in meaning.keys else None
        if whose is None or Group(whose.name) not in meaning.groups or not NUMBERED & set(part.said.lower().split()):
            continue
        number = tuple(Field(whose.name, name) for name in whose.primary_key)
        own = meaning.columns or display(lexicon, whose.name)
        sketch.edit(columns=tuple(dict.fromkeys((*number, *own))))


def doubt_of_many(sketch: Sketch, named: set[str]) -> None:
    """Doubt “apps with launch date” where each has many tests that are launched: the apps would not be shown."""
    for column in sketch.parts("attribute"):
        before = [part for part in sketch.parts("noun") if part.end <= column.start]
        if not before or "with" not in {word.key for word in sketch.lattice.words[before[-1].end : column.start]}:
            continue
        rows, table = str(before[-1].data), column.data.table
        if table not in named and many_between(sketch.lexicon, rows, table):
            things, owner = noun(sketch.lexicon, rows), noun(sketch.lexicon, table)
            sketch.doubt(
                f"“{column.said}” is of the {owner}, and {things} may have several; name the {owner} to see theirs."
            )
