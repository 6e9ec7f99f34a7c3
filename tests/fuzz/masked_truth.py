"""What an answer tells beside its masked cells is true: without masks the same query gives the same."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from sqlite3 import Connection, Error, connect

from ai.errors import Masked, SqlRefused
from ai.sql.catalog import Catalog
from ai.sql.database import Database
from ai.sql.guard import check
from tests.fuzz.hostile import HostileGrower
from tests.fuzz.outcome import Outcome, Try
from tests.fuzz.twins import FAILING, ONE, READABLE, RIGHTS, TABLES

SHOWN = replace(RIGHTS, masks={})
MORE = "INSERT INTO customers VALUES ('c4', 4, 'Ada', 'ada@x'), ('c5', 5, NULL, 'Bo');"
MASKED_VALUES = ("(SELECT max(c1) FROM (SELECT email AS c1 FROM customers) AS x)", "email")


@contextmanager
def masked_queries(folder: Path) -> Iterator[Try]:
    path = folder / "shop.db"
    with closing(connect(path)) as session:
        session.executescript(TABLES.format(**ONE) + MORE)
        with closing(Database("shop", f"sqlite:///{path}")) as database:
            catalog = database.catalog()

        def tried(number: int) -> Outcome:
            chance = Random(f"masked query {number}")
            grower = HostileGrower("sqlite", chance, READABLE, ("secrets",), MASKED_VALUES, FAILING)
            return _judged(grower.query()[0], catalog, session)

        yield tried


def _judged(sql: str, catalog: Catalog, session: Connection) -> Outcome:
    try:
        checked = check(sql, catalog, RIGHTS)
        truth = _told(session, check(sql, catalog, SHOWN).sql, checked.masked)
    except SqlRefused as error:
        return Outcome("", "told that it is masked" if isinstance(error, Masked) else "refused")
    told = _told(session, checked.sql, checked.masked)
    kind = "error" if isinstance(told, str) else "rows with masked cells" if checked.masked else "rows"
    return Outcome("" if told == truth else f"{sql} gives {str(told)[:200]}, in truth {str(truth)[:200]}", kind)


def _told(session: Connection, sql: str, masked: frozenset[str]) -> list[str] | str:
    """Return the rows in any order, or the error; of a masked cell only that there is a value."""
    try:
        cursor = session.execute(sql)
        hidden = [str(name).lower() in masked for name, *_ in cursor.description]
        rows = cursor.fetchall()
    except Error as error:
        return str(error)
    return sorted(
        repr([is_ and cell is not None if is_ else cell for cell, is_ in zip(row, hidden, strict=True)]) for row in rows
    )
