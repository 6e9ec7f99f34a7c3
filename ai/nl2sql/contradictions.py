"""Conditions of which no row can meet two (“paid” and “free”), and one form for meanings that say the same."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from sqlglot import exp, parse_one
from sqlglot.errors import ParseError, SqlglotError

from ai.nl2sql.definitions import is_metric, is_term
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Filter, Meaning, Measure, Operator, Period, Scalar
from ai.sql.semantics import Term

COMPARED: dict[type[exp.Expr], Operator] = {
    exp.EQ: "=",
    exp.NEQ: "!=",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.LT: "<",
    exp.LTE: "<=",
}
EXACT = ("=", "in")


def excludes(one: Filter, other: Filter, lexicon: Lexicon) -> bool:
    """Whether no row can meet both conditions."""
    others = tuple(plain_tests(other, lexicon))
    return any(_apart(mine, its) for mine in plain_tests(one, lexicon) for its in others if mine.field == its.field)


def impossible(meaning: Meaning, lexicon: Lexicon) -> Field | None:
    """Return the column of a condition that another one, or the definition of a figure, excludes."""
    filters = meaning.filters
    own = meaning.measures[0].where if len(meaning.measures) == 1 else ()
    beside = tuple(test for test in own if isinstance(test, Filter))
    for at, test in enumerate(filters):
        if any(excludes(test, other, lexicon) for other in (*filters[at + 1 :], *beside)):
            return test.field
        if test.operator == "null" and any(period.field == test.field for period in meaning.periods):
            return test.field
    defined = [Field(m.table, m.column or "") for m in meaning.measures if m.function == "metric" and not m.per]
    for field in defined:
        known = tuple(_tests(lexicon.metrics[field].condition, field.table)) if field in lexicon.metrics else ()
        for test in filters:
            if any(_apart(a, b) for a in plain_tests(test, lexicon) for b in known if a.field == b.field):
                return test.field
    return None


def plain_tests(test: Filter, lexicon: Lexicon) -> Iterator[Filter]:
    """Yield the conditions on columns that a condition stands for; those of a term as far as they are simple."""
    if not is_term(test.field):
        if not test.than and not is_metric(test.field):
            yield test
    elif test.operator == "=" and test.values == (True,) and test.field in lexicon.terms:
        yield from _tests(lexicon.terms[test.field].condition, test.field.table)


@lru_cache(maxsize=512)
def _tests(condition: str, table: str) -> tuple[Filter, ...]:
    """Read the simple conditions of SQL that all must hold."""
    return tuple(found for part in _joined(condition) if (found := plain_test(part, table)))


def conditions_of(condition: str, table: str) -> tuple[Filter, ...] | None:
    """Return the conditions that SQL is made of; None where one of them is not simple."""
    found = [plain_test(part, table) for part in _joined(condition)]
    plain = tuple(test for test in found if test)
    return plain if len(plain) == len(found) and bool(found) == bool(condition) else None


def _joined(condition: str) -> list[exp.Expr]:
    """Return the parts of SQL joined by AND; [] for no SQL."""
    try:
        tree = parse_one(condition, read="sqlite") if condition else None
    except ParseError:
        return []
    parts = tree.flatten() if isinstance(tree, exp.And) else [tree] if tree else []
    return [part.unnest() for part in parts]


def plain_test(part: exp.Expr, table: str) -> Filter | None:
    """Read one simple condition of SQL on a column."""
    outer = isinstance(part, exp.Not)
    inner = part.this.unnest() if outer else part
    negated = outer != bool(inner.args.get("negate"))  # `IS NOT` of PostgreSQL
    if not isinstance(inner.this, exp.Column):
        return None
    field = Field(table, inner.this.name)
    if isinstance(inner, exp.Is) and isinstance(inner.expression, exp.Null):
        return Filter(field, "not null" if negated else "null")
    if isinstance(inner, exp.In) and inner.expressions:
        values = [_value(each) for each in inner.expressions]
        known = tuple(value for value in values if value is not None)
        return Filter(field, "not in" if negated else "in", known) if len(known) == len(values) else None
    value = _value(inner.expression) if type(inner) in COMPARED else None
    return Filter(field, COMPARED[type(inner)], (value,)) if value is not None and not negated else None


def _value(node: exp.Expr) -> Scalar | None:
    if isinstance(node, exp.Boolean):
        return bool(node.this)
    if not isinstance(node, exp.Literal):
        return None
    return str(node.this) if node.is_string else float(node.this)


def _apart(one: Filter, other: Filter) -> bool:
    """Whether no value meets both conditions on one column."""
    if "null" in (one.operator, other.operator):
        return one.operator != other.operator
    if other.operator in EXACT:
        one, other = other, one
    if one.operator in EXACT:
        return not any(_meets(value, other) for value in one.values)
    return False


def _meets(value: Scalar, test: Filter) -> bool:
    """Whether a value meets a condition; True where that cannot be told."""
    if test.operator in EXACT:
        return any(_same(value, other) for other in test.values)
    if test.operator in ("!=", "not in"):
        return not any(_same(value, other) for other in test.values)
    bound = test.values[0] if test.values else None
    if test.operator not in (">", ">=", "<", "<=") or isinstance(value, str) or bound is None or isinstance(bound, str):
        return True
    return {">": value > bound, ">=": value >= bound, "<": value < bound, "<=": value <= bound}[test.operator]


def _same(one: Scalar, other: Scalar) -> bool:
    if isinstance(one, str) and isinstance(other, str):
        return one.casefold() == other.casefold()
    return one == other


def in_columns(meaning: Meaning, lexicon: Lexicon) -> Meaning:
    """Return a meaning with `status = 'open'` in place of the kind of row that is defined so; equal conditions once."""
    filters = tuple(dict.fromkeys(_plainly(test, lexicon) for test in meaning.filters))
    return replace(
        meaning,
        filters=tuple(sorted(filters, key=repr)),
        measures=tuple(_figure_in_columns(measure, lexicon) for measure in meaning.measures),
        havings=tuple(replace(h, measure=_figure_in_columns(h.measure, lexicon)) for h in meaning.havings),
        order=tuple(
            replace(o, key=_figure_in_columns(o.key, lexicon)) if isinstance(o.key, Measure) else o
            for o in meaning.order
        ),
        presences=tuple(replace(p, where=_tested_columns(p.where, lexicon)) for p in meaning.presences),
    )


def _figure_in_columns(measure: Measure, lexicon: Lexicon) -> Measure:
    return replace(measure, where=_tested_columns(measure.where, lexicon)) if measure.where else measure


def _tested_columns(tests: tuple[Filter | Period, ...], lexicon: Lexicon) -> tuple[Filter | Period, ...]:
    return tuple(dict.fromkeys(_plainly(t, lexicon) if isinstance(t, Filter) else t for t in tests))


def _plainly(test: Filter, lexicon: Lexicon) -> Filter:
    term = lexicon.terms.get(test.field)
    plain = tested(term, lexicon) if term and test.operator == "=" else None
    return plain or test


def tested(term: Term, lexicon: Lexicon) -> Filter | None:
    """Return the definition of a kind of row where it compares one column with a text."""
    try:
        tree = parse_one(term.condition, dialect=lexicon.catalog.dialect)
    except SqlglotError:
        return None
    found = plain_test(tree, term.table)
    if found is None or found.operator != "=" or not isinstance(found.values[0], str):
        return None
    held = lexicon.table(term.table).column(found.field.column)
    return replace(found, field=Field(term.table, held.name)) if held else None


def size(value: Scalar) -> float:
    """Return a value as a number, 0 where it is none."""
    try:
        return float(value)
    except ValueError:
        return 0.0
