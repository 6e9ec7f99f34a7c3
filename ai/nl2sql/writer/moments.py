"""The last day that a state is known of."""

from sqlglot import exp

from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Meaning
from ai.nl2sql.writer.names import column_of, cut, during, table_of
from ai.nl2sql.writer.spans import day_sql


def on_last_day(meaning: Meaning, day: Field, lexicon: Lexicon) -> exp.Expr:
    """Return the test that a row is of the last day in the periods, or in each group of time."""
    dialect = lexicon.catalog.dialect
    column = day_sql(day, lexicon, None) if lexicon.column(day).is_epoch else column_of(day, dialect)
    timed = lexicon.column(day).kind == "datetime"
    latest = exp.Max(this=column.copy())
    last = exp.Select(expressions=[cut(latest, "day", dialect) if timed else latest])
    last = last.from_(table_of(day.table, dialect))
    periods = [period for period in meaning.periods if period.field == day]
    last = last.where(
        *(part for period in periods for part in during(column.copy(), period, compact=lexicon.column(day).is_compact))
    )
    for group in meaning.groups:
        if group.unit and group.table == day.table:
            last = last.group_by(cut(day_sql(day, lexicon, None), group.unit, dialect))
    return exp.In(this=cut(column, "day", dialect) if timed else column, query=exp.Subquery(this=last))
