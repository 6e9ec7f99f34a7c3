"""Tell choices that differ in the day of a time alone: flights as scheduled, or as they were."""

from collections.abc import Sequence
from dataclasses import replace

from ai.nl2sql.meaning import Field, Meaning

ANY_DAY = Field("", "")


def differ_in_day(meanings: Sequence[Meaning]) -> bool:
    """Whether several meanings are one, but for the day that their time is put on."""
    return len(meanings) > 1 and len({_undated(meaning) for meaning in meanings}) == 1


def _undated(meaning: Meaning) -> Meaning:
    days = {period.field for period in meaning.periods}
    groups = tuple(replace(group, table="", column="") if group.unit else group for group in meaning.groups)
    filters = tuple(test for test in meaning.filters if test.field not in days)
    periods = tuple(replace(period, field=ANY_DAY) for period in meaning.periods)
    return replace(meaning, periods=periods, groups=groups, filters=filters)
