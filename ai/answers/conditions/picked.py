"""Say which rows a query inside a condition picks, where nobody can read it: those shown before."""

import re

from ai.answers.naming import Names

PICKED = re.compile(r"(?P<table>\w+)\.\w+ IN \(?\{0\}\)?")
TIMED = re.compile(r"(?:STRFTIME|DATE_TRUNC|DATE_FORMAT|TO_CHAR)\(.*\) IN \(?\{0\}\)?", re.IGNORECASE)


def picked(said: str, names: Names) -> str:
    """Return “for these apps” or “in that time”; "" for another condition."""
    if found := PICKED.fullmatch(said):
        return f"for these {names.noun(found['table'].lower())}"
    return "in that time" if TIMED.fullmatch(said) else ""
