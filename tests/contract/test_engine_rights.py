"""Rights as roles of the engine: who logs in with one reads what the rights say, and drift is found."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import pymysql  # type: ignore[import-untyped]
import pytest
from click.testing import CliRunner, Result
from sqlalchemy.engine import make_url

from ai.errors import ConfigError, QueryFailed, SqlRefused
from ai.files.json_lines import numbered
from ai.sql.database import Database
from ai.sql.engines.rights.mariadb import held
from ai.sql.engines.rights.plan import EngineRole
from ai.sql.guard import Checked
from bot.cli.main import commands
from tests.databases import Databases

TABLES = """
CREATE TABLE customers (ssn VARCHAR(20), id INTEGER PRIMARY KEY, name VARCHAR(20), email VARCHAR(40), phone VARCHAR(20));
INSERT INTO customers VALUES ('s1', 1, 'Ada', 'ada@example.com', '1'), ('s2', 2, 'Bo', NULL, '2'), ('s3', 3, 'Cy', 'c@x.org', '3');
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER, region VARCHAR(20), amount INTEGER, note VARCHAR(20));
INSERT INTO orders VALUES (1, 1, 'EU', 10, '1'), (2, 2, 'EU', 20, '2'), (3, 3, 'US', 30, 'secret');
CREATE TABLE payroll (id INTEGER PRIMARY KEY, gross INTEGER);
INSERT INTO payroll VALUES (1, 7770);
"""
CONFIG = """
roles: {{finance: {{users: [U1]}}}}
sources:
  shop:
    url: {url}
    rights:
      tables: [orders, customers]
      denied_columns: {{customers: [ssn]}}
      rows: {{orders: "region = 'EU'", customers: "id IN (SELECT customer FROM orders WHERE region = 'EU')"}}
      masks: {{customers: {{email: stars, phone: "null"}}}}
    roles: {{finance: {{}}}}
channels: {{"*": {{source: shop}}}}
"""
CASES = [json.loads(line) for _, line in numbered(Path(__file__).parent / "engine_rights.jsonl")]
ROLES = ("datathread_shop", "datathread_shop__finance")
GONE = {
    "postgres": "DROP SCHEMA IF EXISTS {role} CASCADE; DROP OWNED BY {role}; DROP ROLE {role}",
    "mysql": "DROP DATABASE IF EXISTS {role}; DROP ROLE {role}",
}
LOGINS = {
    "postgres": 'ALTER ROLE "{role}" LOGIN',
    "mysql": "CREATE OR REPLACE USER `r{role}`@`127.0.0.1`; GRANT `{role}` TO `r{role}`@`127.0.0.1`; "
    "SET DEFAULT ROLE `{role}` FOR `r{role}`@`127.0.0.1`",
}
Rows = list[tuple[Any, ...]]


@dataclass
class Shop:
    """A database with rights in a configuration; `run` changes it as its owner."""

    kind: str
    url: str
    run: Callable[[str], object]
    folder: Path
    environment: dict[str, str] = field(default_factory=dict)

    def rights(self, *arguments: str) -> Result:
        return CliRunner().invoke(commands, ["rights", *arguments], env=self.environment)

    def configure(self, text: str) -> None:
        path = self.folder / "shop.yaml"
        path.write_text(text.format(url=self.url), "utf-8")
        self.environment = {"CONFIG_FILE": str(path), "DATA_DIR": str(self.folder / "data")}

    def read(self, role: str, sql: str) -> Rows | None:
        """Log in with a role and ask; None for what the engine refuses."""
        self.run(LOGINS[self.kind].format(role=role))
        url = make_url(self.url)
        try:
            if self.kind == "postgres":
                return self._postgres(url.set(username=role).render_as_string(), sql)
            return self._mariadb(url.port, role, sql)
        except (psycopg.Error, pymysql.Error):
            return None

    def _postgres(self, url: str, sql: str) -> Rows:
        with psycopg.connect(url) as session:
            return session.execute(sql.encode()).fetchall()

    def _mariadb(self, port: int | None, role: str, sql: str) -> Rows:
        with closing(pymysql.connect(host="127.0.0.1", port=port, user=f"r{role}", database=role)) as session:
            cursor = session.cursor()
            cursor.execute(sql)
            return list(cursor.fetchall())


@pytest.fixture(params=["postgres", "mysql"])
def shop(request: pytest.FixtureRequest, machine: Databases, tmp_path: Path) -> Iterator[Shop]:
    kind = request.param
    url = machine.make(kind, tmp_path, TABLES)
    made = Shop(kind, url, lambda sql: machine.make(kind, tmp_path, sql), tmp_path)
    made.configure(CONFIG)
    yield made
    for role in ROLES:
        with suppress(psycopg.Error, pymysql.Error):
            made.run(GONE[kind].format(role=role))


def applied(shop: Shop) -> str:
    outcome = shop.rights("apply")
    assert (outcome.exception, outcome.exit_code) == (None, 0), outcome.output
    return outcome.output


def test_who_logs_in_with_a_role_reads_what_its_rights_say(shop: Shop) -> None:
    applied(shop)
    told = {case["name"]: shop.read(case["role"], case["sql"].format(tables=_tables(shop))) for case in CASES}
    wanted = {case["name"]: case["rows"] and [tuple(row) for row in case["rows"]] for case in CASES}
    assert told == wanted


def test_the_source_itself_is_read_and_not_written(shop: Shop) -> None:
    with closing(Database("shop", shop.url)) as database:
        assert {"customers", "orders", "payroll"} <= {table.name for table in database.catalog().tables}
        named = "SELECT id, name, email FROM customers ORDER BY id"
        assert _rows_of(database, named) == [(1, "Ada", "ada@example.com"), (2, "Bo", None), (3, "Cy", "c@x.org")]
        with pytest.raises(QueryFailed) as failed:
            _rows_of(database, "SELECT nothing FROM orders")
        assert "nothing" in failed.value.detail
        with pytest.raises((SqlRefused, QueryFailed)):
            _rows_of(database, "DELETE FROM payroll")
        assert _rows_of(database, "SELECT COUNT(*) AS n FROM payroll") == [(1,)]


def _rows_of(database: Database, sql: str) -> Rows:
    with database.run(Checked(sql, sql, ())) as stream:
        return [row for batch in stream.batches for row in batch]


def _tables(shop: Shop) -> str:
    return "public" if shop.kind == "postgres" else f"`{make_url(shop.url).database}`"


def test_applying_again_changes_nothing(shop: Shop) -> None:
    assert shop.rights("diff").exit_code == 1
    applied(shop)
    assert shop.rights("apply").output == "The database holds the rights already.\n"
    assert (shop.rights("diff").output, shop.rights("diff").exit_code) == ("The database holds the rights.\n", 0)


def test_a_dry_run_prints_the_sql_and_changes_nothing(shop: Shop) -> None:
    script = shop.rights("apply", "--dry-run").output
    assert "VIEW" in script
    assert "datathread_shop__finance" in script
    assert shop.rights("apply", "--dry-run").output == script
    shop.run(script)
    assert shop.rights("diff").output == "The database holds the rights.\n"


DRIFTS = {
    "postgres": [
        ("GRANT SELECT (gross) ON payroll TO datathread_shop; GRANT USAGE ON SCHEMA public TO datathread_shop", "public.payroll"),
        ("ALTER ROLE datathread_shop SUPERUSER", "changed  role datathread_shop"),
        ("ALTER ROLE datathread_shop SET search_path = public", "changed  role datathread_shop"),
        ("GRANT pg_read_all_data TO datathread_shop", "membership of datathread_shop in pg_read_all_data"),
        ("ALTER VIEW datathread_shop.orders RESET (security_barrier)", "changed  view datathread_shop.orders"),
        ("CREATE OR REPLACE VIEW datathread_shop.orders WITH (security_barrier) AS SELECT * FROM orders", "changed  view"),
        ("CREATE VIEW datathread_shop.payroll AS SELECT * FROM payroll", "beyond   view datathread_shop.payroll"),
        ("DROP VIEW datathread_shop.customers", "missing  view datathread_shop.customers"),
        ("GRANT INSERT ON datathread_shop.orders TO datathread_shop", "changed  view datathread_shop.orders"),
        ("GRANT USAGE ON SCHEMA datathread_shop TO PUBLIC", "changed  schema datathread_shop"),
    ],
    "mysql": [
        ("GRANT SELECT (gross) ON payroll TO datathread_shop", "beyond   right: GRANT SELECT (`gross`)"),
        ("GRANT SELECT ON *.* TO datathread_shop", "beyond   right: GRANT SELECT ON *.*"),
        ("CREATE ROLE strong; GRANT SELECT ON *.* TO strong; GRANT strong TO datathread_shop", "beyond   right: GRANT `strong`"),
        ("ALTER SQL SECURITY INVOKER VIEW datathread_shop.orders AS SELECT * FROM datathread_shop.customers", "changed  view"),
        ("CREATE VIEW datathread_shop.payroll AS SELECT * FROM payroll", "beyond   view datathread_shop.payroll"),
        ("DROP VIEW datathread_shop.customers", "missing  view datathread_shop.customers"),
        ("REVOKE ALL PRIVILEGES, GRANT OPTION FROM datathread_shop", "missing  right: GRANT SELECT ON"),
        ("DROP DATABASE datathread_shop__finance", "missing  schema datathread_shop__finance"),
    ],
}  # fmt: skip


def test_drift_is_found_and_mended(shop: Shop) -> None:
    applied(shop)
    for change, said in DRIFTS[shop.kind]:
        shop.run(change)
        found = shop.rights("diff")
        assert (said in found.output, found.exit_code) == (True, 1), (change, found.output)
        applied(shop)
        assert shop.rights("diff").exit_code == 0, change


def test_a_role_that_the_file_no_longer_names_goes(shop: Shop) -> None:
    applied(shop)
    shop.configure(CONFIG.replace("    roles: {{finance: {{}}}}\n", ""))
    assert "beyond   role datathread_shop__finance" in applied(shop)
    assert shop.rights("diff").exit_code == 0
    assert shop.read("datathread_shop", "SELECT count(*) FROM orders") == [(2,)]


def test_what_everybody_may_read_stops_it(shop: Shop) -> None:
    shop.run("GRANT SELECT ON payroll TO PUBLIC; GRANT USAGE ON SCHEMA public TO PUBLIC" if shop.kind == "postgres"
             else "GRANT SELECT ON payroll TO PUBLIC")  # fmt: skip
    outcome = shop.rights("apply")
    assert isinstance(outcome.exception, ConfigError)
    assert "PUBLIC" in str(outcome.exception)
    shop.run("REVOKE SELECT ON payroll FROM PUBLIC")  # the server serves other tests, too


def test_a_table_where_views_belong_stops_it(shop: Shop) -> None:
    applied(shop)
    shop.run("CREATE TABLE datathread_shop.stray (a INTEGER)")
    for command in ("apply", "diff"):
        outcome = shop.rights(command)
        assert isinstance(outcome.exception, ConfigError)
        assert "stray" in str(outcome.exception)


def test_what_differs_a_little_is_mended_and_then_nothing_is_left_to_do(shop: Shop) -> None:
    applied(shop)
    shop.run("CREATE VIEW datathread_shop.payroll AS SELECT * FROM payroll; DROP VIEW datathread_shop__finance.orders")
    found = shop.rights("diff").output
    assert "beyond   view datathread_shop.payroll" in found
    assert "missing  view datathread_shop__finance.orders" in found
    assert "DROP VIEW" in shop.rights("apply", "--dry-run").output
    applied(shop)
    assert shop.rights("diff").exit_code == 0
    assert "VIEW" not in shop.rights("apply", "--dry-run").output


@pytest.mark.parametrize("shop", ["mysql"], indirect=True)
def test_what_an_interrupted_comparison_left_is_no_difference(shop: Shop) -> None:
    applied(shop)
    shop.run("CREATE DATABASE datathread_shop___trial")
    assert shop.rights("diff").output == "The database holds the rights.\n"


def test_rights_that_were_written_and_are_not_found_again_are_told(machine: Databases, tmp_path: Path) -> None:
    url = make_url(machine.make("mysql", tmp_path, TABLES))
    own, other = (EngineRole(name, str(url.database), {}) for name in (ROLES[0], "elsewhere"))
    try:
        with pytest.raises(ConfigError, match=r"still differs: missing  right: .*elsewhere"):
            held(url, (own, other), keep=True)
    finally:
        for role in (ROLES[0], "elsewhere"):
            machine.make("mysql", tmp_path, GONE["mysql"].format(role=role))


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_an_engine_without_roles_says_so(kind: str, machine: Databases, tmp_path: Path) -> None:
    shop = Shop(kind, machine.make(kind, tmp_path, TABLES), print, tmp_path)
    shop.configure(CONFIG)
    outcome = shop.rights("diff")
    assert isinstance(outcome.exception, ConfigError)
    assert "has no roles, so the guard alone keeps the rights" in str(outcome.exception)
