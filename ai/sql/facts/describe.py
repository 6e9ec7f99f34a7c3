"""A query as facts. A query in FROM counts as its source when it is the only one; else it is named among the unsaid."""

from collections.abc import Iterator, Mapping
from datetime import date
from functools import lru_cache

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from ai.sql.catalog import Catalog
from ai.sql.facts.conditions import COMPARED, conjuncts, tests_in, value_of
from ai.sql.facts.medians import with_medians
from ai.sql.facts.metrics import with_metrics
from ai.sql.facts.model import Combination, Facts, Having, OrderKey, Output, Period, Scalar, Test
from ai.sql.facts.outputs import essence, output_of
from ai.sql.facts.over import over
from ai.sql.facts.sources import SelectScope, Setting, named_queries, row_table, scope_of
from ai.sql.semantics import NO_SEMANTICS, Semantics

UNSAID = ("laterals", "pivots", "windows", "sample", "match", "connect")
COMBINED: dict[type[exp.Expr], Combination] = {
    exp.Union: "and",
    exp.Except: "only in the first",
    exp.Intersect: "in both",
}


@lru_cache(maxsize=128)  # an answer, its buttons and those after it describe the same query
def facts_of(sql: str, catalog: Catalog, today: date, semantics: Semantics = NO_SEMANTICS) -> Facts:
    """Describe a query in the dialect of its catalogue; an empty one will do."""
    try:
        facts = _query(parse_one(sql, dialect=catalog.dialect), Setting(catalog, today, _inside))
        return with_metrics(facts, semantics, catalog.dialect)
    except (SqlglotError, ValueError, RecursionError):
        return Facts(unsaid=("the query",))


def _inside(query: exp.Expr, scope: SelectScope | None) -> Facts:
    """Describe a query inside another; it may refer to the sources of that one."""
    return _query(query, scope.setting, scope.named, scope) if scope is not None else Facts(unsaid=("the query",))


def _query(
    tree: exp.Expr, setting: Setting, named: Mapping[str, exp.Query] | None = None, outer: SelectScope | None = None
) -> Facts:
    inner = tree.unnest() if isinstance(tree, exp.Subquery) else tree
    if isinstance(inner, exp.Select):
        return _select(scope_of(with_medians(inner), setting, named or {}, outer))
    if isinstance(inner, exp.SetOperation):
        return _combined(inner, setting, {**(named or {}), **named_queries(inner)}, outer)
    return Facts(unsaid=("the query",))


def _combined(
    tree: exp.SetOperation, setting: Setting, named: Mapping[str, exp.Query], outer: SelectScope | None
) -> Facts:
    """Describe the parts of a UNION, flat as long as they are put together in one way."""
    combined = COMBINED.get(type(tree), "and")
    branches: list[Facts] = []
    for side in (tree.this, tree.expression):
        facts = _query(side, setting, named, outer)
        branches += facts.branches if facts.combined == combined == "and" else [facts]
    outputs = tuple(Output(o.name, o.sql, is_plain=False) for o in branches[0].outputs)
    tables = tuple(dict.fromkeys(table for branch in branches for table in branch.tables))
    return Facts(outputs, tables, branches=tuple(branches), combined=combined, unsaid=("several queries",))


def _select(scope: SelectScope) -> Facts:
    outputs = tuple(_outputs(scope))
    inner = _inner(scope)
    own = _own_tests(scope)
    grouped, hidden = _groups(scope, outputs)
    limit, offset = _number(scope.select, "limit"), _number(scope.select, "offset")
    facts = Facts(
        outputs=outputs,
        tables=tuple(dict.fromkeys(s.table for s in scope.sources.values() if s.table)),
        rows=row_table(scope, {test.table for test in own if isinstance(test, Test) and test.operator == "without"}),
        tests=own,
        havings=tuple(_havings(scope)),
        ranks=tuple(_qualified(scope)),
        steps=() if inner is not None else tuple(_steps(scope)),
        groups=grouped,
        hidden_groups=hidden,
        order=tuple(_order(scope, outputs)),
        limit=limit,
        offset=offset or 0,
        distinct=bool(scope.select.args.get("distinct")),
        ties=scope.ties() if scope.outer else (),
        unsaid=tuple(_unsaid(scope)),
    )
    return facts if inner is None else over(facts, inner)


def _steps(scope: SelectScope) -> Iterator[Facts]:
    for source in scope.sources.values():
        if source.query is not None:
            yield _query(source.query, scope.setting, scope.named)


def _qualified(scope: SelectScope) -> Iterator[Having]:
    """QUALIFY is a condition on a window function."""
    qualify = scope.select.args.get("qualify")
    for node in conjuncts(qualify.this if qualify else None):
        value = value_of(node.expression) if type(node) in COMPARED else None
        if value is not None:
            yield output_of(node.this, scope), COMPARED[type(node)], (value,)


def _outputs(scope: SelectScope) -> Iterator[Output]:
    for item in scope.select.expressions:
        if isinstance(item, exp.Star) or (isinstance(item, exp.Column) and isinstance(item.this, exp.Star)):
            yield from _starred(item, scope)
        else:
            yield output_of(item, scope)


def _starred(item: exp.Expr, scope: SelectScope) -> Iterator[Output]:
    only = item.table.lower() if isinstance(item, exp.Column) else ""
    for alias, source in scope.sources.items():
        table = scope.catalog.table(source.table) if source.table else None
        if only not in ("", alias):
            continue
        if source.query is not None and (inner := scope.inside(source.query)) is not None:
            yield from _outputs(scope.inner(inner))
        for column in table.columns if table else ():
            yield output_of(exp.column(column.name, table=alias), scope)


def _inner(scope: SelectScope) -> Facts | None:
    """Return the facts of the only source where it is a query."""
    if len(scope.sources) != 1:
        return None
    source = next(iter(scope.sources.values()))
    inner = scope.inside(source.query) if source.query is not None else None
    return _select(scope.inner(inner)) if inner is not None else None


def _own_tests(scope: SelectScope) -> tuple[Test | Period, ...]:
    """The conditions of WHERE, and those of joins and groups beside plain comparisons."""
    where, having = scope.select.args.get("where"), scope.select.args.get("having")
    wanted = [part for part in conjuncts(where.this if where else None) if not scope.joins(part)]
    only: list[Test] = []
    for join in scope.select.args.get("joins") or ():
        parts = [part for part in conjuncts(join.args.get("on")) if not scope.joins(part)]
        if join.side and join.this.alias_or_name.lower() in scope.sources:
            table = scope.sources[join.this.alias_or_name.lower()].table
            inner = tests_in(exp.and_(*parts), scope) if parts else ()
            only += [Test("only", "", table=table, inner=inner)] if inner else []
        else:
            wanted += parts
    wanted += [part for part in conjuncts(having.this if having else None) if _compared(part) is None]
    return (*(tests_in(exp.and_(*wanted), scope) if wanted else ()), *only)


def _compared(node: exp.Expr) -> Scalar | None:
    return value_of(node.expression) if type(node) in COMPARED else None


def _groups(scope: SelectScope, outputs: tuple[Output, ...]) -> tuple[tuple[int, ...], tuple[Output, ...]]:
    group = scope.select.args.get("group")
    shown: list[int] = []
    hidden: list[Output] = []
    for node in group.expressions if group else ():
        place = _place(node, scope, outputs)
        if place is None:
            hidden.append(output_of(node, scope))
        else:
            shown.append(place)
    return tuple(dict.fromkeys(shown)), tuple(hidden)


def _place(node: exp.Expr, scope: SelectScope, outputs: tuple[Output, ...]) -> int | None:
    """Return the place of an expression among the outputs, by position, alias or its own text."""
    items = scope.select.expressions
    if isinstance(node, exp.Literal) and node.is_int:
        return int(node.name) - 1 if 0 < int(node.name) <= len(outputs) else None
    if len(items) != len(outputs):
        return next((at for at, o in enumerate(outputs) if o.name.lower() == node.name.lower()), None)
    for at, item in enumerate(items):
        made = item.unalias()
        if essence(made) == essence(node) or (
            isinstance(node, exp.Column) and not node.table and item.alias.lower() == node.name.lower()
        ):
            return at
        if isinstance(node, exp.Column) and isinstance(made, exp.Column) and scope.origin(node) == scope.origin(made):
            return at
    return None


def _order(scope: SelectScope, outputs: tuple[Output, ...]) -> Iterator[OrderKey]:
    order = scope.select.args.get("order")
    for key in order.expressions if order else ():
        place = _place(key.this, scope, outputs)
        by = outputs[place] if place is not None else output_of(key.this, scope)
        yield OrderKey(by, place, bool(key.args.get("desc")))


def _havings(scope: SelectScope) -> Iterator[Having]:
    having = scope.select.args.get("having")
    for node in conjuncts(having.this if having else None):
        if (value := _compared(node)) is not None:
            place = _place(node.this, scope, ())
            items = scope.select.expressions
            place = next((at for at, i in enumerate(items) if i.alias and i.alias == node.this.name), place)
            by = items[place] if place is not None else node.this
            yield output_of(by, scope), COMPARED[type(node)], (value,)


def _unsaid(scope: SelectScope) -> Iterator[str]:
    """Name the parts left out of the facts."""
    yield from (part for part in UNSAID if scope.select.args.get(part))
    queries = [source for source in scope.sources.values() if source.query is not None]
    if len(scope.sources) > 1 and queries:
        yield "a query inside"
    if any(source.query is not None and scope.inside(source.query) is None for source in queries):
        yield "several queries inside"


def _number(select: exp.Select, name: str) -> int | None:
    node = select.args.get(name)
    part = "count" if isinstance(node, exp.Fetch) else "expression"
    value = node.args.get(part) if node else None
    return int(value.name) if isinstance(value, exp.Literal) and value.is_int else None
