"""A figure of each group beside the average of all."""

import re

from ai.answers.naming import Names
from ai.sql.facts import Origin, Test

OF_GROUP = re.compile(r"(?:SUM|AVG)\((?P<table>\w+)\.(?P<column>\w+)\) (?P<sign>[<>]) \(?\{0\}\)?")


def beside_average(test: Test, names: Names) -> str:
    """Return “with revenue above the average”, else ""."""
    found = OF_GROUP.fullmatch(test.sql)
    if found is None or len(test.queries) != 1 or [o.function for o in test.queries[0].outputs] != ["avg"]:
        return ""
    title = names.title(Origin(found["table"].lower(), found["column"].lower()))
    return f"with {title} {'above' if found['sign'] == '>' else 'below'} the average"
