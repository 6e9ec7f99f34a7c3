"""The SQL of a metric: its expression over its own table, with its condition inside each aggregate."""

from datetime import date

from sqlglot import exp, parse_one

from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Meaning
from ai.nl2sql.writer.names import table_of
from ai.sql.semantics import Metric, Term


def metric_sql(metric: Metric, table: exp.Table, dialect: str, today: date | None = None) -> exp.Expr:
    """The expression as a tree, every column named by the table."""
    tree = _own(parse_one(metric.expression, dialect=dialect), table)
    if metric.condition:
        condition = _own(parse_one(metric.condition, dialect=dialect), table)
        for aggregate in list(tree.find_all(exp.AggFunc)):
            restrict(aggregate, condition)
    return _on_day(tree, today) if today else tree


def lone_metric(meaning: Meaning, lexicon: Lexicon) -> Metric | None:
    """Return the only metric of groups: its condition holds for all rows, so that groups without such rows are none."""
    only = meaning.measures[0] if len(meaning.all_measures) == 1 and meaning.measures else None
    if only is None or not meaning.groups or only.where or only.per or only.less:
        return None
    metric = lexicon.metric_of(only)
    return metric if metric and metric.condition and only.function == "metric" else None


def condition_sql(metric: Metric, dialect: str) -> exp.Expr:
    """The rows that a metric is of."""
    return _own(parse_one(metric.condition, dialect=dialect), table_of(metric.table, dialect))


def term_test(term: Term, table: exp.Table, dialect: str, *, holds: bool, today: date | None = None) -> exp.Expr:
    """The condition of a term, or that it does not hold: a row for which it is unknown is none of the kind."""
    condition = _own(parse_one(term.condition, dialect=dialect), table)
    condition = _on_day(condition, today) if today else condition
    if holds:
        return exp.paren(condition) if isinstance(condition, exp.Connector) else condition
    other = exp.Case(ifs=[exp.If(this=condition, true=exp.convert(0))], default=exp.convert(1))
    return exp.EQ(this=other, expression=exp.convert(1))


def _on_day(tree: exp.Expr, today: date) -> exp.Expr:
    """The day on which the question is asked, in place of the database's own."""
    for node in list(tree.find_all(exp.CurrentDate)):
        node.replace(exp.Literal.string(today.isoformat()))
    return tree


def _own(tree: exp.Expr, table: exp.Table) -> exp.Expr:
    for column in tree.find_all(exp.Column):
        if column.find_ancestor(exp.Query) is None:  # a subquery names its own tables
            column.set("table", table.this.copy())
    return tree


def restrict(aggregate: exp.Expr, condition: exp.Expr) -> None:
    """Let an aggregate see only the rows of the condition; a CASE, because not every database knows FILTER."""
    inner = aggregate.this
    if isinstance(inner, exp.Distinct):
        inner.set("expressions", [_when(condition, value) for value in inner.expressions])
    else:
        aggregate.set("this", _when(condition, exp.Literal.number(1) if isinstance(inner, exp.Star) else inner))


def _when(condition: exp.Expr, value: exp.Expr) -> exp.Case:
    held = value.args["ifs"] if isinstance(value, exp.Case) and not value.this and not value.args.get("default") else []
    if len(held) == 1:  # one CASE with both conditions reads better than two
        return exp.Case(ifs=[exp.If(this=exp.and_(condition.copy(), held[0].this.copy()), true=held[0].args["true"])])
    return exp.Case(ifs=[exp.If(this=condition.copy(), true=value.copy())])
