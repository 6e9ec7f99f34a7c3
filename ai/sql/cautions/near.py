"""A filter that finds nothing because its value is spelt differently in the data: “did you mean Germany?”."""

from collections.abc import Iterator

from rapidfuzz import fuzz, process, utils
from sqlglot import exp

from ai.results.table import ResultTable
from ai.sql.catalog import Column, Table
from ai.sql.cautions.evidence import Caution, Evidence
from ai.sql.cautions.frames import Frame

NEAR, NEAR_SAME_LETTER = 75.0, 66.0  # rapidfuzz ratio, letter case and punctuation aside; where both begin alike
MOST_VALUES = 5_000
SHORTEST = 2


def near(evidence: Evidence) -> Iterator[Caution]:
    """For an empty answer: each text that a column is compared with, is not there, and resembles one that is."""
    if not finds_nothing(evidence.result):
        return
    for frame in evidence.frames.all():
        for node, text in _compared(frame):
            found = evidence.frames.column(frame, node)
            if found and (meant := _nearest(evidence, *found, text)):
                yield Caution("near", f"There is no {found[1].name} “{text}”; did you mean “{meant}”?")


def finds_nothing(result: ResultTable) -> bool:
    """Whether a result has no row, or one that only says that there is nothing."""
    rows = result.rows
    return not rows or (len(rows) == 1 and all(cell in (None, 0) for cell in rows[0]))


def _compared(frame: Frame) -> Iterator[tuple[exp.Column, str]]:
    """The (column, text) pairs that must be equal for a row to count."""
    for test in frame.select.find_all(exp.EQ, exp.In):
        if test.find_ancestor(exp.Select) is not frame.select or test.find_ancestor(exp.Not):
            continue
        others = test.expressions if isinstance(test, exp.In) else [test.expression]
        column = test.this
        if isinstance(column, exp.Lower | exp.Upper | exp.Trim):
            column = column.this
        if isinstance(column, exp.Column):
            yield from ((column, node.name) for node in others if isinstance(node, exp.Literal) and node.is_string)


def _nearest(evidence: Evidence, table: Table, column: Column, text: str) -> str | None:
    """The value of the column that a text must mean, or None where it is there, or nothing is near."""
    if column.kind != "text" or len(text) < SHORTEST:
        return None
    values = column.values or _asked(evidence, table, column)
    if text in values:
        return None
    alike = process.extract(
        text, values, scorer=fuzz.ratio, processor=utils.default_process, score_cutoff=NEAR_SAME_LETTER
    )
    found = (value for value, score, _ in alike if score >= NEAR or value[:1].lower() == text[:1].lower())
    return next(found, None)


def _asked(evidence: Evidence, table: Table, column: Column) -> tuple[str, ...]:
    """The different values of a column that the catalogue does not list; () when there are too many."""
    query = (
        exp.select(exp.column(column.name, quoted=True))
        .distinct()
        .from_(exp.Table(this=exp.to_identifier(table.name, quoted=True)))
    )
    rows = evidence.answers(query.limit(MOST_VALUES + 1), table)
    return tuple(str(row[0]) for row in rows if row[0] is not None) if len(rows) <= MOST_VALUES else ()
