"""One full-text index over messages and queries.

A document is named by one number: its thread, a bit that is set for a query, and its place in the thread. In SQLite the
index is filled later than the log: triggers note what is to be indexed, and take out at once what is changed or
forgotten. PostgreSQL keeps its index itself.
"""

import unicodedata

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

TEXT = {"message": "{0}.content", "query": "{0}.question || char(10) || {0}.sql"}
NUMBER = {"message": "({0}.thread_id << 32) | {0}.seq", "query": "({0}.thread_id << 32) | (1 << 31) | {0}.id"}
PLACE = "(SELECT 'x' || hex(team || '/' || channel) FROM thread WHERE id = {0}.thread_id)"
WRITTEN = {"message": "content", "query": "question, sql"}
ACCENTED = "".join(c for c in map(chr, range(0xC0, 0x180)) if len(unicodedata.normalize("NFD", c)) == 2)
BARE = "".join(unicodedata.normalize("NFD", c)[0] for c in ACCENTED)
SPACED = f"regexp_replace(translate(left({{}}, 200000), '{ACCENTED}', '{BARE}'), '[[:punct:][:space:]]+', ' ', 'g')"
VECTOR = f"to_tsvector('english'::regconfig, {SPACED})"
SPLIT = {"message": "content", "query": "question || ' ' || sql"}


def upgrade() -> None:
    """Index what is there, and everything from now on."""
    if op.get_bind().dialect.name == "postgresql":
        for table, text in SPLIT.items():
            op.execute(
                f"ALTER TABLE {table} ADD COLUMN searched tsvector GENERATED ALWAYS AS ({VECTOR.format(text)}) STORED"
            )
            op.execute(f"CREATE INDEX {table}_searched ON {table} USING gin (searched)")
    elif op.get_bind().scalar(sa.text("SELECT sqlite_compileoption_used('ENABLE_FTS5')")):
        _index_later()


def _index_later() -> None:
    op.execute("CREATE TABLE search_backlog (docid INTEGER PRIMARY KEY)")
    op.execute(
        "CREATE VIRTUAL TABLE search USING fts5(text, place, content='', columnsize=0, tokenize='porter unicode61')"
    )
    # Merges of the index are work of the indexer, in small pieces: by themselves they take 30 ms and more at once.
    op.execute("INSERT INTO search (search, rank) VALUES ('automerge', 0)")
    op.execute("INSERT INTO search (search, rank) VALUES ('crisismerge', 1000)")
    for table in TEXT:
        op.execute(f"INSERT INTO search_backlog SELECT {NUMBER[table].format(table)} FROM {table}")
        _watch(table)


def _watch(table: str) -> None:
    new, old = NUMBER[table].format("new"), NUMBER[table].format("old")
    waits = f"EXISTS (SELECT 1 FROM search_backlog WHERE docid = {old})"
    gone = (
        "INSERT INTO search (search, rowid, text, place) "
        f"SELECT 'delete', {old}, {TEXT[table].format('old')}, {PLACE.format('old')} WHERE NOT {waits};"
    )
    note = f"INSERT OR IGNORE INTO search_backlog VALUES ({new});"
    op.execute(f"CREATE TRIGGER {table}_added AFTER INSERT ON {table} BEGIN {note} END")
    op.execute(f"CREATE TRIGGER {table}_changed AFTER UPDATE OF {WRITTEN[table]} ON {table} BEGIN {gone} {note} END")
    forget = f"DELETE FROM search_backlog WHERE docid = {old};"
    op.execute(f"CREATE TRIGGER {table}_gone AFTER DELETE ON {table} BEGIN {gone} {forget} END")


def downgrade() -> None:
    """Give up the index; what it was made from stays."""
    if op.get_bind().dialect.name == "postgresql":
        for table in SPLIT:
            op.drop_column(table, "searched")
        return
    for table in TEXT:
        for moment in ("added", "changed", "gone"):
            op.execute(f"DROP TRIGGER IF EXISTS {table}_{moment}")
    op.execute("DROP TABLE IF EXISTS search")
    op.execute("DROP TABLE IF EXISTS search_backlog")
