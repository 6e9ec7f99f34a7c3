"""Names of roles in an engine, and engines without roles; what the roles then read is tried on servers."""

import pytest

from ai.errors import ConfigError
from ai.sql.catalog import Catalog, Column, Table
from ai.sql.engines.rights import EngineRole, hold, roles_of
from ai.sql.engines.rights.mariadb import RoleSession, _require_roles
from ai.sql.rights import EVERYTHING, Rights, SourceRights

SHOP = Catalog("shop", "postgres", (Table("orders", (Column("id", "", "integer"),)),), schema="public")


def names(source: str, *roles: str) -> list[str]:
    rights = SourceRights(EVERYTHING, tuple((role, Rights()) for role in roles))
    return [role.name for role in roles_of(source, rights, SHOP)]


def test_a_role_is_called_by_its_source_and_itself() -> None:
    assert names("Shop", "Finance & Co.") == ["datathread_shop", "datathread_shop__finance_co"]


@pytest.mark.parametrize(
    ("source", "roles", "says"),
    [
        ("shop", ["sales team", "sales-team"], "datathread_shop__sales_team, which is too long or taken"),
        ("shop", ["x" * 48], "too long or taken"),
        ("shop", ["财务"], "holds no letter"),
        ("--", [], "holds no letter"),
    ],
)
def test_a_name_that_no_role_can_have_is_refused(source: str, roles: list[str], says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        names(source, *roles)


def test_the_longest_name_is_taken() -> None:
    assert len(names("shop", "x" * 46)[1]) == 63


def test_an_engine_without_roles_is_told() -> None:
    with pytest.raises(ConfigError, match="SQLite has no roles"):
        hold("sqlite:///nowhere.db", (), keep=False)


@pytest.mark.parametrize(("scheme", "label"), [("postgresql", "PostgreSQL"), ("mysql", "MariaDB")])
def test_a_server_that_is_not_there_is_named_without_its_password(scheme: str, label: str) -> None:
    with pytest.raises(ConfigError, match=f"{label} did not take the rights") as refused:
        hold(f"{scheme}://bot:s3cret@127.0.0.1:1/shop", [EngineRole("datathread_shop", "shop", {})], keep=False)
    assert "s3cret" not in str(refused.value)


class Server:
    """A connection to a server that answers everything with its version."""

    def __init__(self, version: str) -> None:
        self.version = version

    def cursor(self) -> "Server":
        return self

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None: ...

    def execute(self, sql: str, values: object) -> None: ...

    def fetchall(self) -> list[tuple[str]]:
        return [(self.version,)]


def test_mysql_keeps_no_rights_and_mariadb_does() -> None:
    _require_roles(RoleSession(Server("10.11.6-MariaDB-1"), "datathread_shop"))
    with pytest.raises(ConfigError, match=r"this is MySQL 8\.0\.36"):
        _require_roles(RoleSession(Server("8.0.36"), "datathread_shop"))
