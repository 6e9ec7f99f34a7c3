"""Real databases of every kind that can be asked, made from a script: files, and servers that start when first needed."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import duckdb
from sqlalchemy.engine import make_url

from tests.mariadb import MariaDB, mariadb
from tests.postgres import Postgres, postgres


class Databases:
    """Runs scripts. The same kind and folder mean the same database, which is empty at first."""

    def __init__(self, opened: ExitStack) -> None:
        self._opened = opened
        self._postgres: Postgres | None = None
        self._mariadb: MariaDB | None = None
        self._urls: dict[tuple[str, Path], str] = {}

    def make(self, kind: str, folder: Path, script: str) -> str:
        """Run the script in the database of this folder; its URL."""
        makers: dict[str, Callable[[Path, str], str]] = {
            "sqlite": self._make_sqlite,
            "postgres": self._make_postgres,
            "mysql": self._make_mysql,
            "duckdb": self._make_duckdb,
        }
        return makers[kind](folder, script)

    def _make_sqlite(self, folder: Path, script: str) -> str:
        with closing(sqlite3.connect(folder / "apps.db")) as connection:
            connection.executescript(script)
        return f"sqlite:///{folder / 'apps.db'}"

    def _make_duckdb(self, folder: Path, script: str) -> str:
        with closing(duckdb.connect(folder / "apps.duckdb")) as connection:
            connection.execute(script)
        return f"duckdb:///{folder / 'apps.duckdb'}"

    def _make_postgres(self, folder: Path, script: str) -> str:
        server = self._postgres = self._postgres or self._opened.enter_context(postgres())
        url = self._urls.setdefault(("postgres", folder), "") or server.new_database()
        self._urls["postgres", folder] = url
        with server.connect(str(make_url(url).database)) as session:
            session.execute(script.encode())
        return url

    def _make_mysql(self, folder: Path, script: str) -> str:
        server = self._mariadb = self._mariadb or self._opened.enter_context(mariadb())
        url = self._urls.setdefault(("mysql", folder), "") or server.new_database()
        self._urls["mysql", folder] = url
        server.run(script, str(make_url(url).database))
        return url


@contextmanager
def databases() -> Iterator[Databases]:
    """Databases that are gone afterwards. A server that is not installed skips the test that needs it."""
    with ExitStack() as opened:
        yield Databases(opened)
