"""Conditions and periods in another language than English: "country: Germany", "im Oktober 2026"."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta

from ai.answers.conditions.clauses import DAY_TEXT, format_for, unit_of_figure
from ai.answers.conditions.periods import is_open
from ai.answers.formats import format_of
from ai.answers.naming import Names, listed
from ai.language import formats as written
from ai.language.names import country_name
from ai.language.words import name_parts
from ai.sql.facts import Having, Period, Scalar, Test

DAY = timedelta(days=1)
WEEKDAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
COMPARED = {
    "=": "{0}: {1}",
    "in": "{0}: {1}",
    "!=": "{0} not {1}",
    "not in": "{0} not {1}",
    ">": "{0} over {1}",
    ">=": "{0} at least {1}",
    "<": "{0} under {1}",
    "<=": "{0} at most {1}",
    "contains": "{0} contains {1}",
    "starts": "{0} starts with {1}",
    "ends": "{0} ends with {1}",
}
RECORDED = {"null": "no {0}", "not null": "with {0}", "with": "with {0}", "without": "no {0}", "only": "only {0}"}


def conditions_in(tests: Sequence[Test | Period], names: Names) -> list[str]:
    """Return each condition in the language of `names`, periods as said."""
    return [period_in(test, names) if isinstance(test, Period) else _condition(test, names) for test in tests]


def having_in(having: Having, figure: str, names: Names) -> str:
    by, operator, values = having
    unit = "" if by.function in ("count", "distinct") else unit_of_figure(by, names)
    shown = [format_of("", unit, [value], locale=names.locale).said(value) for value in values]
    return names.texts.fill(COMPARED[operator], figure, listed(shown, names.texts.fill("or")))


def _condition(test: Test, names: Names) -> str:
    fill = names.texts.fill
    if test.operator in ("with", "without", "only"):
        inner = ", ".join(conditions_in(test.inner, names))
        return fill(RECORDED[test.operator], f"{names.noun(test.table)}{inner and f' ({inner})'}")
    if test.operator in ("or", "and"):
        return f" {fill(test.operator)} ".join(conditions_in(test.inner, names))
    if test.operator == "weekday":
        return listed([fill(WEEKDAYS[int(str(day))]) for day in test.values], fill("or"))
    if test.origin is None or test.operator not in {*COMPARED, *RECORDED}:
        return fill("a condition of the SQL")
    title = names.title(test.origin)
    if test.operator in RECORDED:
        return fill(RECORDED[test.operator], title)
    if _is_flag(test, names):
        return title if bool(test.values[0]) == (test.operator == "=") else fill("not {0}", title)
    values = listed([_value(test, value, names) for value in test.values], fill("or"))
    return fill(COMPARED[test.operator], title, values)


def _is_flag(test: Test, names: Names) -> bool:
    held = names.column(test.origin) if test.origin else None
    return test.operator in ("=", "!=") and (
        isinstance(test.values[0], bool) or (held is not None and held.kind == "boolean")
    )


def _value(test: Test, value: Scalar, names: Names) -> str:
    if not isinstance(value, str):
        return replace(format_for(test, value, names), native=True).said(value)
    held = names.column(test.origin) if test.origin else None
    value = held.called.get(value, value) if held else value
    if DAY_TEXT.fullmatch(value):
        return format_of("", "", [value], locale=names.locale).cell(value)
    is_country = test.origin is not None and "country" in name_parts(test.origin.column)
    return (country_name(value, names.language) if is_country else None) or value


def period_in(period: Period, names: Names) -> str:
    """Return "im Oktober 2026", "seit dem 3. Oktober 2026"; always with the year."""
    fill, start, end = names.texts.fill, period.start, period.end
    if start is None:
        return fill("before {0}", _day(end, names)) if end else ""
    if end is None:
        return fill("since {0}" if start < names.today else "from {0} on", _day(start, names))
    said = next(_spans(start, end, names))
    return f"{said} {fill('so far')}" if is_open(period, names.today) and end > names.today + DAY else said


def _spans(start: date, end: date, names: Names) -> Iterator[str]:
    """Yield names of the days from `start` on before `end`, the shortest first."""
    fill, days = names.texts.fill, (end - start).days
    months = (end.year - start.year) * 12 + end.month - start.month if start.day == end.day == 1 else 0
    if days == 1:
        yield fill("on {0}", _day(start, names))
    if months == 1:
        yield fill("in {0}", written.month(start, names.locale))
    if months == 3 and start.month % 3 == 1:
        yield fill("in quarter {0} of {1}", str(start.month // 3 + 1), str(start.year))
    if months == 12 and start.month == 1:
        yield fill("in the year {0}", str(start.year))
    yield fill("from {0} to {1}", _day(start, names), _day(end - DAY, names))


def _day(day: date, names: Names) -> str:
    return written.day(day, names.locale)
