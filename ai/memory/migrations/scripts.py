"""Runs the SQL of a migration: what a release wrote is kept as SQL, so later changes of the code never reach it."""

from pathlib import Path

import sqlalchemy as sa
from alembic import op

VERSIONS = Path(__file__).parent / "versions"


def run(name: str) -> None:
    """Run the statements of `versions/NAME.sql`, each of which ends in a semicolon and an empty line."""
    connection = op.get_bind().execution_options(no_parameters=True)
    for statement in (VERSIONS / f"{name}.sql").read_text("utf-8").split(";\n\n"):
        connection.exec_driver_sql(statement.rstrip().removesuffix(";"))


def dialect() -> str:
    return op.get_bind().dialect.name


def has_fts5() -> bool:
    is_sqlite = dialect() == "sqlite"
    return is_sqlite and bool(op.get_bind().scalar(sa.text("SELECT sqlite_compileoption_used('ENABLE_FTS5')")))
