"""Verdicts that are kept: given again for the same catalogue and rights, and for nothing else."""

import pytest

from ai.errors import SqlRefused
from ai.sql.catalog import Catalog, Column, Table
from ai.sql.guard.checks import KEPT, LONGEST, VERDICTS, KeptChecks
from ai.sql.rights import EVERYTHING, Rights

SHOP = Catalog(
    "shop", "sqlite", (Table("apps", (Column("id", "INTEGER", "number"), Column("cost", "REAL", "number"))),)
)
SQL = "SELECT id, cost FROM apps"


@pytest.fixture
def checks() -> KeptChecks:
    return KeptChecks()


def test_a_verdict_is_given_again_for_equal_rights(checks: KeptChecks) -> None:
    first = checks.check(SQL, SHOP, Rights(rows={"apps": "id > 1"}))
    assert checks.check(SQL, SHOP, Rights(rows={"apps": "id > 1"})) is first


def test_other_rights_are_judged_anew(checks: KeptChecks) -> None:
    checks.check(SQL, SHOP, EVERYTHING)
    assert checks.check(SQL, SHOP, Rights(rows={"apps": "id > 1"})).mark
    with pytest.raises(SqlRefused):
        checks.check(SQL, SHOP, Rights(denied={"apps": frozenset({"cost"})}))
    assert not checks.check(SQL, SHOP, EVERYTHING).mark


def test_verdicts_under_several_rights_are_kept(checks: KeptChecks) -> None:
    held = [EVERYTHING, *(Rights(rows={"apps": f"id > {number}"}) for number in range(VERDICTS - 1))]
    first = [checks.check(SQL, SHOP, rights) for rights in held]
    assert all(checks.check(SQL, SHOP, rights) is one for rights, one in zip(held, first, strict=True))
    checks.check(SQL, SHOP, Rights(rows={"apps": "id < 0"}))
    assert checks.check(SQL, SHOP, EVERYTHING) is not first[0]


def test_another_catalogue_is_judged_anew(checks: KeptChecks) -> None:
    checks.check(SQL, SHOP, EVERYTHING)
    with pytest.raises(SqlRefused):
        checks.check(SQL, Catalog("shop", "sqlite", ()), EVERYTHING)


def test_the_oldest_verdicts_and_very_long_queries_are_not_kept(checks: KeptChecks) -> None:
    first = checks.check(SQL, SHOP, EVERYTHING)
    for number in range(KEPT):
        checks.check(f"SELECT {number} FROM apps", SHOP, EVERYTHING)
    assert checks.check(SQL, SHOP, EVERYTHING) is not first
    long = f"{SQL} WHERE id IN ({', '.join(map(str, range(LONGEST // 2)))})"
    assert checks.check(long, SHOP, EVERYTHING) is not checks.check(long, SHOP, EVERYTHING)
