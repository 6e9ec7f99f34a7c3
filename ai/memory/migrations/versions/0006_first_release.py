"""The shape of release 0.1.0: log, archives, queries, search, workspaces, and the book of model calls.

A document of the search is named by one number: its thread, a bit that is set for a query, and its place in the thread.
In SQLite triggers note what is to be indexed, and take out at once what is changed or forgotten. PostgreSQL keeps its
index itself.
"""

from ai.memory.migrations.scripts import dialect, has_fts5, run

revision = "0006"
down_revision = None


def upgrade() -> None:
    run(f"0006/{dialect()}")
    if has_fts5():
        run("0006/fts5")
