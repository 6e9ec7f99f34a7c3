"""The definitions used by a query: metrics by their aggregates, wordings by their value beside its column.

Told by the SQL alone. A metric with a condition is used where the
condition stands inside its aggregates, or among the conditions of the query.
"""

from collections.abc import Iterator

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from ai.nl2sql.writer.metrics import metric_sql
from ai.sql.facts import unqualified
from ai.sql.semantics import Metric, Semantics

CONDITIONS = (exp.Predicate, exp.And, exp.Or, exp.Not)


def definitions_used(sql: str, semantics: Semantics, dialect: str) -> tuple[str, ...]:
    """The names of the metrics and the words of the values, in the order of the file."""
    if not (semantics.metrics or semantics.wordings):
        return ()
    try:
        tree = unqualified(parse_one(sql, dialect=dialect))
    except SqlglotError:
        return ()
    tables = {table.name for table in tree.find_all(exp.Table)}
    said = {node.sql() for node in tree.find_all(exp.AggFunc, *CONDITIONS)}
    return (*_metrics(semantics, tables, said, dialect), *_words(semantics, tables, tree))


def _metrics(semantics: Semantics, tables: set[str], said: set[str], dialect: str) -> Iterator[str]:
    for metric in semantics.metrics:
        if metric.table.lower() in tables and _computes(said, metric, dialect):
            yield metric.name


def _computes(said: set[str], metric: Metric, dialect: str) -> bool:
    table = exp.Table(this=exp.to_identifier(metric.table))
    if _aggregates(metric_sql(metric, table, dialect)) <= said:
        return True
    condition = unqualified(parse_one(metric.condition, dialect=dialect)).sql() if metric.condition else ""
    return condition in said and _aggregates(parse_one(metric.expression, dialect=dialect)) <= said


def _aggregates(tree: exp.Expr) -> set[str]:
    return {node.sql() for node in unqualified(tree).find_all(exp.AggFunc)}


def _words(semantics: Semantics, tables: set[str], tree: exp.Expr) -> Iterator[str]:
    compared = set(_compared(tree))
    words = {(w.table.lower(), w.column.lower(), w.value.lower()): w.word for w in reversed(semantics.wordings)}
    for (table, column, value), word in reversed(words.items()):
        if table in tables and (column, value) in compared:
            yield word


def _compared(tree: exp.Expr) -> Iterator[tuple[str, str]]:
    for node in tree.find_all(exp.EQ, exp.In):
        columns = {column.name.lower() for column in node.this.find_all(exp.Column)}
        others = node.expressions if isinstance(node, exp.In) else [node.expression]
        for literal in (found for other in others for found in other.find_all(exp.Literal, exp.Boolean)):
            yield from ((column, str(literal.this).lower()) for column in columns)
