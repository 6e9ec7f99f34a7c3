"""Words a reading would pass over in silence: who, where, a state, a value called like rows."""

from collections.abc import Callable
from itertools import pairwise

from ai.nl2sql.chart.parts import Wanted
from ai.nl2sql.definitions import is_metric, is_term
from ai.nl2sql.lexicon import Sense
from ai.nl2sql.meaning import Field, Group, Measure
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import display, end_day, is_numeric, main_amount, noun, title
from ai.nl2sql.spans import DATED
from ai.nl2sql.values import STATE_NAMES
from ai.nl2sql.vocabulary import MONEY, currencies, is_kind, words_of
from ai.nl2sql.words import is_participle, name_parts, plural, singular

BEING = frozenset("is are was were still".split())
PEOPLE = ("people", "buyer", "holder", "seller", "doers")
STATES = ("pending", "late", "unused", "unassigned")
OWNING = frozenset("owns own runs run manages manage leads lead makes make made built".split())
TOWARDS = ("to", "into", "from")
SOMEBODY = frozenset(
    "name names first last full holder owner manager lead agent contact author host writer buyer seller rep"
    " assignee person customer client employee member email vorname nachname nickname username handle login".split()
)
TOTAL_OF_KIND = 0.6  # what it costs to read a kind of rows where “total” is said of an amount
NEW_SUM = 1.0  # what it costs to add up a column where “new” things are asked for
EXACT = 0.02
SIGNS = frozenset("$€£")
LENGTHS = frozenset(("longest", "shortest"))
COSTS = frozenset("fee fees cost costs charge charges expense expenses commission commissions premium premiums".split())
TOTALS, NUMBERS = frozenset("total average avg mean sum".split()), frozenset("many number count counts no".split())
GUESSED = 0.2  # cost of a name that a word does not quite say


def _nobody_shown(sketch: Sketch) -> None:
    """“who is in berth 4” is answered by a name of somebody, no berth."""
    meaning, words = sketch.meaning, [word.key for word in sketch.lattice.words]
    opens = any(
        part.start == 0 and part.end == 1 for part in sketch.parts("noun")
    )  # “players who …” asks nobody’s name
    asked = [word for word in words[: 1 if opens else 2] if word in ("who", "whom")]
    if asked and "most" in words and not meaning.groups and any(m.function == "max" for m in meaning.measures):
        sketch.doubt("I cannot tell who is meant.")
    if not asked or meaning.measures or meaning.groups or not meaning.columns:
        return
    if not any(_is_somebody(sketch, field) for field in meaning.columns):
        sketch.doubt("I cannot tell who is meant.")


def _owner_left(sketch: Sketch) -> None:
    """“who owns the apps in Asia” asks for no apps."""
    words, meaning = [word.key for word in sketch.lattice.words], sketch.meaning
    if len(words) < 3 or words[0] != "who" or words[1] not in OWNING or meaning.measures or meaning.groups:
        return
    object_of = [str(part.data) for part in sketch.parts("noun") if part.start in (2, 3)]
    if object_of and {*meaning.columns} <= {*display(sketch.lexicon, object_of[0])}:
        sketch.doubt(f"I cannot tell who “{words[1]}” the {noun(sketch.lexicon, object_of[0])} here.")


def _prices_added(sketch: Sketch) -> None:
    """“parts cost by supplier”: prices of one piece each, beside their quantity, do not add up."""
    for measure in sketch.meaning.all_measures:
        parts = name_parts(measure.column or "")
        if measure.function != "sum" or parts[:1] != ("unit",) or measure.table not in sketch.lexicon.tables:
            continue
        columns = sketch.lexicon.table(measure.table).columns
        if any({"quantity", "qty", "units", "pieces", "copies"} & {*name_parts(column.name)} for column in columns):
            sketch.doubt(f"The {' '.join(parts)} of each piece does not add up; ask for its average.")


def _is_somebody(sketch: Sketch, field: Field) -> bool:
    called = set(name_parts(field.column))
    return bool(SOMEBODY & called) or (field in display(sketch.lexicon, field.table) and "code" not in called)


def _no_place_shown(sketch: Sketch) -> None:
    """“is there an outage right now? where” asks for a place too."""
    words = sketch.lattice.words
    if len(words) > 1 and words[-1].key == "where" and not sketch.shown:
        sketch.doubt("I cannot answer “where” here; ask for a column or a figure.")


def _state_left(sketch: Sketch) -> None:
    """“how many jobs are open”: a state that no column tells."""
    words = sketch.lattice.words
    telling = [part for part in sketch.cover.parts if part.kind not in ("flag",)]
    read = {at for part in telling for at in range(part.start, part.end)}
    for at, word in enumerate(words):
        after = at > 0 and words[at - 1].key in BEING and at == len(words) - 1
        if after and at not in read and any(sketch.lattice.at(at, kind) for kind in STATES):
            sketch.doubt(f"I cannot tell which ones are {word.text}; name the column or the value.")


def _named_like_rows(sketch: Sketch) -> None:
    """“what do drivers earn”: the value “driver” of something else is not the drivers."""
    meaning = sketch.meaning
    if sketch.context is not None:
        return
    for part in sketch.parts("filter"):
        tables = {test.field.table for test in part.data}
        for word in sketch.lattice.words[part.start : part.end]:
            senses = sketch.lexicon.senses((word.key,))
            rows = {s.table for s in senses if s.column is None and s.cost <= EXACT and singular(word.key) != word.key}
            if not word.quoted and rows and not rows & {*tables, *meaning.tables}:
                things = noun(sketch.lexicon, sorted(rows)[0])
                sketch.doubt(f"“{part.said}” can be the {things} as well; say which you mean.", 1.0)
                return


def _crossed(sketch: Sketch) -> None:
    """“android travel apps and ios music apps” are no music apps on Android."""
    fields: dict[Field, list[int]] = {}
    for part in sketch.parts("filter"):
        for test in part.data:
            if test.operator == "=":
                fields.setdefault(test.field, []).append(part.start)
    pairs = [places for places in fields.values() if len(places) > 1]
    if len(pairs) > 1 and pairs[0][0] < pairs[1][0] < pairs[0][1] < pairs[1][1]:
        sketch.doubt("I cannot tell how these conditions belong together; ask for one after the other.")


def _new_sums(sketch: Sketch) -> None:
    """“new clients per quarter” are no total of a column of clients, and none that ended then."""
    meaning = sketch.meaning
    days = [period.field for period in meaning.periods]
    days += [Field(group.table, group.column) for group in meaning.groups if group.unit and group.column]
    ended = [day for day in days if end_day(sketch.lexicon.table(day.table), "over") == day]
    if ended and len(ended) == len(days) and sketch.flags("new"):
        sketch.doubt(f"I know no day on which they were new; {title(ended[0])} is another one.")
    sums = [m for m in sketch.meaning.all_measures if m.function == "sum" and m.column]
    sketch.cost += NEW_SUM * bool(sums and sketch.flags("new"))


def _rows_for_money(sketch: Sketch) -> None:
    """“purchases in $ by product” are no number of purchases."""
    words = [word.key for word in sketch.lattice.words]
    said = [now for before, now in pairwise(("", *words)) if now in SIGNS or (now in currencies() and before == "in")]
    columns = (Measure("sum", field.table, field.column) for field in sketch.meaning.columns)
    figures = (*sketch.meaning.all_measures, *columns)
    if said and figures and not any(_is_money(sketch, figure) for figure in figures):
        sketch.doubt(f"I find no amount of money in this to tell in “{said[0]}”; name the figure.")


def _is_money(sketch: Sketch, figure: Measure) -> bool:
    if figure.function == "metric" or figure.column is None:
        return figure.function == "metric"
    named = (MONEY | currencies()) & {*name_parts(figure.column)}
    return bool(named) or f"{figure.table}.{figure.column}" in sketch.lexicon.semantics.units


def _costs_counted(sketch: Sketch) -> None:
    """“total fees per customer” may be their amount as well as their number."""
    words = {word.key for word in sketch.lattice.words}
    counted = [m.table for m in sketch.meaning.all_measures if m.function == "count" and m.column is None]
    for table in counted if words & TOTALS and not words & NUMBERS else ():
        if COSTS & {*name_parts(table)} and main_amount(sketch.lexicon, table):
            sketch.doubt(f"Do you want how many {noun(sketch.lexicon, table)}, or their amount? Please say it.")


def _length_of_others(sketch: Sketch) -> None:
    """“longest article” goes by no total of how long its readers stayed."""
    said = {word for part in sketch.parts("rank") for word in part.said.lower().split()} & LENGTHS
    target = sketch.target.table if sketch.target else ""
    for order in sketch.meaning.order if said and target else ():
        if isinstance(order.key, Measure) and order.key.function == "sum" and order.key.table != target:
            sketch.doubt(f"I cannot tell by what these {noun(sketch.lexicon, target)} are long; name the column.")


def _per_itself(sketch: Sketch) -> None:
    """“agents per supervisor”, who are agents too: each row is not counted by itself."""
    meaning = sketch.meaning
    counted = [m.table for m in meaning.measures if m == Measure("count", m.table)]
    whole = [group.table for group in meaning.groups if not group.column]
    split = {group.table for found in sketch.data("group") for group in found if not group.column}
    listed = {str(part.data) for part in sketch.parts("noun")} if not meaning.measures and not meaning.order else set()
    if listed & split:  # “staff by manager” lists no staff without theirs
        sketch.doubt(f"I cannot tell what to show for each of the {noun(sketch.lexicon, (listed & split).pop())}.")
    if counted and whole == counted[:1] and len(meaning.groups) == len(meaning.measures) == 1:
        sketch.doubt(f"I cannot tell what to count for each of the {noun(sketch.lexicon, counted[0])}.")


def _total_of_kind(sketch: Sketch) -> None:
    """“total awarded” is an amount, not the grants of that outcome."""
    totals = {part.end for part in sketch.parts("flag") if part.said.lower() == "total"}
    for part in sketch.parts("filter"):
        columns = (item for item in sketch.lattice.at(part.start, "column") if item.sense and item.sense.value is None)
        sketch.cost += TOTAL_OF_KIND * (
            part.start in totals and any(_is_number(sketch, item.sense) for item in columns)
        )


def _half_counted(sketch: Sketch) -> None:
    """“how many team leads” counts leads, not teams by their lead."""
    ends = {part.end for part in sketch.parts("measure") if isinstance(part.data, Wanted) and not part.data.mean}
    for part in sketch.parts("attribute"):
        word = sketch.lattice.words[part.start - 1].key if part.start in ends else ""
        if word and singular(word) == word and plural(word) != word:
            sketch.doubt(f"I cannot tell what to count here; do you mean the {plural(word)}?")


def _doers_meant(sketch: Sketch) -> None:
    """“biggest spenders” are people, no campaigns by their spend; “the best earner” is no platform."""
    for part in sketch.cover.parts:
        said, _, meant = part.note.partition(" was read as ")
        column = part.kind in ("rank", "attribute", "measure") and not meant.endswith(("er", "ers"))
        people = any(is_kind(table, *PEOPLE) for table in part.tables)
        if said.endswith(("er”", "ers”")) and column and not people:
            sketch.doubt("I cannot tell who is meant.")


def _is_number(sketch: Sketch, sense: Sense | None) -> bool:
    return sense is not None and not is_metric(sense.field) and is_numeric(sketch.lexicon, sense.field)


def _state_of_far_things(sketch: Sketch) -> None:
    """“projects running right now” are not those with donations of a campaign that runs."""
    links = sketch.lexicon.links
    for part in sketch.parts("filter"):
        noun_before = next((n for n in sketch.parts("noun") if n.end == part.start or n.start == part.end), None)
        field = part.data[0].field
        if noun_before is None or is_term(field) or not STATE_NAMES & set(name_parts(field.column)):
            continue
        rows = str(noun_before.data)
        way = links.path(rows, field.table) or ()
        if len(way) > 1 and any(link.many for link in way):
            far = noun(sketch.lexicon, field.table)
            sketch.doubt(
                f"“{part.said}” is said of the {far} here; I cannot tell which {noun(sketch.lexicon, rows)} are."
            )


def _direction_left(sketch: Sketch) -> None:
    """“flights to Lima”, where a column tells arrivals from departures, are not all flights of that place."""
    meaning, words = sketch.meaning, sketch.lattice.words
    tested = {test.field for test in meaning.filters}
    for part in sketch.parts("filter"):
        if part.start == 0 or words[part.start - 1].key not in TOWARDS or part.data[0].field.table == meaning.root:
            continue
        for column in sketch.lexicon.table(meaning.root).columns:
            told = {str(value).lower() for value in column.values}
            field = Field(meaning.root, column.name)
            if field not in tested and all(told & {*kind.split()} for kind in words_of("bound")):
                way, kinds = sketch.lattice.text(part.start - 1, part.end), " or ".join(map(str, column.values[:2]))
                sketch.doubt(f"I cannot tell which {title(field)} “{way}” means; say {kinds}.")
                return


def _describes_by_others(sketch: Sketch) -> None:
    """“finished courses”, “paying learners” are some: no names of others."""
    for rows in sketch.parts("noun"):
        adjoining = (part for kind in ("attribute", "noun") for part in sketch.parts(kind) if part.end == rows.start)
        before = next((part for part in adjoining if part.start == 0 and part.cost >= GUESSED), None)
        if before is None:
            continue
        table = before.data.table if isinstance(before.data, Field) else before.data
        last = sketch.lattice.words[rows.start - 1].key
        if table != rows.data and (is_participle(last) or last.endswith("ing")):
            said = sketch.lattice.text(before.start, before.end)
            sketch.doubt(f"I cannot tell which {noun(sketch.lexicon, rows.data)} are “{said}”.")


def _yes_by_guess(sketch: Sketch) -> None:
    """“apps with updates” are not active ones: a guess at a name is no yes."""
    tested = {test.field for test in sketch.meaning.filters if test.values == (True,)}
    for part in sketch.parts("attribute"):
        if part.note and part.data in tested and not is_term(part.data):
            said = sketch.lattice.text(part.start, part.end)
            sketch.doubt(f"I cannot tell what “{said}” means here; say it in words of this data.")


def _nothing_per_row(sketch: Sketch) -> None:
    """“hotfixes per release”: each release is one or not, so there is nothing to count."""
    meaning = sketch.meaning
    kinds = [field for field in meaning.columns if sketch.lexicon.column(field).kind == "boolean"]
    for part in sketch.parts("group"):
        said = {singular(word.key) for word in sketch.lattice.words[part.start : part.end]}
        for group in part.data:
            rows = noun(sketch.lexicon, group.table, many=False) if group.table else ""
            of_itself = group.column is None and meaning.distinct and [field.table for field in kinds] == [group.table]
            by_day = group.column and rows.lower() in said and group.table == meaning.root and _is_day(sketch, group)
            if rows and (of_itself or by_day):
                sketch.doubt(f"I cannot tell what to count for each of the {noun(sketch.lexicon, group.table)}.")


def _is_day(sketch: Sketch, group: Group) -> bool:
    return not group.unit and sketch.lexicon.column(Field(group.table, group.column or "")).kind in DATED


PASSED_OVER: tuple[Callable[[Sketch], None], ...] = (
    _nobody_shown, _owner_left, _prices_added, _no_place_shown, _state_left, _named_like_rows, _crossed, _new_sums,
    _rows_for_money, _costs_counted, _length_of_others, _per_itself, _total_of_kind, _state_of_far_things,
    _direction_left, _describes_by_others,
    _yes_by_guess, _nothing_per_row, _half_counted, _doers_meant,
)  # fmt: skip
