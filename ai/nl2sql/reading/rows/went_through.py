"""Payments that went through: those that failed moved no money."""

from dataclasses import replace

from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Filter, Measure
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import is_numeric
from ai.nl2sql.totals import is_amount
from ai.nl2sql.vocabulary import is_kind
from ai.nl2sql.words import keys, name_parts, stem

PASSED = frozenset("ok succeeded success successful paid completed complete settled captured".split())
REFUNDED = frozenset({"refund", "refunded"})
FAILED = frozenset("failed declined rejected error void voided refused bounced chargeback".split())


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
    if all(getattr(test, "field", None) != done.field for test in tests):
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
    return measure.function in ("sum", "avg") and not measure.per and is_amount(lexicon, field)
