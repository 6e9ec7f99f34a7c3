"""Outputs equal to a metric of the semantics file, by any author of the SQL."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from ai.sql.facts.model import Facts, Output, Period, Test
from ai.sql.semantics import Metric, Semantics


def with_metrics(facts: Facts, semantics: Semantics, dialect: str) -> Facts:
    """Name the metrics among the outputs; its name says its conditions too."""
    if not semantics.metrics:
        return facts
    facts = _inside_named(facts, lambda inner: with_metrics(inner, semantics, dialect))
    found = [_named(output, facts, semantics, dialect) for output in facts.outputs]
    figures = [metric for output, metric in zip(facts.outputs, found, strict=True) if output.is_figure]
    shared = {sql for metric in figures if metric for sql in _conjuncts(metric.condition, dialect)}
    implied = bool(figures) and all(figures)
    tests = tuple(t for t in facts.tests if not (implied and _plain(getattr(t, "sql", ""), dialect) in shared))
    outputs = tuple(
        replace(o, metric=m.name, tests=_further(o, m, dialect))
        if m
        else replace(o, lacks=_lacking(o, facts, semantics, dialect))
        for o, m in zip(facts.outputs, found, strict=True)
    )
    order = tuple(replace(key, by=outputs[key.place]) if key.place is not None else key for key in facts.order)
    return replace(facts, outputs=outputs, tests=tests, order=order)


def _further(output: Output, metric: Metric, dialect: str) -> tuple[Test | Period, ...]:
    """Return the conditions inside a figure beyond those of its metric: one period of several."""
    parts = (output, *output.parts, *output.operands)
    tests = next((part.tests for part in parts if part.tests), ())
    tree = _read(metric.expression, dialect)
    inside = tree.find_all(exp.Predicate) if tree is not None else ()  # of `SUM(score >= 9)`
    own = _conjuncts(metric.condition, dialect) | {_plain_tree(part.copy()).sql() for part in inside}
    return tuple(t for t in tests if isinstance(t, Period) or _plain(t.sql, dialect) not in own)


def _inside_named(facts: Facts, name: Callable[[Facts], Facts]) -> Facts:
    outputs = tuple(replace(o, query=name(o.query)) if o.query else o for o in facts.outputs)
    tests = tuple(
        replace(t, queries=tuple(map(name, t.queries))) if isinstance(t, Test) and t.queries else t for t in facts.tests
    )
    steps, branches = tuple(map(name, facts.steps)), tuple(map(name, facts.branches))
    return replace(facts, outputs=outputs, tests=tests, steps=steps, branches=branches)


def _lacking(output: Output, facts: Facts, semantics: Semantics, dialect: str) -> str:
    """Return the metric equal to a figure but for the metric's condition, "" for none."""
    if not output.is_figure or not output.sql:
        return ""
    made = _plain(output.sql, dialect)
    tested = {test.origin.column for test in (*facts.tests, *output.tests) if test.origin is not None}
    for metric in semantics.metrics:
        alike = metric.table.lower() in facts.tables and _plain(metric.expression, dialect) == made
        if alike and output.function != "count" and not _columns_of(metric.condition, dialect) <= tested:
            return metric.name
    return ""


@lru_cache(maxsize=512)
def _columns_of(condition: str, dialect: str) -> frozenset[str]:
    tree = _read(condition, dialect)
    return frozenset(column.name.lower() for column in tree.find_all(exp.Column)) if tree is not None else frozenset()


def _named(output: Output, facts: Facts, semantics: Semantics, dialect: str) -> Metric | None:
    if not output.is_figure:
        return None
    conditions = {_plain(getattr(test, "sql", ""), dialect) for test in (*facts.tests, *output.tests)}
    made = _plain(output.sql, dialect)
    for wanted, metric in _narrowest_first(semantics, dialect):
        expression = _plain(metric.expression, dialect)
        counts_others = output.function == "count" and facts.rows not in ("", metric.table.lower())
        if metric.table.lower() not in facts.tables or not expression or counts_others:
            continue
        if (made == expression and wanted <= conditions) or _inside(output.sql, wanted, dialect) == expression:
            return metric
    return None


def _narrowest_first(semantics: Semantics, dialect: str) -> list[tuple[frozenset[str], Metric]]:
    """Return metrics with their conditions, those with most of them first: cancellations are bookings too."""
    found = [(_conjuncts(metric.condition, dialect), metric) for metric in semantics.metrics]
    return sorted(found, key=lambda each: -len(each[0]))


def _inside(sql: str, wanted: frozenset[str], dialect: str) -> str:
    """Return the expression without the CASE around the same rows in each aggregate, the wanted among them, else ""."""
    tree = _read(sql, dialect)
    aggregates = list(tree.find_all(exp.AggFunc)) if tree is not None else []
    same: set[str] | None = None
    for aggregate in aggregates:
        held = aggregate.this.expressions if isinstance(aggregate.this, exp.Distinct) else [aggregate.this]
        for case in held:
            found = _case_conjuncts(case) if isinstance(case, exp.Case) else None
            if found is None or not wanted <= found or (same is not None and found != same):
                return ""
            same = found
            value = case.args["ifs"][0].args["true"]
            case.replace(exp.Star() if isinstance(aggregate, exp.Count) and value.name == "1" else value)
    return _plain_tree(tree).sql() if tree is not None and aggregates else ""


def _case_conjuncts(case: exp.Case) -> set[str] | None:
    if len(case.args["ifs"]) != 1 or case.args.get("default") is not None:
        return None
    test = case.args["ifs"][0].this.copy()
    return {_plain_tree(part.copy()).sql() for part in (test.flatten() if isinstance(test, exp.And) else (test,))}


@lru_cache(maxsize=512)
def _conjuncts(condition: str, dialect: str) -> frozenset[str]:
    tree = _read(condition, dialect)
    if tree is None:
        return frozenset()
    return frozenset(_plain_tree(part).sql() for part in (tree.flatten() if isinstance(tree, exp.And) else (tree,)))


@lru_cache(maxsize=2_048)
def _plain(sql: str, dialect: str) -> str:
    tree = _read(sql, dialect)
    return _plain_tree(tree).sql() if tree is not None else ""


def _read(sql: str, dialect: str) -> exp.Expr | None:
    try:
        return parse_one(sql, dialect=dialect) if sql else None
    except SqlglotError:
        return None


def _plain_tree(tree: exp.Expr) -> exp.Expr:
    """Drop rounding, guards against zero, and all that `unqualified` drops."""
    while isinstance(tree, exp.Round | exp.Paren):
        tree = tree.this
    for safe in list(tree.find_all(exp.Nullif)):
        safe.replace(safe.this)
    return unqualified(tree)


def unqualified(tree: exp.Expr) -> exp.Expr:
    """Drop the names of tables at columns, quotes and capitals, in place."""
    for column in tree.find_all(exp.Column):
        for part in ("table", "db", "catalog"):
            column.set(part, None)
    for identifier in tree.find_all(exp.Identifier):
        identifier.set("this", identifier.name.lower())
        identifier.set("quoted", False)
    return tree
