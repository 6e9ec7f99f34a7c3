"""The SQL of a follow-up: the query behind a result, and what was done with its rows. Nothing here runs it."""

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

import sqlglot
from sqlglot import exp

from ai.results.steps import Columns, First, Keep, OneOf, Pivot, Rename, Share, Sort, Step

SOURCE = re.compile(r"WITH [`\"\[]?q(\d+)[`\"\]]? AS\b")
COMPARE: dict[str, Callable[[exp.Expression, exp.Expression], exp.Expression]] = {
    "=": lambda cell, value: exp.EQ(this=cell, expression=value),
    "!=": lambda cell, value: exp.NEQ(this=cell, expression=value),
    "<": lambda cell, value: exp.LT(this=cell, expression=value),
    "<=": lambda cell, value: exp.LTE(this=cell, expression=value),
    ">": lambda cell, value: exp.GT(this=cell, expression=value),
    ">=": lambda cell, value: exp.GTE(this=cell, expression=value),
}


def follow_up_sql(sql: str, name: str, titles: Sequence[str], steps: Sequence[Step], dialect: str) -> str:
    """Write `sql` as the table `name`, then each step over the one before."""
    named, titles, select = [(name, sqlglot.parse_one(sql, dialect=dialect))], list(titles), exp.select()
    for number, step in enumerate(steps, 1):
        if isinstance(step, First) and select.args.get("order"):  # an order counts only where rows are cut
            select = select.limit(step.count)
            continue
        if number > 1:
            named.append((f"{name}_{number}", select))
        select, titles = WRITE[type(step)](exp.select().from_(exp.to_identifier(named[-1][0])), titles, step)
    for alias, part in named:
        select = select.with_(alias, as_=part)
    return str(select.sql(dialect=dialect, pretty=True))


def source_of(sql: str) -> int:
    """Return the number of the query whose rows a follow-up works on, 0 for SQL that is none."""
    found = SOURCE.match(sql)
    return int(found[1]) if found else 0


def order_of(sql: str, titles: Sequence[str], dialect: str) -> Sort | None:
    """Return the first key of the order that a query gives its rows, None for one that is no column of them."""
    tree = sqlglot.parse_one(sql, dialect=dialect)
    inner = {cte.alias: cte.this for cte in tree.find_all(exp.CTE)}
    while isinstance(tree, exp.Select) and not tree.args.get("order") and tree.is_star:
        source = tree.find(exp.From)
        tree = inner.pop(source.this.name, exp.Null()) if source else exp.Null()
    order = tree.args.get("order") if isinstance(tree, exp.Select) else None
    return _first_key(order.expressions[0], tree.selects, titles) if isinstance(tree, exp.Select) and order else None


def _first_key(key: exp.Expression, outputs: Sequence[exp.Expr], titles: Sequence[str]) -> Sort | None:
    """Find the column that a key of an order stands for: by its place, its expression or its name."""
    names = [title.lower() for title in titles]
    is_whole = len(outputs) == len(names)
    same = [place for place, output in enumerate(outputs) if is_whole and output.unalias() == key.this]
    named = [place for place, name in enumerate(names) if name == key.this.name.lower()]
    return Sort((same or named)[0], descending=bool(key.args.get("desc"))) if same or named else None


def _column(titles: Sequence[str], place: int) -> exp.Column:
    return exp.column(exp.to_identifier(titles[place], quoted=True))


def _literal(value: str | Decimal) -> exp.Expression:
    return exp.Lower(this=exp.Literal.string(value)) if isinstance(value, str) else exp.Literal.number(str(value))


def _sort(select: exp.Select, titles: list[str], step: Sort) -> tuple[exp.Select, list[str]]:
    ordered = exp.Ordered(this=_column(titles, step.column), desc=step.descending, nulls_first=False)
    return select.select("*").order_by(ordered), titles


def _keep(select: exp.Select, titles: list[str], step: Keep) -> tuple[exp.Select, list[str]]:
    cell = _column(titles, step.column)
    compared = exp.Lower(this=cell) if isinstance(step.value, str) else cell
    condition = COMPARE[step.comparison](compared, _literal(step.value))
    return select.select("*").where(condition), titles


def _among(select: exp.Select, titles: list[str], step: OneOf) -> tuple[exp.Select, list[str]]:
    cell = exp.Lower(this=_column(titles, step.column))
    condition = exp.In(this=cell, expressions=[_literal(value) for value in step.values])
    return select.select("*").where(exp.Not(this=condition) if step.without else condition), titles


def _first(select: exp.Select, titles: list[str], step: First) -> tuple[exp.Select, list[str]]:
    return select.select("*").limit(step.count), titles


def _columns(select: exp.Select, titles: list[str], step: Columns) -> tuple[exp.Select, list[str]]:
    kept = [titles[place] for place in step.columns]
    return select.select(*(_column(titles, place) for place in step.columns)), kept


def _rename(select: exp.Select, titles: list[str], step: Rename) -> tuple[exp.Select, list[str]]:
    named = [step.title if place == step.column else title for place, title in enumerate(titles)]
    cells = (exp.alias_(_column(titles, place), named[place], quoted=True) for place in range(len(titles)))
    return select.select(*cells), named


def _share(select: exp.Select, titles: list[str], step: Share) -> tuple[exp.Select, list[str]]:
    title, cell = f"{titles[step.column]} share %", _column(titles, step.column)
    total = exp.Window(this=exp.Sum(this=cell.copy()))
    share = exp.Div(this=exp.Mul(this=exp.Literal.number("100.0"), expression=cell), expression=total)
    return select.select("*", exp.alias_(share, title, quoted=True)), [*titles, title]


def _pivot(select: exp.Select, titles: list[str], step: Pivot) -> tuple[exp.Select, list[str]]:
    keys = [_column(titles, step.down), _column(titles, step.across)]
    total = exp.alias_(exp.Sum(this=_column(titles, step.value)), titles[step.value], quoted=True)
    return select.select(*keys, total).group_by(*(key.copy() for key in keys)), [titles[step.down]]


WRITE: dict[type[Step], Callable[[exp.Select, list[str], Any], tuple[exp.Select, list[str]]]] = {
    Sort: _sort,
    Keep: _keep,
    OneOf: _among,
    First: _first,
    Columns: _columns,
    Rename: _rename,
    Share: _share,
    Pivot: _pivot,
}
