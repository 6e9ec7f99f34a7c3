"""Whether definitions fit a catalogue: every table and column is there, every metric is an aggregate that the guard lets run.

A problem names the field of the file (`metrics.revenue.table`) and says what is allowed. What does not fit, because a
column was dropped since the file was written, is left out of what analysts see; the rest goes on working.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from ai.errors import SqlRefused
from ai.language.spelling import nearest_name
from ai.sql.catalog.catalog import Catalog, Column, Table
from ai.sql.guard.judge import check
from ai.sql.semantics.semantics import Metric, Semantics, Wording, own_target

NEAR = 60.0  # likeness from which a name is worth proposing for another
NUMBERS = frozenset({"integer", "number"})


@dataclass(frozen=True, slots=True)
class Problem:
    """One definition that does not fit: the field of the file, and one clause that says why and what is allowed."""

    field: str
    reason: str


def problems_of(semantics: Semantics, catalog: Catalog) -> tuple[Problem, ...]:
    """Everything that does not fit, in the order of the file."""
    return tuple(problem for _, found in _checked(semantics, catalog) for problem in found)


@lru_cache(maxsize=64)
def fitting(semantics: Semantics, catalog: Catalog) -> Semantics:
    """The definitions without those that do not fit this catalogue, with its own spelling of tables and columns."""
    bad = [item for item, found in _checked(semantics, catalog) if found]
    spelled = partial(_spelled, catalog)
    return replace(
        semantics,
        metrics=tuple(replace(m, table=spelled(m.table)) for m in semantics.metrics if m not in bad),
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
    """The column that `table.column` names, letter case ignored; a table's name may hold dots of its own."""
    table_name, _, column_name = target.rpartition(".")
    table = catalog.table(table_name)
    column = table.column(column_name) if table else None
    return (table, column) if table and column else None


def _spelled(catalog: Catalog, target: str) -> str:
    """A table or `table.column` that is there, as the catalogue spells it."""
    if table := catalog.table(target):
        return table.name
    found = find_column(catalog, target)
    return f"{found[0].name}.{found[1].name}" if found else target


def _checked(semantics: Semantics, catalog: Catalog) -> Iterator[tuple[object, tuple[Problem, ...]]]:
    """Every definition with its problems; display and date columns stand as (section, table)."""
    for metric in semantics.metrics:
        yield metric, tuple(_of_metric(metric, catalog))
    for synonym in semantics.synonyms:
        yield synonym, tuple(_of_target(f"synonyms.{synonym.word}", synonym.target, catalog))
    for section, kept in (("display", semantics.display), ("dates", semantics.dates)):
        for table, column in kept.items():
            yield (section, table), tuple(_of_own_column(section, table, column, catalog))
    for wording in semantics.wordings:
        yield wording, tuple(_of_wording(wording, catalog))
    for name in sorted(semantics.hidden):
        yield name, tuple(_of_table("hidden", name, catalog))


def _of_table(field: str, name: str, catalog: Catalog) -> Iterator[Problem]:
    if catalog.table(name) is None:
        yield Problem(field, _unknown("table", name, [table.name for table in catalog.tables]))


def _of_column(field: str, target: str, catalog: Catalog) -> Iterator[Problem]:
    table_name, _, column = target.rpartition(".")
    table = catalog.table(table_name)
    if table is None:
        yield from _of_table(field, table_name, catalog)
    elif table.column(column) is None:
        names = [column.name for column in table.columns]
        yield Problem(field, _unknown("column", column, names, f" in the table {table.name}"))


def _of_target(field: str, target: str, catalog: Catalog) -> Iterator[Problem]:
    """A table, or `table.column`."""
    if catalog.table(target) is None:
        yield from _of_column(field, target, catalog) if "." in target else _of_table(field, target, catalog)


def _of_own_column(section: str, table: str, column: str, catalog: Catalog) -> Iterator[Problem]:
    field, target = f"{section}.{table}", own_target(table, column)
    found = find_column(catalog, target)
    if problems := (*_of_table(field, table, catalog), *_of_column(field, target, catalog)):
        yield problems[0]
    elif section == "dates" and found and found[1].kind not in ("date", "datetime"):
        yield Problem(field, f"{target} holds {found[1].kind} values; name a column of dates")


def _of_wording(wording: Wording, catalog: Catalog) -> Iterator[Problem]:
    target = f"{wording.table}.{wording.column}"
    field = f"values.{target}.{wording.value}"
    yield from _of_column(field, target, catalog)
    if (found := find_column(catalog, target)) is None:
        return
    column = found[1]
    if column.kind in NUMBERS and not _is_number(wording.value):
        yield Problem(field, f"{target} holds numbers, and {wording.value!r} is none")
    elif column.values and wording.value not in column.values:
        yield Problem(field, _unknown("value", wording.value, column.values, f" in {target}"))


def _of_metric(metric: Metric, catalog: Catalog) -> Iterator[Problem]:
    field = f"metrics.{metric.name}"
    yield from _of_table(f"{field}.table", metric.table, catalog)
    table = catalog.table(metric.table)
    if table is None:
        return
    try:
        aggregate = parse_one(metric.expression, dialect=catalog.dialect)
        condition = parse_one(metric.condition, dialect=catalog.dialect) if metric.condition else None
    except SqlglotError:
        yield Problem(f"{field}.expression", "this is not SQL; write an aggregate such as SUM(amount)")
        return
    if reason := _not_an_aggregate(aggregate):
        yield Problem(f"{field}.expression", reason)
        return
    parts = ((f"{field}.expression", aggregate), (f"{field}.condition", condition))
    if strange := [problem for part, tree in parts if tree for problem in _strange_columns(part, tree, table)]:
        yield strange[0]
        return
    select = exp.Select(expressions=[aggregate]).from_(exp.Table(this=exp.to_identifier(table.name, quoted=True)))
    try:
        check(select.where(condition).sql(dialect=catalog.dialect), catalog)
    except SqlRefused as refusal:
        part = "condition" if _runs(select, catalog) else "expression"
        yield Problem(f"{field}.{part}", str(refusal).removesuffix("."))


def _strange_columns(field: str, tree: exp.Expr, table: Table) -> Iterator[Problem]:
    for node in tree.find_all(exp.Column):
        if table.column(node.name) is None:
            names = [column.name for column in table.columns]
            yield Problem(field, _unknown("column", node.name, names, f" in the table {table.name}"))


def _runs(select: exp.Select, catalog: Catalog) -> bool:
    try:
        check(select.sql(dialect=catalog.dialect), catalog)
    except SqlRefused:
        return False
    return True


def _not_an_aggregate(tree: exp.Expr) -> str | None:
    """Why an expression is not one figure over many rows."""
    if tree.find(exp.Query, exp.Window):
        return "a metric is computed over the rows of its own table, without subqueries or windows"
    if tree.find(exp.AggFunc) is None:
        return "a metric is an aggregate; write SUM(…), COUNT(…), AVG(…) or a formula of those"
    loose = next((column for column in tree.find_all(exp.Column) if column.find_ancestor(exp.AggFunc) is None), None)
    return f"{loose.name} stands outside of an aggregate; a metric is one figure over many rows" if loose else None


def _unknown(kind: str, name: str, known: Iterable[str], where: str = "") -> str:
    """That a name is unknown, with the nearest one that is known."""
    names = list(known)
    found = nearest_name(name, names, NEAR)
    proposal = f"did you mean {found}?" if found else f"there are {', '.join(names[:8])}{' …' * (len(names) > 8)}"
    return f"there is no {kind} {name!r}{where}; {proposal}"


def _is_number(text: str) -> bool:
    return text.lstrip("+-").replace(".", "", 1).isdigit()
