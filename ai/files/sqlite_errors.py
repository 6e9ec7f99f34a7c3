"""Faults of a file of SQLite, by the codes of its errors."""

import sqlite3

DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
PRIMARY = 0xFF  # the part of a code for the kind of error


def kind_of(error: object) -> int:
    """Return the primary code of SQLite's error; 0 for another one."""
    return getattr(error, "sqlite_errorcode", 0) & PRIMARY


def is_damage(error: object) -> bool:
    return kind_of(error) in DAMAGED
