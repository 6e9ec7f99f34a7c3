"""Conditions of a column against another: of the same row, or of the row that it refers to."""

from collections.abc import Iterator
from dataclasses import replace

from ai.nl2sql.chart.figures import field_of
from ai.nl2sql.chart.parts import Part
from ai.nl2sql.chart.rules import Rule, Run
from ai.nl2sql.chart.tests import filtered
from ai.nl2sql.definitions import is_metric
from ai.nl2sql.lexicon import PARTIAL, Lexicon
from ai.nl2sql.meaning import Field, Filter, is_part
from ai.nl2sql.schema import is_numeric, scale_of
from ai.nl2sql.spans import DATED
from ai.nl2sql.vocabulary import MEASURED_IN
from ai.nl2sql.words import name_parts

PAYING = frozenset({"pay", "pays", "paying", "paid", "cost", "costs", "costing", "priced", "charged"})


def columns_compared(run: Run) -> Iterator[Part]:
    """“shipped later than promised”; with a key of the table to itself, “earn more than their manager”."""
    field, other, sign = field_of(run.item(0)), field_of(run.item(-1)), run.item(1).value
    if is_metric(field) or is_metric(other) or field == other:
        return
    if field.table != other.table:
        yield from _beside_referred(run, field, other, sign)
        return
    table = run.lexicon.table(field.table)
    keys = [key for key in table.foreign_keys if key.columns == (other.column,) and key.target_table == table.name]
    if keys and _comparable(run.lexicon, field, field):
        test = Filter(field, sign, other=field, of=other)  # type: ignore[arg-type]
        yield filtered(run, test, cost=-0.2)
    elif _comparable(run.lexicon, field, other):
        yield filtered(run, Filter(field, sign, other=other), cost=-0.2)  # type: ignore[arg-type]


def _beside_referred(run: Run, field: Field, other: Field, sign: str) -> Iterator[Part]:
    """“priced below the list price” of the plan that each membership has."""
    keys = [k for k in run.lexicon.table(field.table).foreign_keys if k.target_table == other.table]
    one_unit = _unit(run.lexicon, field) == _unit(run.lexicon, other)
    if one_unit and len(keys) == 1 and len(keys[0].columns) == 1 and _comparable(run.lexicon, field, other):
        key = Field(field.table, keys[0].columns[0])
        yield filtered(run, Filter(field, sign, other=other, of=key), cost=-0.2)  # type: ignore[arg-type]


def beside_whole_name(run: Run) -> Iterator[Part]:
    """“less than the list price”: the only `price` of the rows named, called by a part of it."""
    sign, other = run.item(0).value, field_of(run.item(1))
    if is_metric(other) or run.item(1).cost >= PARTIAL:
        return
    for name in sorted(run.lattice.named):
        keys = [k for k in run.lexicon.table(name).foreign_keys if k.target_table == other.table]
        parts = [Field(name, c.name) for c in run.lexicon.table(name).columns if is_part(other.column, c.name)]
        if len(parts) != 1 or not _comparable(run.lexicon, parts[0], other) or _another_said(run, parts[0]):
            continue
        if name == other.table:
            yield filtered(run, Filter(parts[0], sign, other=other))  # type: ignore[arg-type]
        elif len(keys) == 1:
            yield from (_with_verb(run, part) for part in _beside_referred(run, parts[0], other, sign))


def _another_said(run: Run, field: Field) -> bool:
    """Whether another column stands right before: “deposit below the list price” compares no price."""
    before = (item for start in range(run.start) for item in run.lattice.at(start, "column") if item.end == run.start)
    said = {field_of(item) for item in before}
    return bool(said) and field not in said


def _with_verb(run: Run, part: Part) -> Part:
    """“pay less than the list price”: the verb says nothing more."""
    paid = part.start and run.lattice.words[part.start - 1].key in PAYING
    return replace(part, start=part.start - 1) if paid else part


def _unit(lexicon: Lexicon, field: Field) -> tuple[float, frozenset[str]]:
    """Return the scale of a column, and the units in its name: cents are not compared with euros."""
    return scale_of(lexicon, field), MEASURED_IN & {*name_parts(field.column)}


def _comparable(lexicon: Lexicon, one: Field, other: Field) -> bool:
    """Whether two columns hold days of one form, or numbers."""
    first, second = lexicon.column(one), lexicon.column(other)
    if first.kind in DATED and second.kind in DATED:
        return (first.is_compact, first.is_epoch) == (second.is_compact, second.is_epoch)
    return is_numeric(lexicon, one) and is_numeric(lexicon, other)


COLUMNS = (
    Rule("column compare column", columns_compared),
    Rule("compare column", beside_whole_name, 0.1),
)
