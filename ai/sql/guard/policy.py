"""Rows and masks: a derived table of the same name replaces every node reading a restricted table, at every scope."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from sqlglot import exp

from ai.errors import SqlRefused
from ai.sql.catalog import Table
from ai.sql.grammars import Grammar, grammar_of
from ai.sql.guard.syntax import read_expression
from ai.sql.rights import Mask, Rights

STARS = "***"
CONDITIONS = 512  # kept as trees


def enforce(
    tree: exp.Expr,
    places: Sequence[tuple[exp.Table, Table]],
    grammar: Grammar,
    rights: Rights,
) -> None:
    """Rewrite the tree to read only permitted rows and columns, and masks."""
    restricted = [(node, table) for node, table in places if rights.changes(table)]
    if not restricted:
        return
    conditions = {table.name: _condition(table, grammar, rights) for _, table in restricted}
    _refuse_capture(tree, conditions.values(), grammar)
    for node, table in restricted:
        node.replace(_seen(node, table, conditions[table.name], grammar, rights))
    if grammar.cross_joins_stay and any(condition is not None for condition in conditions.values()):
        _fix_joins(tree)


def _fix_joins(tree: exp.Expr) -> None:
    """Keep a planner from choosing an order of tables by statistics of hidden rows."""
    for join in tree.find_all(exp.Join):
        if not join.side and join.kind in ("", "INNER"):
            join.set("kind", "CROSS")


def permitted(table: Table, schema: str, grammar: Grammar, rights: Rights, *, fenced: bool) -> exp.Query:
    """Build the query of the permitted columns and rows of a table, fenced as `enforce` does it or not."""
    node = exp.Table(this=exp.Identifier(this=table.name, quoted=True), db=exp.Identifier(this=schema, quoted=True))
    condition = _condition(table, grammar, rights)
    return _permitted(node, table, condition, grammar if fenced else None, rights)


def _condition(table: Table, grammar: Grammar, rights: Rights) -> exp.Expr | None:
    text = rights.condition(table.name)
    return None if text is None else _kept(text, grammar.name)


@lru_cache(maxsize=CONDITIONS)
def _kept(text: str, dialect: str) -> exp.Expr:
    """Read a condition once; its tree is shared, and copied into queries."""
    return read_expression(text, grammar_of(dialect))


def _refuse_capture(tree: exp.Expr, conditions: Iterable[exp.Expr | None], grammar: Grammar) -> None:
    """Refuse a WITH entry named like a table of a condition: it would be read instead."""
    named = {
        grammar.table_key(table.this).casefold()
        for condition in conditions
        if condition is not None
        for table in condition.find_all(exp.Table)
    }
    for cte in tree.find_all(exp.CTE):
        if cte.alias.casefold() in named:
            raise SqlRefused(f"WITH may not name anything {cte.alias} here; choose another name.", "L4")


def _seen(node: exp.Table, table: Table, condition: exp.Expr | None, grammar: Grammar, rights: Rights) -> exp.Subquery:
    """Build (SELECT permitted columns FROM table WHERE condition) under the same name.

    Its fence keeps planners from running conditions of the query, and their errors, on rows that are kept back.
    """
    around = {name: node.args.pop(name) for name in ("joins", "pivots", "sample") if node.args.get(name)}
    alias = node.args.pop("alias", None) or exp.TableAlias(this=node.this.copy())
    select = _permitted(node.copy(), table, condition, grammar, rights)
    subquery = exp.Subquery(this=select, alias=alias)
    for name, value in around.items():
        subquery.set(name, value)
    return subquery


def _permitted(
    node: exp.Table, table: Table, condition: exp.Expr | None, fencing: Grammar | None, rights: Rights
) -> exp.Query:
    denied, masks = rights.denied_columns(table), rights.masks_of(table)
    kept = [column.name for column in table.columns if column.name.lower() not in denied]
    select = exp.Select(expressions=[_shown(name, masks.get(name.lower())) for name in kept], from_=exp.From(this=node))
    if condition is not None:
        select.set("where", exp.Where(this=exp.Paren(this=condition.copy())))
    if condition is not None and fencing is not None:
        return _fenced(select, fencing)
    return select


def _fenced(select: exp.Select, grammar: Grammar) -> exp.Query:
    """Bound a query to all of its rows; where a planner counts them, add none that it expects to be more."""
    bound, rows = grammar.fence
    query: exp.Query = select
    if grammar.endless:
        none = exp.Join(this=_kept(grammar.endless, grammar.name).copy(), kind="CROSS")
        nothing = exp.Select(expressions=[item.copy() for item in select.expressions], joins=[none])
        nothing.set("from_", select.args["from_"].copy())
        nothing.set("where", exp.Where(this=exp.Literal.number(0)))
        query = exp.Union(this=select, expression=nothing, distinct=False)
    query.set(bound.key, bound(expression=exp.Literal.number(rows)))
    return query


def _shown(name: str, mask: Mask | None) -> exp.Expr:
    column = exp.Column(this=exp.Identifier(this=name, quoted=True))
    if mask is None:
        return column
    hidden: exp.Expr = exp.Null()
    if mask == "stars":
        some = exp.Not(this=exp.Is(this=column, expression=exp.Null()))
        hidden = exp.Case(ifs=[exp.If(this=some, true=exp.Literal.string(STARS))])
    return exp.Alias(this=hidden, alias=exp.Identifier(this=name, quoted=True))
