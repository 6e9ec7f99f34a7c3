"""Wrong SQL made from right SQL, one fault at a time. Each mutation yields trees; the caller keeps those with other rows."""

from collections.abc import Callable, Iterator
from datetime import date

from dateutil.relativedelta import relativedelta
from sqlglot import exp, parse_one

from ai.sql.catalog import Catalog

Mutation = Callable[[exp.Expr, Catalog], Iterator[exp.Expr]]
COMPARED: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.GT: exp.LT, exp.GTE: exp.LTE, exp.LT: exp.GT, exp.LTE: exp.GTE, exp.EQ: exp.NEQ, exp.NEQ: exp.EQ
}  # fmt: skip
AGGREGATES: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.Sum: exp.Avg,
    exp.Avg: exp.Max,
    exp.Max: exp.Min,
    exp.Min: exp.Max,
}


def wrong(sql: str, catalog: Catalog) -> Iterator[tuple[str, str]]:
    """Yield (kind of the fault, SQL)."""
    for kind, mutation in MUTATIONS.items():
        for tree in mutation(parse_one(sql, dialect="sqlite"), catalog):
            yield kind, tree.sql(dialect="sqlite")


def _changed(tree: exp.Expr, at: exp.Expr, new: exp.Expr | None) -> exp.Expr:
    """Return a copy of the tree with one node replaced."""
    path: list[tuple[str, int | None]] = []
    node = at
    while node is not tree and node.parent is not None:
        path.append((node.arg_key or "", node.index))
        node = node.parent
    copy = tree.copy()
    found: exp.Expr = copy
    for key, index in reversed(path):
        held = found.args[key]
        found = held if index is None else held[index]
    if new is None:
        found.pop()
    else:
        found.replace(new)
    return copy


def _conjuncts(where: exp.Expr) -> list[exp.Expr]:
    return list(where.this.flatten()) if isinstance(where.this, exp.And) else [where.this]


def dropped_filter(tree: exp.Expr, _: Catalog) -> Iterator[exp.Expr]:
    for where in tree.find_all(exp.Where):
        parts = _conjuncts(where)
        for at in range(len(parts)):
            left = [part.copy() for place, part in enumerate(parts) if place != at]
            yield _changed(tree, where, exp.Where(this=exp.and_(*left)) if left else None)


def turned_comparison(tree: exp.Expr, _: Catalog) -> Iterator[exp.Expr]:
    for where in tree.find_all(exp.Where, exp.Having):
        for test in _conjuncts(where):
            other = COMPARED.get(type(test))
            if other and test.find(exp.Literal):
                yield _changed(tree, test, other(this=test.this.copy(), expression=test.expression.copy()))
            elif isinstance(test, exp.Not):
                yield _changed(tree, test, test.this.copy())


def _literals(tree: exp.Expr) -> Iterator[exp.Literal]:
    for where in tree.find_all(exp.Where, exp.Having, exp.Case):
        yield from where.find_all(exp.Literal)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def shifted_period(tree: exp.Expr, _: Catalog) -> Iterator[exp.Expr]:
    """All days of the query one month or one year off; one bound alone off."""
    days = [node for node in _literals(tree) if node.is_string and _day(node.name)]
    for step in (relativedelta(months=1), relativedelta(years=1)):
        if days:
            copy = tree.copy()
            for node in list(_literals(copy)):
                if node.is_string and (day := _day(node.name)):
                    last = (day + relativedelta(days=1)).day == 1
                    moved = day - step
                    moved = moved + relativedelta(day=31) if last else moved
                    node.set("this", moved.isoformat())
            yield copy
    if len(days) > 1:
        moved_end = (_day(days[-1].name) or date.min) - relativedelta(months=1)
        yield _changed(tree, days[-1], exp.Literal.string(moved_end.isoformat()))


def wrong_literal(tree: exp.Expr, catalog: Catalog) -> Iterator[exp.Expr]:
    for node in _literals(tree):
        if node.is_string and not _day(node.name) and isinstance(node.parent, exp.EQ | exp.NEQ | exp.In):
            column = node.parent.find(exp.Column)
            values = _values(column.name if column else "", catalog)
            for other in [value for value in values if value != node.name][:1]:
                yield _changed(tree, node, exp.Literal.string(other))


def _values(column: str, catalog: Catalog) -> tuple[str, ...]:
    found = [held.values for table in catalog.tables if (held := table.column(column)) and held.values]
    return found[0] if found else ()


def wrong_number(tree: exp.Expr, _: Catalog) -> Iterator[exp.Expr]:
    for node in _literals(tree):
        parent = node.parent
        if (
            parent is not None
            and node.is_number
            and type(parent) in COMPARED
            and isinstance(parent.this, exp.Column | exp.AggFunc)
        ):
            value = float(node.name) if "." in node.name else int(node.name)
            yield _changed(tree, node, exp.Literal.number(1 - value if value in (0, 1) else value * 10))


def fan_out(tree: exp.Expr, catalog: Catalog) -> Iterator[exp.Expr]:
    """One more join to a table with several rows for each row."""
    for select in tree.find_all(exp.Select):
        start = select.args.get("from_")
        if not start or not isinstance(start.this, exp.Table) or not select.find(exp.Sum, exp.Count, exp.Avg):
            continue
        held = {table.name.lower() for table in select.find_all(exp.Table)}
        for child in catalog.tables:
            for key in child.foreign_keys:
                if key.target_table.lower() == start.this.name.lower() and child.name.lower() not in held:
                    name = start.this.alias_or_name
                    copy = tree.copy()
                    inner = next(one for one in copy.find_all(exp.Select) if one == select)
                    inner.join(
                        exp.to_table(child.name).as_("more"),
                        on=f"more.{key.columns[0]} = {name}.{key.target_columns[0]}",
                        copy=False,
                    )
                    for column in inner.find_all(exp.Column):
                        if not column.table and len(held) == 1:
                            column.set("table", exp.to_identifier(name))
                    yield copy
                    return


def lost_group(tree: exp.Expr, _: Catalog) -> Iterator[exp.Expr]:
    """The grouping goes, and with it the columns grouped by."""
    if isinstance(tree, exp.Select) and (group := tree.args.get("group")):
        copy = tree.copy()
        kept = [item for item in copy.expressions if item.find(exp.AggFunc)]
        if kept and len(kept) < len(copy.expressions):
            copy.set("expressions", kept)
            for part in ("group", "having", "order", "limit"):
                copy.set(part, None)
            yield copy
        if len(group.expressions) > 1:
            copy = tree.copy()
            last = copy.args["group"].expressions[-1]
            copy.set(
                "expressions", [item for item in copy.expressions if item.unalias() != last and item.alias != last.name]
            )
            last.pop()
            yield copy


def wrong_aggregate(tree: exp.Expr, _: Catalog) -> Iterator[exp.Expr]:
    for node in tree.find_all(*AGGREGATES):
        yield _changed(tree, node, AGGREGATES[type(node)](this=node.this.copy()))
    for node in tree.find_all(exp.Count):
        if isinstance(node.this, exp.Distinct) and len(node.this.expressions) == 1:
            yield _changed(tree, node, exp.Count(this=node.this.expressions[0].copy()))


def wrong_column(tree: exp.Expr, catalog: Catalog) -> Iterator[exp.Expr]:
    for node in tree.find_all(exp.Sum, exp.Avg, exp.Max, exp.Min):
        column = node.this
        if isinstance(column, exp.Column):
            owner = next((t for t in catalog.tables if t.column(column.name)), None)
            keys = (
                {name for key in owner.foreign_keys for name in key.columns} | set(owner.primary_key)
                if owner
                else set()
            )
            others = [c.name for c in owner.columns if c.kind in ("integer", "number")] if owner else []
            for other in [name for name in others if name != column.name and name not in keys][:1]:
                yield _changed(tree, column, exp.column(other, table=column.table or None))


def wrong_order(tree: exp.Expr, _: Catalog) -> Iterator[exp.Expr]:
    for node in tree.find_all(exp.Ordered):
        if node.find_ancestor(exp.Window) is None:
            yield _changed(
                tree, node, exp.Ordered(this=node.this.copy(), desc=not node.args.get("desc"), nulls_first=True)
            )
            return


def wrong_limit(tree: exp.Expr, _: Catalog) -> Iterator[exp.Expr]:
    for node in tree.find_all(exp.Limit):
        count = int(node.expression.name)
        yield _changed(tree, node.expression, exp.Literal.number(10 if count < 10 else 3))
        yield _changed(tree, node, None)


MUTATIONS: dict[str, Mutation] = {
    function.__name__: function
    for function in (
        dropped_filter, turned_comparison, shifted_period, wrong_literal, wrong_number, fan_out, lost_group, wrong_aggregate,
        wrong_column, wrong_order, wrong_limit,
    )
}  # fmt: skip
