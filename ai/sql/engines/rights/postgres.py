"""PostgreSQL: roles with a schema of barrier views, changed in one transaction, which a comparison rolls back."""

from collections.abc import Iterator, Sequence
from typing import Any, LiteralString

import psycopg
from sqlalchemy.engine import URL

from ai.errors import ConfigError
from ai.sql.engines.pool import CONNECT_SECONDS
from ai.sql.engines.rights.drift import Facts, RightsDrift, differences, refusal
from ai.sql.engines.rights.plan import EngineRole
from ai.sql.engines.sampling import quoted

Session = psycopg.Connection[tuple[Any, ...]]
ALONE: LiteralString = "SELECT pg_advisory_xact_lock(hashtext('datathread rights'))"
OURS: LiteralString = "(rolname = %(own)s OR left(rolname, length(%(own)s) + 2) = %(own)s || '__')"
SCHEMAS: LiteralString = OURS.replace("rolname", "nspname")
POWERS = ("SUPERUSER", "CREATEDB", "CREATEROLE", "REPLICATION", "BYPASSRLS")
ROLES: LiteralString = f"""
    SELECT rolname, rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls,
      (SELECT string_agg(setting, ', ' ORDER BY setting)
       FROM pg_db_role_setting, unnest(setconfig) AS setting WHERE setrole = r.oid)
    FROM pg_roles AS r WHERE {OURS}
"""
MEMBERS: LiteralString = f"""
    SELECT r.rolname, g.rolname FROM pg_auth_members AS m JOIN pg_roles AS r ON r.oid = m.member
      JOIN pg_roles AS g ON g.oid = m.roleid WHERE {OURS.replace("rolname", "r.rolname")}
"""
SCHEMA: LiteralString = f"SELECT nspname, nspowner::regrole::text, nspacl::text FROM pg_namespace WHERE {SCHEMAS}"
VIEWS: LiteralString = f"""
    SELECT nspname, relname, relkind::text, pg_get_viewdef(c.oid), relowner::regrole::text, relacl::text,
      reloptions::text, (SELECT string_agg(attacl::text, ' ') FROM pg_attribute WHERE attrelid = c.oid)
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = relnamespace
    WHERE {SCHEMAS} AND relkind IN ('r', 'p', 'v', 'm', 'f')
"""
BEYOND: LiteralString = f"""
    SELECT rolname, nspname, relname FROM pg_roles AS r, pg_class AS c JOIN pg_namespace AS n ON n.oid = relnamespace
    WHERE {OURS} AND NOT rolsuper AND relkind IN ('r', 'p', 'v', 'm', 'f') AND nspname <> rolname
      AND nspname NOT IN ('pg_catalog', 'information_schema') AND nspname !~ '^pg_(toast|temp)'
      AND has_schema_privilege(r.oid, n.oid, 'USAGE')
      AND (has_table_privilege(r.oid, c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE')
           OR has_any_column_privilege(r.oid, c.oid, 'SELECT, INSERT, UPDATE'))
      AND NOT EXISTS (SELECT FROM pg_depend AS d WHERE d.objid = c.oid AND d.deptype = 'e')
"""


def held(url: URL, roles: Sequence[EngineRole], keep: bool) -> RightsDrift:
    try:
        with psycopg.connect(
            url.set(drivername="postgresql").render_as_string(hide_password=False),
            connect_timeout=CONNECT_SECONDS,
            application_name="datathread",
        ) as session:
            drift = _held(session, roles)
            if not (keep and drift.differences):
                session.rollback()
            return drift
    except psycopg.Error as error:
        raise refusal("PostgreSQL", error, url) from error


def _held(session: Session, roles: Sequence[EngineRole]) -> RightsDrift:
    """Run the whole script in the open transaction; what it changed is what differed."""
    own = roles[0].name
    session.execute(ALONE)
    before = _facts(session, own)
    script = tuple(_script(session, roles))
    for statement in script:
        session.execute(statement.encode())
    after = _facts(session, own)
    if read := next((subject for subject in after if subject.startswith("right of")), None):
        raise ConfigError(
            f"There would be a {read} by grants to PUBLIC or by ownership; revoke them, then run this again."
        )
    changes = tuple(differences(before, after))
    return RightsDrift(("BEGIN", *script, "COMMIT") if changes else (), changes)


def _facts(session: Session, own: str) -> Facts:
    found: dict[str, str] = {}
    for name, *held in _read(session, ROLES, own):
        found[f"role {name}"] = str(held)
    for role, group in _read(session, MEMBERS, own):
        found[f"membership of {role} in {group}"] = ""
    for schema, *held in _read(session, SCHEMA, own):
        found[f"schema {schema}"] = str(held)
    for schema, name, *held in _read(session, VIEWS, own):
        found[f"view {schema}.{name}"] = str(held)
    for role, schema, name in _read(session, BEYOND, own):
        found[f"right of {role} on {schema}.{name}"] = ""
    return found


def _script(session: Session, roles: Sequence[EngineRole]) -> Iterator[str]:
    own = roles[0].name
    known = {str(name): powers for name, *powers, _ in _read(session, ROLES, own)}
    schemas = {str(name) for name, *_ in _read(session, SCHEMA, own)}
    yield f"SET search_path = {quoted(roles[0].tables_in)}"
    yield from (f"REVOKE {quoted(group)} FROM {quoted(role)}" for role, group in _read(session, MEMBERS, own))
    for role, schema, name in _read(session, BEYOND, own):
        yield f"REVOKE ALL ON {quoted(schema)}.{quoted(name)} FROM {quoted(role)}"
    for schema, name, *_ in _read(session, VIEWS, own):
        yield f"DROP VIEW {quoted(schema)}.{quoted(name)}"
    wanted = {role.name for role in roles}
    yield from (f"DROP SCHEMA {quoted(name)}" for name in sorted(schemas - wanted))
    yield from (f"DROP ROLE {quoted(name)}" for name in sorted(known.keys() - wanted))
    for role in roles:
        yield from _made(role, known.get(role.name), session.info.dbname, has_schema=role.name in schemas)


def _made(role: EngineRole, powers: list[Any] | None, database: str, *, has_schema: bool) -> Iterator[str]:
    name = quoted(role.name)
    if powers is None:
        yield f"CREATE ROLE {name}"
    for power, has in zip(POWERS, powers or (), strict=False):
        if has:
            yield f"ALTER ROLE {name} NO{power}"
    yield f"ALTER ROLE {name} RESET ALL"
    yield f"ALTER ROLE {name} IN DATABASE {quoted(database)} RESET ALL"
    yield f"ALTER ROLE {name} SET search_path = {name}"
    yield f"ALTER ROLE {name} SET default_transaction_read_only = on"
    if not has_schema:
        yield f"CREATE SCHEMA {name}"
    yield f"REVOKE ALL ON SCHEMA {name} FROM PUBLIC, {name}"
    yield f"GRANT USAGE ON SCHEMA {name} TO {name}"
    for table, select in sorted(role.views.items()):
        yield f"CREATE VIEW {name}.{quoted(table)} WITH (security_barrier) AS {select}"
        yield f"GRANT SELECT ON {name}.{quoted(table)} TO {name}"


def _read(session: Session, query: LiteralString, own: str) -> list[tuple[Any, ...]]:
    return session.execute(query, {"own": own}).fetchall()
