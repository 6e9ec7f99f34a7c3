"""Conditions in SQL that have plain words: “above the average”, “for these apps”, “with a closed at after due at”."""

import re
from collections.abc import Collection, Sequence

from ai.answers.formats import in_whole_units
from ai.answers.naming import Names, a_or_an
from ai.language.words import plural
from ai.sql.facts import Origin, Output, Period, Test

COMPARED = {">": "over", ">=": "of at least", "<": "under", "<=": "of at most"}
AFTER = {">": "after", ">=": "on or after", "<": "before", "<=": "on or before"}
COLUMN = r"(?P<table>\w+)\.(?P<one>\w+)"
BESIDE = re.compile(rf"{COLUMN} (?P<sign>[<>]=?) (?P<other>\w+)\.(?P<two>\w+)")
HUNDREDTHS = re.compile(rf"{COLUMN} / 100\.0 (?P<sign>[<>]=?) (?P<value>\d+(?:\.\d+)?)")
UNITS = {1.0: "days", 7.0: "weeks", 30.4375: "months", 365.25: "years", 1 / 24: "hours", 1 / 1440: "minutes"}
MORE = {">": "more than", ">=": "at least", "<": "less than", "<=": "at most", "=": "exactly"}
DAY = r"(?:(?:(?P<of_{0}>\w+)\.)?(?P<{0}>\w+)|'[\d-]+')"
SQLITE = re.compile(rf"JULIANDAY\({DAY.format('end')}\) - JULIANDAY\({DAY.format('start')}\)", re.IGNORECASE)
POSTGRES = re.compile(
    rf"EXTRACT\(EPOCH FROM \(CAST\({DAY.format('end')} AS TIMESTAMP\) - CAST\({DAY.format('start')} AS TIMESTAMP\)\)\)",
    re.IGNORECASE,
)
CAST = re.compile(r"CAST\(|AS (?:REAL|DOUBLE PRECISION|DOUBLE|FLOAT)\)|[() ]", re.IGNORECASE)
REST = re.compile(
    r"@(?:/(?P<seconds>86400(?:\.0)?))?(?:(?P<how>[/*])(?P<by>[\d.]+))?(?P<sign>>=|<=|[<>=])(?P<n>[\d.]+)"
)
OF_GROUP = re.compile(r"(?:SUM|AVG)\((?P<table>\w+)\.(?P<column>\w+)\) (?P<sign>[<>]) \(?\{0\}\)?")
PICKED = re.compile(r"(?P<table>\w+)\.(?P<column>\w+) IN \(?\{0\}\)?")
TIMED = re.compile(r"(?:STRFTIME|DATE_TRUNC|DATE_FORMAT|TO_CHAR)\(.*\) IN \(?\{0\}\)?", re.IGNORECASE)


def beside_average(test: Test, names: Names) -> str:
    """Return “with revenue above the average”, else ""."""
    found = OF_GROUP.fullmatch(test.sql)
    if found is None or len(test.queries) != 1 or [o.function for o in test.queries[0].outputs] != ["avg"]:
        return ""
    title = names.title(Origin(found["table"].lower(), found["column"].lower()))
    return f"with {title} {'above' if found['sign'] == '>' else 'below'} the average"


def picked(test: Test, names: Names) -> str:
    """Name the rows of a query unreadable for people: “for these apps”, “among these”, “in that time”; else ""."""
    if found := PICKED.fullmatch(test.sql):
        (query,) = test.queries
        one = query.limit == 1 or query.first_place is not None
        by = Origin(found["table"].lower(), found["column"].lower())
        held = names.catalog.table(by.table)
        thing = names.noun(by.table, many=False)
        if held and [key.lower() for key in held.primary_key] != [by.column]:
            thing = names.title(by)
        elif by.table == (names.facts.rows or "").lower() and not one:
            return "among these"
        return f"for this {thing}" if one else f"for these {plural(thing)}"
    return "in that time" if TIMED.fullmatch(test.sql) else ""


def untold(
    tests: Sequence[Test | Period], names: Names, things: Sequence[Output], keys: Sequence[Output], *, one: bool
) -> list[Test | Period]:
    """Return the conditions that the keys of the rows leave open: not “on iOS” of the `one` row that says iOS.

    `things` are the keys that are no times.
    """
    tables = {origin.table for key in things for origin in key.origins}
    told = {"not null": things, "=": things if one else (), "in": () if one else keys}

    def is_told(test: Test | Period) -> bool:
        if not isinstance(test, Test):
            return False
        if one and _is_named(test, names, tables):
            return True
        return not test.inner and (test.origin,) in [key.origins[:1] for key in told.get(test.operator, ())]

    return [test for test in tests if not is_told(test)]


def _is_named(test: Test, names: Names, tables: Collection[str]) -> bool:
    """Whether a condition picks the one thing of these tables shown by its name."""
    found = PICKED.fullmatch(test.sql) if test.queries else None
    return found is not None and found["table"].lower() in tables and picked(test, names).startswith("for this ")


def two_columns(said: str, names: Names) -> str:
    """Return “with a delivered at after due at” for two columns of one table, else ""."""
    found = BESIDE.fullmatch(said)
    if found is None or found["table"] != found["other"]:
        return ""
    one, other = (Origin(found["table"].lower(), found[name].lower()) for name in ("one", "two"))
    held = names.column(one)
    dated = held is not None and held.kind in ("date", "datetime")
    sign = (AFTER if dated else COMPARED)[found["sign"]]
    return f"with {a_or_an(names.title(one))} {sign} {names.title(other)}"


def scaled(said: str, names: Names) -> str:
    """Return “with a total over 200” for an amount kept in hundredths, else ""."""
    found = HUNDREDTHS.fullmatch(said)
    if found is None:
        return ""
    title = in_whole_units(names.title(Origin(found["table"].lower(), found["one"].lower())))
    return f"with {a_or_an(title)} {COMPARED[found['sign']]} {float(found['value']):,g}"


def time_between(said: str, names: Names) -> str:
    """Return a condition on a time in words, "" for another."""
    found = SQLITE.search(said) or POSTGRES.search(said)
    rest = REST.fullmatch(CAST.sub("", said.replace(found[0], "@"))) if found else None
    if found is None or rest is None or not found["start"] or (found.re is POSTGRES) != bool(rest["seconds"]):
        return ""
    factor = float(rest["by"] or 1)
    unit = UNITS.get(factor if rest["how"] != "*" else 1 / factor)
    if unit is None:
        return ""
    number, table = float(rest["n"]), (found["of_start"] or names.facts.rows or "").lower()
    days = [names.title(Origin(table, found[name].lower())) for name in ("start", "end") if found[name]]
    told = f"from {days[0]} to {days[1]}" if len(days) == 2 else f"since {days[0]}"
    return f"with {MORE[rest['sign']]} {number:,g} {unit.removesuffix('s') if number == 1 else unit} {told}"
