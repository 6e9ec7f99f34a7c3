"""MariaDB: roles with a database of views. Wanted views are made in a passing database first, to be compared."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from typing import Any

from pymysql import err  # type: ignore[import-untyped]
from sqlalchemy.engine import URL

from ai.errors import ConfigError
from ai.sql.engines.mysql.engine import connected, quoted
from ai.sql.engines.rights.drift import Facts, RightsDrift, differences, refusal
from ai.sql.engines.rights.plan import APART, EngineRole

TRIAL = f"{APART}_trial"  # no name of a role ends so
OURS = "({0} = %(own)s OR LEFT({0}, CHAR_LENGTH(%(own)s) + 2) = CONCAT(%(own)s, '__'))"
ROLES = f"SELECT user FROM mysql.user WHERE is_role = 'Y' AND {OURS.format('user')}"
MEMBERS = f"SELECT user, role FROM mysql.roles_mapping WHERE host = '' AND {OURS.format('user')}"
SCHEMAS = f"SELECT schema_name FROM information_schema.schemata WHERE {OURS.format('schema_name')}"
VIEWS = f"""
    SELECT t.table_schema, t.table_name, t.table_type, v.view_definition, v.security_type, v.definer
    FROM information_schema.tables AS t LEFT JOIN information_schema.views AS v USING (table_schema, table_name)
    WHERE {OURS.format("t.table_schema")}
"""
Rows = Sequence[Sequence[Any]]


class RoleSession:
    """A connection, and the `own` name that its queries are about."""

    def __init__(self, connection: Any, own: str) -> None:
        self.own = own
        self._connection = connection

    def read(self, query: str) -> Rows:
        return self.run(query, {"own": self.own})

    def run(self, sql: str, values: Mapping[str, str] | None = None) -> Rows:
        with self._connection.cursor() as cursor:
            cursor.execute(sql, values)
            found: Rows = cursor.fetchall()
        return found


def held(url: URL, roles: Sequence[EngineRole], keep: bool) -> RightsDrift:
    try:
        with closing(connected(url)) as connection:
            session = RoleSession(connection, roles[0].name)
            _require_roles(session)
            drift = _compared(session, roles)
            if not keep:
                return drift
            for statement in drift.script:
                session.run(statement)
            if left := _compared(session, roles).differences:
                raise ConfigError(f"The rights were written, and MariaDB still differs: {left[0]}; look at it there.")
            return drift
    except err.MySQLError as error:
        raise refusal("MariaDB", error, url) from error


def _require_roles(session: RoleSession) -> None:
    version = str(session.run("SELECT version()")[0][0])
    if "mariadb" not in version.lower():
        raise ConfigError(
            f"Rights are written to MariaDB, and this is MySQL {version}; the guard alone keeps them here."
        )


def _compared(session: RoleSession, roles: Sequence[EngineRole]) -> RightsDrift:
    found, wanted = _facts(session), dict(_wanted(session, roles))
    if stray := next((subject for subject in found if subject.startswith("table ")), None):
        raise ConfigError(f"There is a {stray}, where only views of the rights belong; move it first.")
    if public := _of_public(session):
        raise ConfigError(f"Every role may do this: {public}; revoke it from PUBLIC, then run this again.")
    changes = tuple(differences(found, wanted))
    return RightsDrift(tuple(_script(roles, found, session)) if changes else (), changes)


def _facts(session: RoleSession) -> Facts:
    found: dict[str, str] = {}
    for (name,) in session.read(ROLES):
        found[f"role {name}"] = ""
        for (grant,) in session.run(f"SHOW GRANTS FOR {quoted(name)}"):
            if not grant.startswith("GRANT USAGE ON *.*"):
                found[f"right: {grant}"] = ""
    found |= {f"schema {name}": "" for (name,) in session.read(SCHEMAS) if not name.endswith(TRIAL)}
    for schema, name, kind, *held in session.read(VIEWS):
        if not schema.endswith(TRIAL):
            found[f"{'view' if kind == 'VIEW' else 'table'} {schema}.{name}"] = str(held)
    return found


def _wanted(session: RoleSession, roles: Sequence[EngineRole]) -> Iterator[tuple[str, str]]:
    """Yield the facts that hold once the rights are there; the server writes the views its own way."""
    for role in roles:
        yield f"role {role.name}", ""
        yield f"schema {role.name}", ""
        yield f"right: GRANT SELECT ON {_pattern(role.name)}.* TO {quoted(role.name)}", ""
        for table, held in _tried(session, role).items():
            yield f"view {role.name}.{table}", held


def _tried(session: RoleSession, role: EngineRole) -> Mapping[str, str]:
    trial = f"{session.own}{TRIAL}"
    session.run(f"DROP DATABASE IF EXISTS {quoted(trial)}")
    session.run(f"CREATE DATABASE {quoted(trial)}")
    try:
        for statement in _views(role, trial):
            session.run(statement)
        return {name: str(held) for schema, name, _, *held in session.read(VIEWS) if schema == trial}
    finally:
        session.run(f"DROP DATABASE IF EXISTS {quoted(trial)}")


def _of_public(session: RoleSession) -> str:
    with suppress(err.OperationalError, err.ProgrammingError, err.InternalError):  # a server that knows no PUBLIC
        grants = session.run("SHOW GRANTS FOR PUBLIC")
        return str(grants[0][0]) if grants else ""
    return ""


def _script(roles: Sequence[EngineRole], found: Facts, session: RoleSession) -> Iterator[str]:
    names = {role.name for role in roles}
    yield f"USE {quoted(roles[0].tables_in)}"
    for user, role in session.read(MEMBERS):
        yield f"REVOKE {quoted(role)} FROM {quoted(user)}"
    for subject in sorted(found):
        kind, _, name = subject.partition(" ")
        if kind == "role" and name in names:
            yield f"REVOKE ALL PRIVILEGES, GRANT OPTION FROM {quoted(name)}"
        elif kind in ("role", "schema") and name not in names:
            yield f"DROP {'ROLE' if kind == 'role' else 'DATABASE'} {quoted(name)}"
        elif kind == "view":
            schema, _, table = name.partition(".")
            yield from (f"DROP VIEW {quoted(schema)}.{quoted(table)}",) if schema in names else ()
    for role in roles:
        yield f"CREATE ROLE IF NOT EXISTS {quoted(role.name)}"
        yield f"CREATE DATABASE IF NOT EXISTS {quoted(role.name)}"
        yield from _views(role, role.name)
        yield f"GRANT SELECT ON {_pattern(role.name)}.* TO {quoted(role.name)}"


def _views(role: EngineRole, schema: str) -> Iterator[str]:
    for table, select in sorted(role.views.items()):
        yield f"CREATE SQL SECURITY DEFINER VIEW {quoted(schema)}.{quoted(table)} AS {select}"


def _pattern(schema: str) -> str:
    """Quote the name of a database where `_` stands for any letter."""
    return quoted(schema.replace("_", r"\_"))
