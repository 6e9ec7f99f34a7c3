"""Conditions of a column against another: of the same row, or of the row that it refers to."""

from collections.abc import Iterator

from ai.nl2sql.chart.figures import field_of
from ai.nl2sql.chart.parts import Part
from ai.nl2sql.chart.rules import Rule, Run
from ai.nl2sql.chart.tests import filtered
from ai.nl2sql.definitions import is_metric
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Filter
from ai.nl2sql.schema import is_numeric
from ai.nl2sql.spans import DATED


def columns_compared(run: Run) -> Iterator[Part]:
    """“shipped later than promised”; with a key of the table to itself, “earn more than their manager”."""
    field, other, sign = field_of(run.item(0)), field_of(run.item(-1)), run.item(1).value
    if is_metric(field) or is_metric(other) or field == other or field.table != other.table:
        return
    table = run.lexicon.table(field.table)
    keys = [key for key in table.foreign_keys if key.columns == (other.column,) and key.target_table == table.name]
    if keys and _comparable(run.lexicon, field, field):
        test = Filter(field, sign, other=field, of=other)  # type: ignore[arg-type]
        yield filtered(run, test, cost=-0.2)
    elif _comparable(run.lexicon, field, other):
        yield filtered(run, Filter(field, sign, other=other), cost=-0.2)  # type: ignore[arg-type]


def _comparable(lexicon: Lexicon, one: Field, other: Field) -> bool:
    """Whether two columns hold days of one form, or numbers."""
    first, second = lexicon.column(one), lexicon.column(other)
    if first.kind in DATED and second.kind in DATED:
        return (first.is_compact, first.is_epoch) == (second.is_compact, second.is_epoch)
    return is_numeric(lexicon, one) and is_numeric(lexicon, other)


COLUMNS = (Rule("column compare column", columns_compared),)
