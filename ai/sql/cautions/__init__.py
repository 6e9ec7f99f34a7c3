"""Cautions: what a query that ran may still get wrong, as short notes beside its answer."""

from datetime import date

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from ai.results.table import ResultTable
from ai.sql.catalog import Catalog
from ai.sql.cautions.asked import Asked
from ai.sql.cautions.claims import claims
from ai.sql.cautions.evidence import Ask, Caution, Detector, Evidence
from ai.sql.cautions.frames import Frames
from ai.sql.cautions.missing import finds_nothing, near, nulls, truncated, unjoined
from ai.sql.cautions.periods import unfinished
from ai.sql.cautions.sums import averages, mixed, multiplied, undone
from ai.sql.facts import Facts, facts_of

__all__ = ["Ask", "Asked", "Caution", "find_cautions", "finds_nothing"]

DETECTORS: tuple[Detector, ...] = (
    claims,
    multiplied,
    averages,
    mixed,
    undone,
    unfinished,
    truncated,
    nulls,
    unjoined,
    near,
)
MOST = 3  # more notes beside one answer are not read


def find_cautions(
    sql: str,
    catalog: Catalog,
    result: ResultTable,
    today: date,
    ask: Ask | None = None,
    *,
    asked: Asked | None = None,
    facts: Facts | None = None,
) -> tuple[Caution, ...]:
    """Find at most MOST cautions, the worst first; none for SQL that does not read.

    `ask` runs a small query in the dialect of the catalogue; it may raise `UserError`. `facts` are those of the SQL, if
    known. The words `asked` are held against them.
    """
    if sql.lstrip()[:7].upper() == "EXPLAIN":
        return ()
    try:
        tree = parse_one(sql, dialect=catalog.dialect)
    except (SqlglotError, ValueError, RecursionError):
        return ()
    if not isinstance(tree, exp.Query):
        return ()
    told = facts or facts_of(sql, catalog, today)
    evidence = Evidence(tree, catalog, Frames(tree, catalog), result, today, told, ask, asked)
    found = [caution for detector in DETECTORS for caution in detector(evidence)]
    return tuple(dict.fromkeys(found))[:MOST]
