"""Ranks: the first by a figure, a column or an adjective, and how many of them."""

from collections.abc import Iterator
from dataclasses import replace

from ai.nl2sql.chart.figures import field_of, table_named
from ai.nl2sql.chart.parts import Part, Rank, Wanted
from ai.nl2sql.chart.rules import Rule, Run, implied_tables, part_of
from ai.nl2sql.definitions import is_metric
from ai.nl2sql.lasting import lasting_field, unit_asked
from ai.nl2sql.lattice import Item
from ai.nl2sql.lexicon import PARTIAL, Sense
from ai.nl2sql.meaning import Field, Filter, Measure
from ai.nl2sql.schema import columns_named, end_day, is_numeric, is_year, surest_days
from ai.nl2sql.spans import BORN, DATED
from ai.nl2sql.vocabulary import is_bad_name
from ai.nl2sql.words import Word, name_parts, singular
from ai.sql.catalog import Table

EXTREMES = frozenset({"the", "maximum", "max", "minimum", "min"})  # of a day; its “best” is another question
MOST = 1_000
THINGS = frozenset({"table", "term", "value"})
OF_BIRTH = ("age", "birth")
AGED = frozenset({"oldest", "youngest", "eldest"})
OF_PERSONS = 0.6
OTHER_DAY = 0.3  # than that of every row: the latest order is the last one placed
BESIDE = -0.2  # a column right behind an adjective
OF_PHRASE = 0.4  # a column named by a part of an adjective
NUMBERING = frozenset({"number", "no", "nr", "id", "code"})
COUNTING = frozenset({"most", "least", "fewest", "number", "amount"})


def ranked(run: Run) -> Iterator[Part]:
    """“most reviews”, “highest revenue”, “the lowest average rating”."""
    sign, what = run.item(0), run.items[-1]
    if isinstance(what, Part):
        if isinstance(what.data, Wanted) and not what.data.mean and not _is_plain(run, what):
            yield part_of(run, "rank", Rank(what.data.figure, sign.value == "desc"), tables=what.tables)
        return
    words = run.lattice.words[sign.start : sign.end]
    if (
        isinstance(what, Item)
        and what.kind == "table"
        and not ({word.key for word in words} & COUNTING or _bad(run, what))
    ):
        return
    if isinstance(what, Item) and what.kind == "table":
        yield part_of(run, "rank", Rank(Measure("count", table_named(what)), sign.value == "desc"), 0.05,
                    frozenset({table_named(what)}))  # fmt: skip
    elif isinstance(what, Item):
        field = field_of(what)
        numeric = is_metric(field) or is_numeric(run.lexicon, field)
        numeric = numeric or (run.lexicon.column(field).kind in DATED and {word.key for word in words} <= EXTREMES)
        if numeric and not is_metric(field):
            phrase = any(item.end == run.end for item in run.lattice.at(run.start, "adjective"))  # “best rated”
            yield part_of(run, "rank", Rank(field, sign.value == "desc"), OF_PHRASE * phrase, frozenset({field.table}))


def ranked_several(run: Run) -> Iterator[Part]:
    """“the 10 biggest contracts”, where a column holds their size."""
    number = run.item(0).number
    if isinstance(number, int) and 0 < number < MOST:
        for part in ranked(replace(run, items=run.items[1:])):
            yield replace(part, data=replace(part.data, limit=number))


def _bad(run: Run, things: Item) -> bool:
    """Whether the worst of things is where most of them are: “the worst complaints”."""
    said = {word.stem for word in run.lattice.words[things.start : things.end]}
    return run.lattice.words[run.start].key == "worst" and is_bad_name(said)


def _is_plain(run: Run, what: Part) -> bool:
    """Whether a figure is a mere column of numbers, ranked by its own rule."""
    measure = what.data.measure
    return measure.function in ("sum", "avg") and not run.lattice.at(what.start, "aggregate") and measure.per is None


def ranked_owner(run: Run) -> Iterator[Part]:
    """“the largest invoice total”."""
    owner, field = table_named(run.item(1)), field_of(run.item(2))
    if owner == field.table and not is_metric(field) and is_numeric(run.lexicon, field):
        yield part_of(run, "rank", Rank(field, run.item(0).value == "desc"), -0.2, frozenset({owner}))


def ranked_after(run: Run) -> Iterator[Part]:
    """“earn the most”."""
    what = run.part(0)
    if isinstance(what.data, Wanted) and not what.data.mean and not what.said.lower().startswith("how "):
        yield part_of(run, "rank", Rank(what.data.figure, run.item(1).value == "desc"), 0.05, what.tables)


def ranked_such(run: Run) -> Iterator[Part]:
    """“the most hotfixes”: by how many rows have the value."""
    sense = run.item(1).sense
    words = run.lattice.words
    numbered = words[run.item(1).start].number is not None  # “top 3 lines” are no line 3
    state = isinstance(sense.value, bool | int) if sense else False
    if state and singular(words[run.end - 1].key) == words[run.end - 1].key:
        return  # “most active city”
    if sense is not None and sense.value is not None and not numbered:
        counted = Measure("count", sense.table, where=(Filter(sense.field, "=", (sense.value,)),))
        yield part_of(run, "rank", Rank(counted, run.item(0).value == "desc"), 0.15, frozenset({sense.table}))


def rank_count(run: Run) -> Iterator[Part]:
    """“which 2 platforms …”: the limit of a rank behind it."""
    number = run.item(1).number
    if isinstance(number, int) and 0 < number < MOST:
        yield part_of(run, "rank", Rank(None, True, number, asked=False), 0.1)


def most_such(run: Run) -> Iterator[Part]:
    """“the most 5 star reviews”: the thing counted comes after its conditions."""
    if not {word.key for word in run.lattice.words[run.start : run.end]} & COUNTING:
        return  # “the lowest rated apps”
    for place in range(run.end + 1, min(run.end + 5, len(run.lattice.words))):
        for item in run.lattice.at(place, "table"):
            rank = Rank(Measure("count", table_named(item)), run.item(0).value == "desc")
            yield part_of(run, "rank", rank, 0.4 + item.cost, frozenset({table_named(item)}))


def rank_limited(run: Run) -> Iterator[Part]:
    """“top 5 …”, “the 3 cheapest”, “first 10”: the limit; the key may follow."""
    number = next(i.number for i in run.items if isinstance(i, Item) and i.kind == "number")
    sign = next((i for i in run.items if isinstance(i, Item) and i.kind == "top"), None)
    if not isinstance(number, int) or number < 1 or sign is None:
        return
    word = run.lattice.words[sign.start].key
    is_year = sign.end < run.end and run.lattice.words[run.end - 2].key == "in"  # “the most in 2026”
    if is_year or run.lattice.at(run.end, "unit"):
        return
    yield part_of(run, "rank", Rank(None, sign.value == "desc", number, asked=word not in ("first", "last")))


def _is_one(run: Run) -> bool:
    """Whether one thing follows: “top app by revenue”, no “top app category”."""
    first, *after = run.lattice.words[run.end : run.end + 2] or (None,)
    if first is None or singular(first.key) != first.key or any(any(_things(run, word)) for word in after):
        return False
    found = list(_things(run, first))
    return bool(found) and not any(s.column and (is_metric(s.field) or is_numeric(run.lexicon, s.field)) for s in found)


def _things(run: Run, word: Word) -> Iterator[Sense]:
    return (sense for sense in run.lexicon.senses((word.key,)) if sense.value is None and sense.cost < PARTIAL)


def rank_bare(run: Run) -> Iterator[Part]:
    """“top apps by revenue”: no number was said."""
    word = run.lattice.words[run.start].key
    if word in ("top", "bottom"):
        one = 1 if _is_one(run) else None
        yield part_of(run, "rank", Rank(None, run.item(0).value == "desc", one, every=one is None), 0.1)
    elif word in ("best", "worst", "highest", "lowest", "most", "least", "largest", "smallest", "biggest"):
        longer = any(item.end > run.end for item in run.lattice.at(run.start, "adjective"))  # “lowest rated”
        yield part_of(run, "rank", Rank(None, run.item(0).value == "desc", 1), 0.6 + 1.0 * longer)


def by_adjective(run: Run) -> Iterator[Part]:
    """“the cheapest app”, “3 newest releases”, “most common category”."""
    sign = next(i for i in run.items if isinstance(i, Item) and i.kind == "adjective")
    number = next((i.number for i in run.items if isinstance(i, Item) and i.kind == "number"), None)
    limit = number if isinstance(number, int) else None
    vague = 0.5 if run.lattice.words[sign.start].key in ("first", "last") and sign.end == sign.start + 1 else 0.0
    vague *= not _is_of_each(run)
    words, _, direction = sign.value.partition("|")
    if words == "count":
        yield part_of(run, "rank", Rank(None, direction == "desc", limit or 1, asked=False, common=True), 0.1)
        return
    after = {i.sense.table for i in run.lattice.items.get(run.end, ()) if i.sense and i.kind in THINGS and i.cost < 0.5}
    for table in implied_tables(run):
        other = 1.0 * bool(after and table.name not in after)
        over = end_day(table, "over") if words.endswith(("date", "date year")) else None  # the oldest did not end first
        named = (column for word in words.split() for column in columns_named(run.lexicon, table, word))
        columns = [column for column in named if over is None or column.name != over.column]
        born, by_year = sign.value.startswith(OF_BIRTH), "year" in words.split()
        aged = OF_PERSONS * (not born and run.lattice.words[sign.start].key in AGED and _has_births(table))
        sure = surest_days(run.lexicon, [Field(table.name, column.name) for column in columns if column.kind in DATED])
        for place, column in enumerate(dict.fromkeys(columns)):
            field = Field(table.name, column.name)
            if (
                is_numeric(run.lexicon, field)
                or column.kind in DATED
                or ((born or by_year) and is_year(run.lexicon, field))
            ):
                rank = Rank(field, direction == "desc", limit or 1, ahead=direction == "next")
                rival = OTHER_DAY * (len(sure) == 1 and field not in sure and column.kind in DATED)
                cost = 0.1 + 0.1 * place + rival + vague + other + aged
                yield part_of(run, "rank", rank, cost, frozenset({table.name}))
        if "duration" in words.split() and not columns and table.name in (after or run.lattice.named):
            yield from _by_span(run, table, Rank(None, direction == "desc", limit or 1))


def _by_span(run: Run, table: Table, rank: Rank) -> Iterator[Part]:
    """“longest outage”: by how long rows last."""
    if field := lasting_field(run.lexicon, table.name, unit_asked(run.lattice.words)):
        yield part_of(run, "rank", replace(rank, key=field), 0.1, frozenset({table.name}))


def adjective_beside(run: Run) -> Iterator[Part]:
    """“longest lead time”: the column named, in the order of the adjective."""
    (words, _, direction), field = run.item(0).value.partition("|"), field_of(run.item(1))
    numbers = not is_metric(field) and bool(NUMBERING & set(name_parts(field.column)[-1:]))  # “longest episode”
    figure = not is_metric(field) and not numbers and is_numeric(run.lexicon, field)
    named = run.item(1).cost < PARTIAL  # “cheapest book” ranks by no `books_sold`
    if words != "count" and direction in ("asc", "desc") and figure and named:
        yield part_of(run, "rank", Rank(field, direction == "desc"), BESIDE, frozenset({field.table}))


def nth(run: Run) -> Iterator[Part]:
    """“the second most expensive app”, “3rd highest salary”."""
    place = int(run.item(0).value)
    sign = run.item(1)
    rest, adjective = replace(run, items=run.items[1:], start=sign.start), sign.kind == "adjective"
    found = by_adjective(rest) if adjective else ranked(rest) if len(rest.items) > 1 else rank_bare(rest)
    for part in found if place > 1 else ():
        yield replace(part, start=run.start, data=replace(part.data, limit=1, after=place - 1))


def _is_of_each(run: Run) -> bool:
    """Whether one of the rows is meant, and for each of other things: “last review of each app”."""
    words, one = run.lattice.words, run.lattice.at(run.end, "table")
    ends = {item.end for item in one if words[item.end - 1].key == singular(words[item.end - 1].key)}
    return any(words[end : end + 1] and run.lattice.at(end, "group") for end in ends)


def _has_births(table: Table) -> bool:
    """Whether rows are born or have an age, so that it is none of an entry."""
    return any({*BORN, "age"} & set(name_parts(column.name)) for column in table.columns)


RANKS = (
    Rule("most measure|table|column", ranked),
    Rule("most table ~column", ranked_owner),
    Rule("number most column", ranked_several, -0.1),
    Rule("top number", rank_limited),
    Rule("number top", rank_limited),
    Rule("top", rank_bare),
    Rule("number? adjective", by_adjective),
    Rule("adjective number", by_adjective),
    Rule("adjective ~column", adjective_beside),
    Rule("ordinal adjective", nth),
    Rule("ordinal most measure|table|column", nth),
    Rule("ordinal most", nth),
    Rule("most", most_such),
    Rule("most value", ranked_such),
    Rule("measure most", ranked_after),
    Rule("list number", rank_count),
)
