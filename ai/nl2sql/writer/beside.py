"""The SQL of a column against another column, or against a figure over all rows."""

from collections.abc import Sequence

from sqlglot import exp

from ai.nl2sql.joins import Link, Links
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Among, Filter
from ai.nl2sql.writer.names import COMPARE, column_of, cut, identifier, table_of
from ai.nl2sql.writer.spans import column_sql

REFERRED = "referred_"
AGGREGATE: dict[str, type[exp.AggFunc]] = {"sum": exp.Sum, "avg": exp.Avg, "min": exp.Min, "max": exp.Max}


def beside_column(column: exp.Expr, condition: Filter, lexicon: Lexicon) -> exp.Expr:
    """Compare with another column of the row, or with one of the row that its key refers to."""
    dialect, other = lexicon.catalog.dialect, condition.other or condition.field
    if condition.of is None:
        one, two = column, column_sql(other, lexicon, None)
        kinds = {lexicon.column(condition.field).kind, lexicon.column(other).kind}
        if kinds == {"date", "datetime"}:  # a moment of that day is not after it
            one, two = cut(one, "day", dialect), cut(two, "day", dialect)
        return COMPARE[condition.operator](this=one, expression=two)
    key = next(k for k in lexicon.table(condition.of.table).foreign_keys if k.columns == (condition.of.column,))
    there = table_of(REFERRED, dialect)
    target, above = (
        exp.Column(this=identifier(name, dialect), table=there.this.copy())
        for name in (key.target_columns[0], other.column)
    )
    query = exp.Select(expressions=[exp.Literal.number(1)])
    query = query.from_(exp.alias_(table_of(other.table, dialect), REFERRED, table=True))
    tied = exp.EQ(this=target, expression=column_of(condition.of, dialect))
    return exp.Exists(this=query.where(tied, COMPARE[condition.operator](this=column, expression=above)))


def beside_all(column: exp.Expr, condition: Filter, dialect: str) -> exp.Expr:
    """Compare with a figure over all rows of the table."""
    aggregate = AGGREGATE[condition.than](this=column.copy())
    over = exp.Select(expressions=[aggregate]).from_(table_of(condition.field.table, dialect))
    return COMPARE[condition.operator](this=column, expression=exp.Subquery(this=over))


def further(links: Links, path: Sequence[Link], tests: Sequence[exp.Expr]) -> list[Link]:
    """Return the links from the end of a way to what the tests name beyond it: to the city of a visit's place."""
    reached, found = {path[0].source, *(link.target for link in path)}, []
    named = [column.table for each in tests for column in each.find_all(exp.Column)]
    for name in dict.fromkeys(named):
        for link in (links.path(path[-1].target, name) or ()) if name not in reached else ():
            if link.target not in reached:
                reached.add(link.target)
                found.append(link)
    return found


def one_of(column: exp.Expr, condition: Among, source: exp.Select, dialect: str) -> exp.Expr:
    """Return `column IN (SELECT …)`."""
    if condition.unit or condition.source.limit or len(source.named_selects) > 1:
        name = exp.to_identifier(condition.unit) if condition.unit else identifier(condition.field.column, dialect)
        source = exp.Select(expressions=[exp.Column(this=name)]).from_(source.subquery("shown_"))
    return exp.In(this=column, query=exp.Subquery(this=source))
