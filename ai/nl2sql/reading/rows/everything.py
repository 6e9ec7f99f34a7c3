"""Rows that count: things without any are kept at 0; those deleted or of a test, and failed payments, are left out."""

from dataclasses import replace
from functools import lru_cache

from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Filter, Meaning, Measure, Period
from ai.nl2sql.reading.sketch import Sketch, many_between
from ai.nl2sql.schema import is_numeric, noun
from ai.nl2sql.totals import is_amount
from ai.nl2sql.values import truths
from ai.nl2sql.vocabulary import is_kind
from ai.nl2sql.words import keys, name_parts, stem

ASKING = frozenset({"do", "does", "did"})
DELETED = frozenset({("deleted",), ("is", "deleted"), ("deleted", "flag"), ("deleted", "yn")})
TESTS = frozenset({("is", "test"), ("test", "flag"), ("is", "demo"), ("is", "dummy")})
EACH = ("each", "every", "for each", "for every", "in each", "of each", "by each")
PASSED = frozenset("ok succeeded success successful paid completed complete settled captured".split())
REFUNDED = frozenset({"refund", "refunded"})
FAILED = frozenset("failed declined rejected error void voided refused bounced chargeback".split())


def every_thing(sketch: Sketch) -> None:
    """Keep each thing where its rows are counted; move conditions on the rows into the count."""
    meaning = sketch.meaning
    if (
        len(meaning.groups) != 1
        or meaning.groups[0].column is not None
        or (meaning.limit and not _fewest(meaning))
        or meaning.havings
        or meaning.fold
    ):
        return
    if meaning.share or meaning.series or meaning.either or meaning.presences or meaning.last or meaning.among:
        return
    thing = meaning.groups[0].table
    counted = meaning.all_measures
    tables = {measure.table for measure in counted}
    if len(tables) != 1 or not all(_counts_rows(sketch, measure) for measure in counted) or not _each(sketch, thing):
        return
    (rows,) = tables
    if rows == thing or not many_between(sketch.lexicon, thing, rows):
        return
    tests: tuple[Filter | Period, ...] = (*meaning.filters, *meaning.periods)
    own = tuple(test for test in tests if test.field.table == rows)
    if {test.field.table for test in tests} - {rows, thing}:
        return

    def inside(measure: Measure) -> Measure:
        return replace(measure, where=(*measure.where, *own))

    sketch.edit(
        every=True,
        measures=tuple(map(inside, meaning.measures)),
        order=tuple(replace(o, key=inside(o.key)) if isinstance(o.key, Measure) else o for o in meaning.order),
        filters=tuple(f for f in meaning.filters if f not in own),
        periods=tuple(p for p in meaning.periods if p not in own),
    )


def _counts_rows(sketch: Sketch, measure: Measure) -> bool:
    key = sketch.lexicon.table(measure.table).primary_key
    plain = measure.function == "count" and measure.column is None and not (measure.per or measure.less)
    return plain and len(key) == 1 and all(isinstance(test, Filter | Period) for test in measure.where)


def _each(sketch: Sketch, thing: str) -> bool:
    """Whether things are listed, or something of each; “number of apps for each team” is of teams with some."""
    groups = [part for part in sketch.parts("group") if part.tables == {thing}]
    listed = any(field.table == thing for field in sketch.meaning.columns) and not groups
    each = [part for part in groups if part.start and part.said.lower().startswith(EACH)]
    fewest = _fewest(sketch.meaning) and not is_kind(thing, "people")  # most staff manage no accounts
    return listed or fewest or any(sketch.lattice.words[p.start - 1].key in ASKING for p in each)


def _fewest(meaning: Meaning) -> bool:
    """Whether those with the fewest rows are asked for: none is fewer than one."""
    first = meaning.order[0] if meaning.limit and meaning.order else None
    return first is not None and not first.descending and first.key in meaning.all_measures


def without_deleted(sketch: Sketch) -> None:
    """Leave out the deleted rows of what is computed or listed, and those made for tests."""
    for names, sign, kind in ((DELETED, "delet", "deleted"), (TESTS, "test", "test")):
        root = sketch.meaning.root
        if not root or any(word.stem == sign for word in sketch.lattice.words):
            continue
        no = _no_such(sketch.lexicon, root, names)
        if no is not None and all(test.field != no.field for test in sketch.meaning.filters):
            sketch.edit(filters=(*sketch.meaning.filters, no))
            sketch.assume(f"{kind} {noun(sketch.lexicon, root)} are left out")


@lru_cache(maxsize=1_000)
def _no_such(lexicon: Lexicon, table: str, names: frozenset[tuple[str, ...]]) -> Filter | None:
    """Return the condition that rows are none of a kind, by a yes/no column that no definition is called by."""
    terms = [keys(term.name) for term in lexicon.semantics.terms if term.table == table]
    for column in lexicon.table(table).columns:
        no = [value for value, truth in truths(column) if not truth]
        defined = names is TESTS and any("test" in words for words in terms)
        if name_parts(column.name) in names and no and not defined:
            return Filter(Field(table, column.name), "=", (no[0],))
    return None


def went_through(lexicon: Lexicon, table: str) -> Filter | None:
    """Return the condition of success where rows of a table may fail."""
    for column in lexicon.table(table).columns:
        values = {value.lower(): value for value in column.values}
        passed = [values[value] for value in values if value in PASSED]
        if FAILED & set(values) and len(passed) == 1:
            return Filter(Field(table, column.name), "=", (passed[0],))
    return None


def only_moved(sketch: Sketch) -> None:
    """“how much money did we collect”: no amount of a payment that failed, unless states are asked about."""
    meaning, lexicon = sketch.meaning, sketch.lexicon
    tables = {measure.table for measure in meaning.all_measures}
    if len(tables) != 1 or not all(_is_money(lexicon, measure) for measure in meaning.all_measures):
        return
    (table,) = tables
    done = went_through(lexicon, table) if is_kind(table, "settling") else None
    if done is None or meaning.is_grouped_by(done.field) or done.field in meaning.columns or meaning.either:
        return
    done = _state_said(sketch, done) or _with_refunded(lexicon, done)
    tests = (*meaning.conditions, *(test for measure in meaning.all_measures for test in measure.where))
    before = sketch.context.conditions if sketch.context else ()  # “what do they add up to” after failed ones
    if all(getattr(test, "field", None) != done.field for test in (*tests, *before)):
        sketch.edit(filters=(*meaning.filters, done))


def _with_refunded(lexicon: Lexicon, done: Filter) -> Filter:
    """Keep what was given back where a column tells how much of it: it had moved, and may be refunded in part."""
    table = lexicon.table(done.field.table)
    told = any(
        REFUNDED & {*name_parts(c.name)} and is_numeric(lexicon, Field(table.name, c.name)) for c in table.columns
    )
    back = [value for value in lexicon.column(done.field).values if told and REFUNDED & {*keys(value)}]
    return replace(done, operator="in", values=(*done.values, *back)) if back else done


def _state_said(sketch: Sketch, done: Filter) -> Filter | None:
    """Return the state that a figure is called by: “how much did we refund” is of what was refunded."""
    said = {stem(word) for part in sketch.parts("measure") for word in keys(part.said)}
    values = sketch.lexicon.column(done.field).values
    named = [value for value in values if value not in done.values and stem(value.lower()) in said]
    return replace(done, values=(named[0],)) if len(named) == 1 else None


def _is_money(lexicon: Lexicon, measure: Measure) -> bool:
    field = Field(measure.table, measure.column or "")
    return measure.function == "sum" and not measure.per and is_amount(lexicon, field)
