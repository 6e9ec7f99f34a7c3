"""The names of the columns of a result."""

from dataclasses import replace

from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Filter, Measure, Period
from ai.nl2sql.schema import called, noun

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
        same = measure.per == replace(measure, where=(), per=None)
        alias = "share_percent" if same else f"{alias}_ratio"
    if measure.less:
        return "change_percent" if measure.per else f"{alias}_change"
    starts = [test.start for test in measure.where if isinstance(test, Period) and test.start]
    tests = [word for test in measure.where if isinstance(test, Filter) and not measure.per for word in _said(test)]
    return "_".join((alias, *tests, *(start.strftime("%Y_%m_%d") for start in starts)))


def _said(test: Filter) -> tuple[str, ...]:
    """The value that a figure of its own rows is called by: `company_count_usa`."""
    values = [str(value).lower() for value in test.values]
    return tuple(value for value in values if value.isalnum() and value.isascii())
