"""A small SQLite database with one thing that takes long: a view that counts to as much as is wished."""

import sqlite3
from contextlib import closing
from pathlib import Path


def slow_database(folder: Path, count: int) -> str:
    """Three apps, and as many crawls; the URL. A million crawls take a part of a second to count."""
    path = folder / "slow.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE apps (app_id INTEGER PRIMARY KEY, name TEXT);"
            "INSERT INTO apps (name) VALUES ('a'), ('b'), ('c');"
            "CREATE VIEW crawls AS WITH RECURSIVE n(crawl_id) AS"
            f" (SELECT 1 UNION ALL SELECT crawl_id + 1 FROM n WHERE crawl_id < {count}) SELECT crawl_id FROM n;"
        )
    return f"sqlite:///{path}"
