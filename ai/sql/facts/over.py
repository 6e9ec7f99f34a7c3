"""A query over one other as facts of both: conditions add up, figures tested outside are conditions on groups."""

from collections.abc import Iterator
from dataclasses import replace

from ai.sql.facts.conditions import COMPARED
from ai.sql.facts.model import Facts, Having, OrderKey, Output, Period, Test


def over(facts: Facts, inner: Facts) -> Facts:
    """A query over one other: the conditions of the inner one hold too."""
    regrouped = _is_regrouped(facts) and bool(inner.groups or inner.limit is not None or inner.distinct or inner.steps)
    own_step = regrouped or _cuts(inner, facts) or bool(inner.branches)
    groups, hidden = (facts.groups, facts.hidden_groups) if _is_regrouped(facts) else _kept(facts, inner)
    is_open = facts.limit is None and not regrouped
    return replace(
        facts,
        tables=inner.tables,
        rows=inner.rows if not regrouped else "",
        tests=(*inner.tests, *(test for test in facts.tests if _tested(test, inner) is None)),
        havings=(*(inner.havings if not regrouped else ()), *facts.havings, *_on_outputs(facts, inner, windows=False)),
        ranks=(*inner.ranks, *facts.ranks, *_on_outputs(facts, inner, windows=True)),
        steps=(_without_tests(inner),) if own_step else inner.steps,
        groups=groups,
        hidden_groups=hidden,
        order=facts.order
        or (_passed_on(inner.order, facts) if inner.limit is not None and is_open and not own_step else ()),
        limit=inner.limit if is_open and not own_step else facts.limit,
        offset=inner.offset if is_open and not own_step else facts.offset,
        unsaid=(*facts.unsaid, *inner.unsaid, *(("a query inside",) if own_step else ())),
    )


def _without_tests(inner: Facts) -> Facts:
    """A step, without the conditions told of the whole."""
    return replace(inner, tests=())


def _passed_on(order: tuple[OrderKey, ...], facts: Facts) -> tuple[OrderKey, ...]:
    """The order of a query inside, its places among the outputs of the outer one."""
    return tuple(replace(key, place=facts.outputs.index(key.by) if key.by in facts.outputs else None) for key in order)


def _on_outputs(facts: Facts, inner: Facts, *, windows: bool) -> Iterator[Having]:
    """Conditions of the outer query on figures of the inner one: they are conditions on its groups or ranks."""
    for test in facts.conditions:
        output = _tested(test, inner)
        if output is not None and (output.window is not None) == windows:
            yield output, test.operator, test.values


def _tested(test: Test | Period, inner: Facts) -> Output | None:
    """Return the figure of the inner query compared by a condition, if any."""
    if not isinstance(test, Test) or test.origin is None or test.operator not in COMPARED.values():
        return None
    name = test.origin.column if not test.origin.table else ""
    return next((o for o in inner.outputs if o.is_figure and o.name.lower() == name), None)


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
