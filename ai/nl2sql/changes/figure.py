"""The additive parts of a figure, its sum and its divisor, and their SQL."""

from dataclasses import dataclass, replace
from datetime import date

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Meaning, Measure
from ai.nl2sql.writer import write_sql
from ai.nl2sql.writer.select import tree_of
from ai.sql.semantics import Metric

TOP, BOTTOM = "=numerator", "=denominator"


@dataclass(frozen=True, slots=True)
class FigureParts:
    """`base` is the denominator, None for a sum. `lexicon` knows the parts as metrics."""

    top: Measure
    base: Measure | None
    lexicon: Lexicon


def parts_of(measure: Measure, lexicon: Lexicon) -> FigureParts | None:
    """Split a figure, None for one not made of sums: distinct counts, medians, extremes."""
    if measure.per:
        top, base = replace(measure, per=None, less=None), measure.per
        is_summed = all(part.function in ("sum", "count") and _adds(part) for part in (top, base))
        return FigureParts(top, base, lexicon) if is_summed and top.table == base.table else None
    if measure.function == "sum" or (measure.function == "count" and _adds(measure)):
        return FigureParts(replace(measure, less=None), None, lexicon)
    if measure.function == "avg" and measure.column:
        return _split(replace(measure, less=None), f"SUM({measure.column})", f"COUNT({measure.column})", lexicon)
    metric = lexicon.metric_of(measure)
    return _of_metric(measure, metric, lexicon) if metric and measure.function == "metric" else None


def _adds(measure: Measure) -> bool:
    return measure.function != "count" or measure.column is None


def _of_metric(measure: Measure, metric: Metric, lexicon: Lexicon) -> FigureParts | None:
    dialect = lexicon.catalog.dialect
    try:
        tree = parse_one(metric.expression, dialect=dialect).unnest()
    except SqlglotError:
        return None
    while isinstance(tree, exp.Round | exp.Cast | exp.Paren | exp.Coalesce):
        tree = tree.this
    if isinstance(tree, exp.Avg):
        inner = tree.this.sql(dialect=dialect)
        return _split(measure, f"SUM({inner})", f"COUNT({inner})", lexicon, metric)
    if isinstance(tree, exp.Div) and not _is_number(tree.expression):
        top, base = tree.this.unnest(), tree.expression.unnest()
        base = base.this if isinstance(base, exp.Nullif) else base
        if _is_sum(top) and _is_sum(base):
            return _split(measure, top.sql(dialect=dialect), base.sql(dialect=dialect), lexicon, metric)
        return None
    return FigureParts(replace(measure, less=None), None, lexicon) if _is_sum(tree) else None


def _is_sum(tree: exp.Expr) -> bool:
    """Whether an expression adds up over rows: sums and counts, times or over numbers."""
    allowed = (exp.Sum, exp.Count)
    found = list(tree.find_all(exp.AggFunc))
    plain = all(isinstance(each, allowed) and not isinstance(each.this, exp.Distinct) for each in found)
    joined = all(
        isinstance(node, exp.AggFunc | exp.Mul | exp.Add | exp.Sub | exp.Paren | exp.Literal | exp.Cast | exp.DataType)
        or (isinstance(node, exp.Div) and _is_number(node.expression))
        for node in tree.walk(prune=lambda each: isinstance(each, exp.AggFunc))
    )
    return bool(found) and plain and joined


def _is_number(tree: exp.Expr) -> bool:
    return isinstance(tree.unnest(), exp.Literal)


def _split(measure: Measure, top: str, base: str, lexicon: Lexicon, metric: Metric | None = None) -> FigureParts:
    condition = metric.condition if metric else ""
    date = metric.date if metric else ""
    made = {
        Field(measure.table, name): Metric(name.lstrip("="), measure.table, expression, condition, date=date)
        for name, expression in ((TOP, top), (BOTTOM, base))
    }
    known = replace(lexicon, metrics={**lexicon.metrics, **made})
    plain = replace(measure, function="metric", per=None, less=None)
    return FigureParts(replace(plain, column=TOP), replace(plain, column=BOTTOM), known)


def figure_sql(meaning: Meaning, lexicon: Lexicon, today: date) -> str:
    return write_sql(meaning, lexicon, today)


def sums_sql(meaning: Meaning, lexicon: Lexicon, today: date) -> str:
    """Keep rows without a parent: the parts must add up to the whole."""
    tree = tree_of(meaning, lexicon, today)
    for join in tree.args.get("joins") or ():
        join.set("side", "LEFT")
    return tree.sql(dialect=lexicon.catalog.dialect, pretty=True)
