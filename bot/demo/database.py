"""The demo's SQLite file, rebuilt once a day.

The file is written beside its final name and renamed, so readers see the old database or the new one. Its header holds
the build day.
"""

import os
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

from bot.demo import activity
from bot.demo.portfolio import Company, MobileApp, load_company

SEED: Final = 49
# "DT" and the edition of the content: raise it when the same day would give other rows.
APPLICATION_ID: Final = 0x44540002
SCHEMA: Final = Path(__file__).parent / "schema.sql"
SEMANTICS: Final = Path(__file__).parent / "semantics.yaml"


def ensure(path: Path, today: date) -> None:
    if not is_current(path, today):
        build(path, today)


def is_current(path: Path, today: date) -> bool:
    """Whether `path` holds this edition of this day; False for a missing or damaged file."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            edition = connection.execute("PRAGMA application_id").fetchone()[0]
            day = connection.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.Error:
        return False
    return bool(edition == APPLICATION_ID and day == _stamp(today))


def build(path: Path, today: date, seed: int = SEED) -> None:
    """Write the database to `path`. The same day and seed give the same bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}-", delete=False) as file:
        draft = Path(file.name)
    try:
        _write(draft, today, seed)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _write(path: Path, today: date, seed: int) -> None:
    with closing(sqlite3.connect(path)) as connection:
        # A draft that is thrown away on failure needs no journal; fsync comes once, before the rename.
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.executescript(SCHEMA.read_text(encoding="utf-8"))
        with connection:
            _fill(connection, load_company(today), today, seed)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {_stamp(today)}")
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _fill(connection: sqlite3.Connection, company: Company, today: date, seed: int) -> None:
    teams = [(team.id, team.name, team.region, team.lead) for team in company.teams]
    connection.executemany("INSERT INTO teams VALUES (?, ?, ?, ?)", teams)
    connection.executemany("INSERT INTO app_portfolio VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", map(_app_row, company.apps))
    for rows in activity.daily_metrics(company, today, seed):
        connection.executemany("INSERT INTO daily_metrics VALUES (?, ?, ?, ?, ?, ?)", rows)
    reviews = activity.reviews(company, today, seed)
    connection.executemany("INSERT INTO reviews VALUES (?, ?, ?, ?, ?, ?, ?)", reviews)
    releases = activity.releases(company, today, seed)
    connection.executemany("INSERT INTO releases VALUES (?, ?, ?, ?, ?, ?)", releases)


def _app_row(app: MobileApp) -> activity.Row:
    retired = app.retired_on.isoformat() if app.retired_on else None
    launched = app.launched_on.isoformat()
    head = (app.id, app.name, app.platform, app.category, app.team_id)
    return (*head, launched, retired, int(retired is None), app.price_usd)


def _stamp(today: date) -> int:
    return int(today.strftime("%Y%m%d"))
