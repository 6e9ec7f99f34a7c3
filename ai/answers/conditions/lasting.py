"""Conditions on the time between two days of a row: “with more than 14 days from reported on to fixed on”."""

import re

from ai.answers.naming import Names
from ai.sql.facts import Origin

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
