"""The SQL of a column against another column, or against a figure over all rows."""

from sqlglot import exp

from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Filter
from ai.nl2sql.writer.names import COMPARE, column_of, identifier, table_of

REFERRED = "referred_"
AGGREGATE: dict[str, type[exp.AggFunc]] = {"sum": exp.Sum, "avg": exp.Avg, "min": exp.Min, "max": exp.Max}


def beside_column(column: exp.Expr, condition: Filter, lexicon: Lexicon) -> exp.Expr:
    """Compare with another column of the row, or with one of the row that its key refers to."""
    dialect, other = lexicon.catalog.dialect, condition.other or condition.field
    if condition.of is None:
        return COMPARE[condition.operator](this=column, expression=column_of(other, dialect))
    key = next(k for k in lexicon.table(other.table).foreign_keys if k.columns == (condition.of.column,))
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
