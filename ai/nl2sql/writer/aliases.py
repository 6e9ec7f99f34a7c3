"""The names of the columns of a result."""

from datetime import timedelta

from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Filter, Measure, Period
from ai.nl2sql.schema import called, noun
from ai.nl2sql.words import singular

_ALIASES = {
    "count": "{}_count", "sum": "total_{}", "avg": "average_{}", "min": "lowest_{}", "max": "highest_{}",
    "metric": "{}",
}  # fmt: skip


def alias_of(measure: Measure, lexicon: Lexicon) -> str:
    said = (
        called(lexicon, Field(measure.table, measure.column))
        if measure.column
        else noun(lexicon, measure.table, many=False)
    )
    alias = _ALIASES[measure.function].format(said.replace(" ", "_"))
    if measure.per:
        below = called(lexicon, Field(measure.per.table, measure.per.column)) if measure.per.column else "row"
        per = f"{alias}_per_{singular(below).replace(' ', '_')}"
        alias = "share_percent" if measure.is_share and not measure.less else per
    if measure.less:
        return "change_percent" if measure.per == measure.less else f"{alias}_change"
    times = [_dated(test) for test in measure.where if isinstance(test, Period) and test.start]
    tests = [word for test in measure.where if isinstance(test, Filter) and not measure.per for word in _said(test)]
    return "_".join((alias, *tests, *times))


def _dated(period: Period) -> str:
    """Return "2026_10" for a month, else the first and the last day."""
    if period.start is None or period.end is None:
        return f"{period.start or period.end:%Y_%m_%d}"
    last = period.end - timedelta(days=1)
    if period.start.day == period.end.day == 1 and (period.start.month, period.start.year) == (last.month, last.year):
        return f"{period.start:%Y_%m}"
    return f"{period.start:%Y_%m_%d}" + (f"_to_{last:%m_%d}" if last != period.start else "")


def _said(test: Filter) -> tuple[str, ...]:
    """The value that a figure of its own rows is called by: `company_count_usa`."""
    values = [str(value).lower() for value in test.values]
    return tuple(value for value in values if value.isalnum() and value.isascii())
