"""A query as facts. A query in FROM counts as its source when it is the only one; else it is named among the unsaid."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from ai.sql.catalog import Catalog
from ai.sql.facts.conditions import COMPARED, tests_in, value_of
from ai.sql.facts.metrics import with_metrics
from ai.sql.facts.model import Facts, Operator, Output, Period, Scalar, Sorting, Test
from ai.sql.facts.outputs import essence, output_of
from ai.sql.facts.sources import Scope, row_table, scope_of
from ai.sql.semantics import NO_SEMANTICS, Semantics

UNSAID = ("qualify", "laterals", "pivots", "windows", "sample", "match", "connect")


def facts_of(sql: str, catalog: Catalog, today: date, semantics: Semantics = NO_SEMANTICS) -> Facts:
    """Describe a query in the dialect of its catalogue, which may be empty."""
    try:
        facts = _query(parse_one(sql, dialect=catalog.dialect), catalog, today)
        return with_metrics(facts, semantics, catalog.dialect)
    except (SqlglotError, ValueError, RecursionError):
        return Facts(unsaid=("the query",))


def _query(tree: exp.Expr, catalog: Catalog, today: date) -> Facts:
    inner = tree.unnest() if isinstance(tree, exp.Subquery) else tree
    if isinstance(inner, exp.Select):
        return _select(scope_of(inner, catalog, {}), today)
    if isinstance(inner, exp.SetOperation):
        first = _query(inner.this, catalog, today)
        return Facts(tuple(Output(o.name, o.sql, is_plain=False) for o in first.outputs), unsaid=("several queries",))
    return Facts(unsaid=("the query",))


def _select(scope: Scope, today: date) -> Facts:
    outputs = tuple(_outputs(scope, today))
    inner = _inner(scope, today)
    own = _own_tests(scope, today)
    grouped, hidden = _groups(scope, outputs, today)
    limit, offset = _number(scope.select, "limit"), _number(scope.select, "offset")
    facts = Facts(
        outputs=outputs,
        tables=tuple(dict.fromkeys(s.table for s in scope.sources.values() if s.table)),
        rows=row_table(scope, {test.table for test in own if isinstance(test, Test) and test.operator == "without"}),
        tests=own,
        havings=tuple(_havings(scope, today)),
        groups=grouped,
        hidden_groups=hidden,
        order=tuple(_order(scope, outputs, today)),
        limit=limit,
        offset=offset or 0,
        distinct=bool(scope.select.args.get("distinct")),
        unsaid=tuple(_unsaid(scope)),
    )
    return facts if inner is None else _over(facts, inner)


def _outputs(scope: Scope, today: date) -> Iterator[Output]:
    for item in scope.select.expressions:
        if isinstance(item, exp.Star) or (isinstance(item, exp.Column) and isinstance(item.this, exp.Star)):
            yield from _starred(item, scope, today)
        else:
            yield output_of(item, scope, today)


def _starred(item: exp.Expr, scope: Scope, today: date) -> Iterator[Output]:
    only = item.table.lower() if isinstance(item, exp.Column) else ""
    for alias, source in scope.sources.items():
        table = scope.catalog.table(source.table) if source.table else None
        if only not in ("", alias):
            continue
        if source.query is not None and (inner := scope.inside(source.query)) is not None:
            yield from _outputs(scope_of(inner, scope.catalog, scope.named), today)
        for column in table.columns if table else ():
            yield output_of(exp.column(column.name, table=alias), scope, today)


def _inner(scope: Scope, today: date) -> Facts | None:
    """Return the facts of the only source where it is a query."""
    if len(scope.sources) != 1:
        return None
    source = next(iter(scope.sources.values()))
    inner = scope.inside(source.query) if source.query is not None else None
    return _select(scope_of(inner, scope.catalog, scope.named), today) if inner is not None else None


def _over(facts: Facts, inner: Facts) -> Facts:
    """A query over one other: what the inner one demands holds too."""
    steps = _is_regrouped(facts) and (inner.groups or inner.limit is not None or inner.distinct)
    ranked = tuple("a rank" for test in facts.conditions if _is_ranked(test, inner))
    unsaid = (*facts.unsaid, *inner.unsaid, *ranked, *(("a query inside",) if steps or _cuts(inner, facts) else ()))
    groups, hidden = (facts.groups, facts.hidden_groups) if _is_regrouped(facts) else _kept(facts, inner)
    return replace(
        facts,
        tables=inner.tables,
        rows=inner.rows if not steps else "",
        tests=(
            *inner.tests,
            *(test for test in facts.tests if not (_figure_tested(test, inner) or _is_ranked(test, inner))),
        ),
        havings=(*inner.havings, *facts.havings, *_on_figures(facts, inner)),
        groups=groups,
        hidden_groups=hidden,
        order=facts.order or (_passed_on(inner.order, facts) if inner.limit is not None else ()),
        limit=facts.limit if facts.limit is not None else inner.limit,
        unsaid=unsaid,
    )


def _passed_on(order: tuple[Sorting, ...], facts: Facts) -> tuple[Sorting, ...]:
    """The order of a query inside, its places among the outputs of the outer one."""
    return tuple(replace(key, place=facts.outputs.index(key.by) if key.by in facts.outputs else None) for key in order)


def _on_figures(facts: Facts, inner: Facts) -> Iterator[tuple[Output, Operator, tuple[Scalar, ...]]]:
    """Conditions of the outer query on figures of the inner one: they are conditions on its groups."""
    for test in facts.conditions:
        if (output := _figure_tested(test, inner)) is not None:
            yield output, test.operator, test.values


def _figure_tested(test: Test | Period, inner: Facts) -> Output | None:
    if not isinstance(test, Test) or test.origin is None or test.operator not in COMPARED.values():
        return None
    name = test.origin.column if not test.origin.table else ""
    known = ("other", "running", "")
    return next((o for o in inner.outputs if o.function not in known and o.name.lower() == name), None)


def _is_ranked(test: Test | Period, inner: Facts) -> bool:
    """Whether a condition is on a rank or a running figure of the inner query."""
    name = test.origin.column if test.origin is not None and not test.origin.table else None
    return any(o.function in ("other", "running") and o.name.lower() == name for o in inner.outputs)


def _cuts(inner: Facts, facts: Facts) -> bool:
    return inner.limit is not None and (facts.limit is not None or bool(facts.tests) or bool(facts.order))


def _is_regrouped(facts: Facts) -> bool:
    return bool(facts.groups or facts.hidden_groups) or all(o.is_figure for o in facts.outputs)


def _kept(facts: Facts, inner: Facts) -> tuple[tuple[int, ...], tuple[Output, ...]]:
    sources = [inner.outputs[at] for at in inner.groups]
    bodies = [replace(source, name="", sql="") for source in sources]
    shown = tuple(at for at, output in enumerate(facts.outputs) if replace(output, name="", sql="") in bodies)
    left = [
        s
        for s, b in zip(sources, bodies, strict=True)
        if b not in [replace(facts.outputs[at], name="", sql="") for at in shown]
    ]
    return shown, (*inner.hidden_groups, *left)


def _own_tests(scope: Scope, today: date) -> tuple[Test | Period, ...]:
    where = scope.select.args.get("where")
    return tests_in(where.this if where else None, scope, today)


def _groups(scope: Scope, outputs: tuple[Output, ...], today: date) -> tuple[tuple[int, ...], tuple[Output, ...]]:
    group = scope.select.args.get("group")
    shown: list[int] = []
    hidden: list[Output] = []
    for node in group.expressions if group else ():
        place = _place(node, scope, outputs)
        if place is None:
            hidden.append(output_of(node, scope, today))
        else:
            shown.append(place)
    return tuple(dict.fromkeys(shown)), tuple(hidden)


def _place(node: exp.Expr, scope: Scope, outputs: tuple[Output, ...]) -> int | None:
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


def _order(scope: Scope, outputs: tuple[Output, ...], today: date) -> Iterator[Sorting]:
    order = scope.select.args.get("order")
    for key in order.expressions if order else ():
        place = _place(key.this, scope, outputs)
        by = outputs[place] if place is not None else output_of(key.this, scope, today)
        yield Sorting(by, place, bool(key.args.get("desc")))


def _havings(scope: Scope, today: date) -> Iterator[tuple[Output, Operator, tuple[Scalar, ...]]]:
    having = scope.select.args.get("having")
    for node in _conjuncts(having.this) if having else ():
        value = value_of(node.expression) if type(node) in COMPARED else None
        if value is not None:
            place = _place(node.this, scope, ())
            items = scope.select.expressions
            place = next((at for at, i in enumerate(items) if i.alias and i.alias == node.this.name), place)
            by = items[place] if place is not None else node.this
            yield output_of(by, scope, today), COMPARED[type(node)], (value,)


def _conjuncts(node: exp.Expr) -> list[exp.Expr]:
    return list(node.flatten()) if isinstance(node, exp.And) else [node]


def _unsaid(scope: Scope) -> Iterator[str]:
    """Name what the facts leave out."""
    yield from (part for part in UNSAID if scope.select.args.get(part))
    queries = [source for source in scope.sources.values() if source.query is not None]
    if len(scope.sources) > 1 and queries:
        yield "a query inside"
    if any(source.query is not None and scope.inside(source.query) is None for source in queries):
        yield "several queries"
    for join in scope.select.args.get("joins") or ():
        on = join.args.get("on")
        if on is not None and any(not isinstance(t, exp.EQ) or t.find(exp.Literal) for t in _conjuncts(on)):
            yield "a condition of a join"
    having = scope.select.args.get("having")
    if having and any(type(n) not in COMPARED or value_of(n.expression) is None for n in _conjuncts(having.this)):
        yield "a condition on groups"


def _number(select: exp.Select, name: str) -> int | None:
    node = select.args.get(name)
    part = "count" if isinstance(node, exp.Fetch) else "expression"
    value = node.args.get(part) if node else None
    return int(value.name) if isinstance(value, exp.Literal) and value.is_int else None
