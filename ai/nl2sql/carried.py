"""Take groups, times and conditions along to the table of another figure."""

from dataclasses import replace

from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Filter, Group, Measure, Period
from ai.nl2sql.schema import days, figure_days


def moved_test(test: Filter | Period, old: Measure, new: Measure, lexicon: Lexicon) -> Filter | Period:
    return moved_period(test, old, new, lexicon) if isinstance(test, Period) else test


def on_rows(test: Filter, table: str, lexicon: Lexicon) -> Filter:
    """Put a condition on the column of the same name of another table's rows, where they have one."""
    has_it = test.field.table != table and lexicon.table(table).column(test.field.column) is not None
    return replace(test, field=Field(table, test.field.column)) if has_it else test


def moved_group(group: Group, old: Measure, new: Measure, lexicon: Lexicon) -> Group:
    """A group by time goes with the figure to its own table; so does a column of the same name."""
    own, before = figure_days(lexicon, new), figure_days(lexicon, old)
    day = Field(group.table, group.column or "")
    if group.unit and own and day in before and day not in own:
        return Group(own[0].table, own[0].column, group.unit)
    if group.table != old.table or old.table == new.table:
        return group
    if group.unit and (fields := days(lexicon, new.table)):
        return Group(fields[0].table, fields[0].column, group.unit)
    if group.column and lexicon.table(new.table).column(group.column):
        return Group(new.table, group.column)
    return group


def alike_field(field: Field, old: Measure, new: Measure, lexicon: Lexicon) -> Field:
    """A country is that of the new rows, if they have one."""
    moved = moved_group(Group(field.table, field.column), old, new, lexicon)
    return Field(moved.table, field.column)


def moved_period(period: Period, old: Measure, new: Measure, lexicon: Lexicon) -> Period:
    """A time goes with the figure to its own day."""
    own = figure_days(lexicon, new)
    if own and period.field not in own and period.field in figure_days(lexicon, old):
        return replace(period, field=own[0])
    fields = days(lexicon, new.table)
    if period.field.table != old.table or old.table == new.table or not fields:
        return period
    return replace(period, field=fields[0])
