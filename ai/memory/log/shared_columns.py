"""Columns and conditions that tables share: texts that are always there, and where something was said."""

from sqlalchemy import Column, ColumnElement, String, Table

from ai.types import ThreadKey


def texts(*names: str) -> list[Column[str]]:
    return [Column(name, String, nullable=False) for name in names]


def place(thread: str = "thread_ts") -> list[Column[str]]:
    return texts("team", "channel", thread)


def in_thread(table: Table, key: ThreadKey, thread: str = "thread_ts") -> ColumnElement[bool]:
    return (table.c.team == key.team) & (table.c.channel == key.channel) & (table.c[thread] == key.thread_ts)
