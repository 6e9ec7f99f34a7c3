"""Conditions on a query inside: “above the average”, “for these apps”, “in that time”."""

import re

from ai.answers.naming import Names
from ai.language.words import plural
from ai.sql.facts import Origin, Test

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
    """Name the rows of a query unreadable for people: “for these apps”, “in that time”; "" for another condition."""
    if found := PICKED.fullmatch(test.sql):
        (query,) = test.queries
        one = query.limit == 1 or query.first_place is not None
        by = Origin(found["table"].lower(), found["column"].lower())
        held = names.catalog.table(by.table)
        thing = names.noun(by.table, many=False)
        if held and [key.lower() for key in held.primary_key] != [by.column]:
            thing = names.title(by)
        return f"for this {thing}" if one else f"for these {plural(thing)}"
    return "in that time" if TIMED.fullmatch(test.sql) else ""
