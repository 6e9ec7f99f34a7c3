"""Texts in a query that no column holds, and the stored values that they were probably meant to be.

Only columns whose few values stand in the catalogue can tell; a text that is none of them may still be right elsewhere.
"""

from rapidfuzz import fuzz, process
from sqlglot import exp

from ai.sql.catalog import Catalog
from ai.sql.grammars import grammar_of
from ai.sql.syntax import read_sql

NEAR = 75.0  # rapidfuzz ratio, letter case ignored, from which two texts may be the same value
MOST = 3  # stored values told for one text


def near_values(sql: str, catalog: Catalog) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Each text of a checked query that is stored nowhere, with the nearest stored values, best first."""
    _, tree = read_sql(sql, grammar_of(catalog.dialect))
    stored = {value for table in catalog.tables for column in table.columns for value in column.values}
    written = dict.fromkeys(node.this for node in tree.find_all(exp.Literal) if node.is_string)
    found = ((text, _nearest(text, stored)) for text in written if text not in stored)
    return tuple((text, near) for text, near in found if near)


def _nearest(text: str, stored: set[str]) -> tuple[str, ...]:
    matches = process.extract(text, stored, scorer=fuzz.ratio, processor=str.lower, score_cutoff=NEAR, limit=MOST)
    return tuple(value for value, *_ in matches)
