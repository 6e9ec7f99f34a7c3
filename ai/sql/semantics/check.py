"""Compare definitions with a catalogue: tables and columns exist, metrics are aggregates allowed by the guard.

A misfit, such as a column dropped since the file was written, is left out of what analysts see; the rest stays.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import islice
from typing import Any

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from ai.errors import SqlRefused
from ai.language.spelling import nearest_name
from ai.language.words import name_parts
from ai.sql.catalog import Catalog, Column, Table
from ai.sql.guard import check
from ai.sql.semantics.nodes import NEAR
from ai.sql.semantics.vocabulary import (
    PENCE,
    SMALL_UNITS,
    Join,
    Metric,
    Semantics,
    Synonym,
    Term,
    Unit,
    Wording,
    own_target,
)

NUMBERS = frozenset({"integer", "number"})
AMOUNTS = frozenset("price total amount amt net gross cost fee discount refund vat deposit".split())
WHOLE = Unit("", 0.01)
STERLING = Unit("GBP", 0.01)


@dataclass(frozen=True, slots=True)
class Misfit:
    """A definition that does not fit: its `field` in the file (`metrics.revenue.table`), and why, in one clause."""

    field: str
    reason: str


def misfits_of(semantics: Semantics, catalog: Catalog) -> tuple[Misfit, ...]:
    """List all misfits in the order of the file."""
    return tuple(problem for _, found in _checked(semantics, catalog) for problem in found)


@lru_cache(maxsize=64)
def fitting(semantics: Semantics, catalog: Catalog) -> Semantics:
    """Return the definitions without misfits, spelled as the catalogue is, and the units that names imply."""
    bad = [item for item, found in _checked(semantics, catalog) if found]
    spelled = partial(_spelled, catalog)
    return replace(
        semantics,
        metrics=tuple(
            replace(m, table=spelled(m.table), date=spelled(own_target(m.table, m.date)) if m.date else "")
            for m in semantics.metrics
            if m not in bad
        ),
        terms=tuple(replace(t, table=spelled(t.table)) for t in semantics.terms if t not in bad),
        joins=tuple(Join(spelled(j.child), spelled(j.parent)) for j in semantics.joins if j not in bad),
        units=dict(_implied_units(catalog))
        | {spelled(key): unit for key, unit in semantics.units.items() if ("units", key) not in bad},
        non_additive={
            spelled(key): grain for key, grain in semantics.non_additive.items() if ("non_additive", key) not in bad
        },
        synonyms=tuple(replace(s, target=spelled(s.target)) for s in semantics.synonyms if s not in bad),
        wordings=tuple(w for w in semantics.wordings if w not in bad),
        display={
            spelled(table): spelled(f"{table}.{column}").rpartition(".")[2]
            for table, column in semantics.display.items()
            if ("display", table) not in bad
        },
        dates={
            spelled(table): spelled(own_target(table, column))
            for table, column in semantics.dates.items()
            if ("dates", table) not in bad
        },
    )


def find_column(catalog: Catalog, target: str) -> tuple[Table, Column] | None:
    """Find `table.column` in any letter case; the name of a table may hold dots of its own."""
    table_name, _, column_name = target.rpartition(".")
    table = catalog.table(table_name)
    column = table.column(column_name) if table else None
    return (table, column) if table and column else None


def _spelled(catalog: Catalog, target: str) -> str:
    """Respell a table or `table.column` as in the catalogue."""
    if table := catalog.table(target):
        return table.name
    found = find_column(catalog, target)
    return f"{found[0].name}.{found[1].name}" if found else target


def _checked(semantics: Semantics, catalog: Catalog) -> Iterator[tuple[object, tuple[Misfit, ...]]]:
    """Yield each definition with its misfits; one by table or column stands as (section, key)."""
    listed: tuple[tuple[Iterable[Any], Callable[[Any, Catalog], Iterator[Misfit]]], ...] = (
        (semantics.metrics, _of_metric),
        (semantics.terms, _of_term),
        (semantics.joins, _of_join),
        (semantics.synonyms, _of_synonym),
        (semantics.wordings, _of_wording),
    )
    for definitions, misfits in listed:
        for definition in definitions:
            yield definition, tuple(misfits(definition, catalog))
    for section, targets in (("units", semantics.units), ("non_additive", semantics.non_additive)):
        for target in targets:
            yield (section, target), tuple(_of_figure(f"{section}.{target}", target, catalog))
    for section, kept in (("display", semantics.display), ("dates", semantics.dates)):
        for table, column in kept.items():
            yield (section, table), tuple(_of_own_column(section, table, column, catalog))
    for name in sorted(semantics.hidden):
        yield name, tuple(_of_table("hidden", name, catalog))


def _of_table(field: str, name: str, catalog: Catalog) -> Iterator[Misfit]:
    if catalog.table(name) is None:
        yield Misfit(field, _unknown("table", name, [table.name for table in catalog.tables]))


def _of_column(field: str, target: str, catalog: Catalog) -> Iterator[Misfit]:
    table_name, _, column = target.rpartition(".")
    table = catalog.table(table_name)
    if table is None:
        yield from _of_table(field, table_name, catalog)
    elif table.column(column) is None:
        names = [column.name for column in table.columns]
        yield Misfit(field, _unknown("column", column, names, f" in the table {table.name}"))


def _of_synonym(synonym: Synonym, catalog: Catalog) -> Iterator[Misfit]:
    field, target = f"synonyms.{synonym.word}", synonym.target
    if catalog.table(target) is None:
        yield from _of_column(field, target, catalog) if "." in target else _of_table(field, target, catalog)


def _of_join(join: Join, catalog: Catalog) -> Iterator[Misfit]:
    ends = (misfit for end in (join.child, join.parent) for misfit in _of_column("joins", end, catalog))
    yield from islice(ends, 1)


def _of_own_column(section: str, table: str, column: str, catalog: Catalog) -> Iterator[Misfit]:
    field, target = f"{section}.{table}", own_target(table, column)
    found = find_column(catalog, target)
    if problems := (*_of_table(field, table, catalog), *_of_column(field, target, catalog)):
        yield problems[0]
    elif section == "dates" and found:
        yield from _of_date(field, target, catalog)


def _of_date(field: str, target: str, catalog: Catalog) -> Iterator[Misfit]:
    yield from _of_column(field, target, catalog)
    found = find_column(catalog, target)
    if found and not (found[1].has_months or found[1].kind in ("date", "datetime")):
        yield Misfit(field, f"{target} holds {found[1].kind} values; name a column of dates")


def _of_wording(wording: Wording, catalog: Catalog) -> Iterator[Misfit]:
    target = f"{wording.table}.{wording.column}"
    field = f"values.{target}.{wording.value}"
    yield from _of_column(field, target, catalog)
    if (found := find_column(catalog, target)) is None:
        return
    column = found[1]
    if column.kind in NUMBERS and not _is_number(wording.value):
        yield Misfit(field, f"{target} holds numbers, and {wording.value!r} is none")
    elif column.values and wording.value not in column.values:
        yield Misfit(field, _unknown("value", wording.value, column.values, f" in {target}"))


def _of_figure(field: str, target: str, catalog: Catalog) -> Iterator[Misfit]:
    """Find what is wrong with a column of numbers."""
    yield from _of_column(field, target, catalog)
    if (found := find_column(catalog, target)) and found[1].kind not in NUMBERS:
        yield Misfit(field, f"{target} holds {found[1].kind} values; name a column of numbers")


def _of_term(term: Term, catalog: Catalog) -> Iterator[Misfit]:
    field = f"terms.{term.name}"
    table = catalog.table(term.table)
    if table is None:
        yield from _of_table(f"{field}.table", term.table, catalog)
        return
    condition = _parsed(term.condition, catalog)
    if condition is None:
        yield Misfit(f"{field}.condition", "this is not SQL; write a condition such as status = 'paid'")
        return
    if strange := next(_strange_columns(f"{field}.condition", condition, table), None):
        yield strange
        return
    select = _rows_of(table, exp.Literal.number(1)).where(condition)
    if reason := _refusal(select, catalog):
        yield Misfit(f"{field}.condition", reason)


def _of_metric(metric: Metric, catalog: Catalog) -> Iterator[Misfit]:
    field = f"metrics.{metric.name}"
    yield from _of_table(f"{field}.table", metric.table, catalog)
    table = catalog.table(metric.table)
    if table is None:
        return
    if metric.date:
        yield from _of_date(f"{field}.date", own_target(metric.table, metric.date), catalog)
    aggregate = _parsed(metric.expression, catalog)
    condition = _parsed(metric.condition, catalog) if metric.condition else None
    if aggregate is None or (metric.condition and condition is None):
        yield Misfit(f"{field}.expression", "this is not SQL; write an aggregate such as SUM(amount)")
        return
    if reason := _not_an_aggregate(aggregate):
        yield Misfit(f"{field}.expression", reason)
        return
    parts = ((f"{field}.expression", aggregate), (f"{field}.condition", condition))
    if strange := [problem for part, tree in parts if tree for problem in _strange_columns(part, tree, table)]:
        yield strange[0]
        return
    select = _rows_of(table, aggregate)
    if reason := _refusal(select.where(condition), catalog):
        part = "expression" if _refusal(select, catalog) else "condition"
        yield Misfit(f"{field}.{part}", reason)


def _strange_columns(field: str, tree: exp.Expr, table: Table) -> Iterator[Misfit]:
    """Find columns that the table has not, those of subqueries left to the guard."""
    for node in tree.find_all(exp.Column):
        if node.find_ancestor(exp.Query) is None and table.column(node.name) is None:
            names = [column.name for column in table.columns]
            yield Misfit(field, _unknown("column", node.name, names, f" in the table {table.name}"))


def _rows_of(table: Table, shown: exp.Expr) -> exp.Select:
    return exp.Select(expressions=[shown]).from_(exp.Table(this=exp.to_identifier(table.name, quoted=True)))


def _refusal(select: exp.Select, catalog: Catalog) -> str:
    """Say why the guard does not let a query run, "" where it does."""
    try:
        check(select.sql(dialect=catalog.dialect), catalog)
    except SqlRefused as refusal:
        return str(refusal).removesuffix(".")
    return ""


def _parsed(sql: str, catalog: Catalog) -> exp.Expr | None:
    try:
        return parse_one(sql, dialect=catalog.dialect)
    except SqlglotError:
        return None


def _not_an_aggregate(tree: exp.Expr) -> str | None:
    """Say why an expression is not one figure over many rows."""
    if tree.find(exp.Query, exp.Window):
        return "a metric is computed over the rows of its own table, without subqueries or windows"
    if tree.find(exp.AggFunc) is None:
        return "a metric is an aggregate; write SUM(…), COUNT(…), AVG(…) or a formula of those"
    loose = next((column for column in tree.find_all(exp.Column) if column.find_ancestor(exp.AggFunc) is None), None)
    return f"{loose.name} stands outside of an aggregate; a metric is one figure over many rows" if loose else None


def _unknown(kind: str, name: str, known: Iterable[str], where: str = "") -> str:
    """Say that a name is unknown, and propose the nearest known one."""
    names = list(known)
    found = nearest_name(name, names, NEAR)
    proposal = f"did you mean {found}?" if found else f"there are {', '.join(names[:8])}{' …' * (len(names) > 8)}"
    return f"there is no {kind} {name!r}{where}; {proposal}"


def _is_number(text: str) -> bool:
    return text.lstrip("+-").replace(".", "", 1).isdigit()


def _implied_units(catalog: Catalog) -> Iterator[tuple[str, Unit]]:
    """Yield the `table.column` of whole cents, each a hundredth of the currency nobody names."""
    named = {
        f"{table.name}.{column.name}": name_parts(column.name)
        for table in catalog.tables
        for column in table.columns
        if column.kind == "integer" and not column.is_flag
    }
    small = {target: parts for target, parts in named.items() if parts and parts[-1] in SMALL_UNITS}
    in_pence = any(parts[-1] == PENCE and AMOUNTS & {*parts} for parts in small.values())
    for target, (*parts, last) in small.items():
        amount = last != "ct" or AMOUNTS & {*parts}
        if amount and (parts or last not in ("minor", PENCE)) and (in_pence or last != PENCE):
            yield target, STERLING if last in ("pence", PENCE) else WHOLE
