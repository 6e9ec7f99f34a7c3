"""Hold rights against the tables that they restrict: a name that fits nothing would restrict nothing."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ai.errors import SqlRefused
from ai.language.spelling import nearest_name
from ai.sql.catalog import Catalog, Table
from ai.sql.guard import check_condition
from ai.sql.rights import Rights, SourceRights

NEAR = 60.0  # likeness from which a name is worth proposing for another


@dataclass(frozen=True, slots=True)
class RightsMisfit:
    """A part of rights that fits no table or column, or does not read.

    `field` is its place below a source: `roles.finance.rows.orders`. One that only grants `is_grant`: nothing is open
    because of it.
    """

    field: str
    reason: str
    is_grant: bool = False

    def __str__(self) -> str:
        return f"{self.field}: {self.reason}"


def misfits(rights: SourceRights, catalog: Catalog) -> Iterator[RightsMisfit]:
    yield from _of(rights.everybody, "rights", catalog)
    for role, held in rights.roles:
        yield from _of(held, f"roles.{role}", catalog)


def _of(rights: Rights, at: str, catalog: Catalog) -> Iterator[RightsMisfit]:
    for name in sorted(rights.tables or ()):
        yield from _columns(catalog, f"{at}.tables", name, rights.columns.get(name, ()), is_grant=True)
    columns: tuple[tuple[str, Mapping[str, Iterable[str]]], ...] = (
        ("denied_columns", rights.denied),
        ("masks", rights.masks),
    )
    for key, listed in columns:
        for name, held in listed.items():
            yield from _columns(catalog, f"{at}.{key}", name, held)
    for name, condition in rights.rows.items():
        table = catalog.table(name)
        yield from _columns(catalog, f"{at}.rows", name, ())
        yield from _condition(f"{at}.rows.{name}", condition, table, catalog, rights.schema) if table else ()


def _columns(
    catalog: Catalog, at: str, name: str, columns: Iterable[str], *, is_grant: bool = False
) -> Iterator[RightsMisfit]:
    table = catalog.table(name)
    if table is None:
        hint = _near(name, (known.name for known in catalog.tables))
        yield RightsMisfit(f"{at}.{name}", f"there is no table {name}{hint}", is_grant)
        return
    for column in sorted(columns):
        if table.column(column) is None:
            hint = _near(column, (known.name for known in table.columns))
            yield RightsMisfit(f"{at}.{name}", f"{table.name} has no column {column}{hint}", is_grant)


def _condition(at: str, condition: str, table: Table, catalog: Catalog, schema: str) -> Iterator[RightsMisfit]:
    if not condition.strip():
        yield RightsMisfit(at, "the condition does not fit: it is empty")
        return
    try:
        check_condition(condition, table, catalog, schema)
    except SqlRefused as error:
        yield RightsMisfit(at, f"the condition does not fit: {str(error)[:1].lower()}{str(error)[1:].rstrip('.')}")


def _near(name: str, known: Iterable[str]) -> str:
    near = nearest_name(name, known, NEAR)
    return f"; did you mean {near}?" if near else ""
