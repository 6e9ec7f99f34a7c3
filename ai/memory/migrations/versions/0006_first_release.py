"""The shape of the first release: log, archives, queries, search, workspaces, and the book of model calls.

A document of the search is named by one number: its thread, a bit that is set for a query, and its place in the thread.
In SQLite the index is filled later than the log: triggers note what is to be indexed, and take out at once what is
changed or forgotten. PostgreSQL keeps its index itself.
"""

import unicodedata

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = None

MESSAGE_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")
TEXT = {"message": "{0}.content", "query": "{0}.question || char(10) || {0}.sql"}
NUMBER = {"message": "({0}.thread_id << 32) | {0}.seq", "query": "({0}.thread_id << 32) | (1 << 31) | {0}.id"}
PLACE = "(SELECT 'x' || hex(team || '/' || channel) FROM thread WHERE id = {0}.thread_id)"
WRITTEN = {"message": "content", "query": "question, sql"}
ACCENTED = "".join(c for c in map(chr, range(0xC0, 0x180)) if len(unicodedata.normalize("NFD", c)) == 2)
BARE = "".join(unicodedata.normalize("NFD", c)[0] for c in ACCENTED)
SPACED = f"regexp_replace(translate(left({{}}, 200000), '{ACCENTED}', '{BARE}'), '[[:punct:][:space:]]+', ' ', 'g')"
VECTOR = f"to_tsvector('english'::regconfig, {SPACED})"
SPLIT = {"message": "content", "query": "question || ' ' || sql"}
KEPT = (
    "id, workspace_id, name, session, conversation_context, active_task, active_files, next_steps, description, tags, "
    "team, channel, thread_ts, turn_id, author, source, query, result, created_at"
).split(", ")
IMMUTABLE = "States are immutable: save a new one under another name."

SQLITE = (
    f"CREATE TRIGGER state_is_immutable BEFORE UPDATE OF {', '.join(KEPT)} ON state "
    f"BEGIN SELECT RAISE(ABORT, '{IMMUTABLE}'); END",
    "CREATE TRIGGER state_stays BEFORE DELETE ON state WHEN NOT EXISTS (SELECT 1 FROM erasure) "
    f"BEGIN SELECT RAISE(ABORT, '{IMMUTABLE}'); END",
)
POSTGRESQL = (
    "CREATE FUNCTION state_is_immutable() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
    "IF TG_OP = 'DELETE' THEN IF EXISTS (SELECT 1 FROM erasure) THEN RETURN OLD; END IF; "
    "ELSIF to_jsonb(NEW) - 'is_archived' = to_jsonb(OLD) - 'is_archived' THEN RETURN NEW; END IF; "
    f"RAISE EXCEPTION '{IMMUTABLE}' USING ERRCODE = 'integrity_constraint_violation'; END $$",
    "CREATE TRIGGER state_is_immutable BEFORE UPDATE OR DELETE ON state "
    "FOR EACH ROW EXECUTE FUNCTION state_is_immutable()",
)


def upgrade() -> None:
    _log()
    _queries()
    _index()
    _workspaces()
    _states()
    _traces()
    for statement in SQLITE if op.get_bind().dialect.name == "sqlite" else POSTGRESQL:
        op.execute(statement)
    _calls()


def _log() -> None:
    op.create_table(
        "thread",
        sa.Column("id", sa.Integer, primary_key=True),
        *_texts("team", "channel", "thread_ts"),
        *_numbers("last_seq", "tokens", "cleared_seq", "version"),
        *_numbers("view_messages", "view_tokens", default="0"),
        sa.UniqueConstraint("team", "channel", "thread_ts", name="one_row_per_thread"),
    )
    op.create_table(
        "message",
        sa.Column("id", MESSAGE_NUMBER),
        _of_thread(),
        *_numbers("seq", "turn_seq"),
        *_texts("turn_id", "part", "role"),
        sa.Column("content", sa.Text, nullable=False),
        *_texts("author"),
        *_numbers("tokens"),
        sa.Column("exact", sa.Boolean, nullable=False, server_default=sa.true()),
        sa.Column("cum_tokens", sa.BigInteger, nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("edited_at", sa.DateTime),
        sa.Column("deleted_at", sa.DateTime),
        sa.PrimaryKeyConstraint("id", name="message_by_number"),
        sa.UniqueConstraint("thread_id", "seq", name="each_place_once"),
        sa.UniqueConstraint("turn_id", "part", name="one_message_per_part"),
    )
    op.create_index("message_in_turn_order", "message", ["thread_id", "turn_seq", "seq"])
    op.create_table(
        "segment",
        sa.Column("handle", sa.String, primary_key=True),
        _of_thread(index=True),
        *_texts("kind"),
        *_numbers("last_turn_seq", "messages"),
        sa.Column("lines", sa.JSON, nullable=False),
        *_numbers("tokens"),
        sa.Column("created_at", sa.DateTime, nullable=False),
        *_numbers("as_of_seq", "chars", "held_tokens", default="0"),
        sa.Column("state", sa.String, nullable=False, server_default="live"),
        *(sa.Column(name, sa.JSON, nullable=False, server_default="[]") for name in ("content", "hides")),
    )
    op.create_table(
        "inset",
        sa.Column("id", sa.Integer, primary_key=True),
        _of_thread(index=True),
        *_texts("handle"),
        *_numbers("after_turn_seq", "after_seq", "rank"),
        *_texts("inside"),
        sa.Column("copied", sa.JSON(none_as_null=True)),
    )


def _queries() -> None:
    op.create_table(
        "query",
        sa.Column("id", sa.Integer, primary_key=True),
        _of_thread(),
        *_texts("turn_id", "part"),
        *_numbers("turn_seq"),
        *_texts("source"),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("question", "sql", "reading")),
        sa.Column("meaning", sa.JSON),
        *_texts("analyst", "status"),
        sa.Column("detail", sa.Text, nullable=False),
        sa.Column("row_count", sa.Integer),
        sa.Column("truncated", sa.Boolean, nullable=False),
        sa.Column("headline", sa.Text, nullable=False),
        sa.Column("result", sa.String),
        sa.Column("elapsed_ms", sa.Integer),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.UniqueConstraint("turn_id", "part", name="each_query_once"),
    )
    op.create_index("query_in_turn_order", "query", ["thread_id", "turn_seq", "id"])


def _of_thread(*, index: bool = False) -> sa.Column[int]:
    return sa.Column("thread_id", sa.Integer, sa.ForeignKey("thread.id"), nullable=False, index=index)


def _texts(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.String, nullable=False) for name in names]


def _numbers(*names: str, default: str | None = None) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.Integer, nullable=False, server_default=default) for name in names]


def _index() -> None:
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


def _workspaces() -> None:
    op.create_table(
        "workspace",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("team", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("channel", sa.String, nullable=False),
        sa.Column("description", sa.Text, nullable=False),
        sa.Column("root_folder", sa.Text, nullable=False),
        sa.Column("purpose", sa.Text, nullable=False),
        sa.Column("workflows", sa.JSON, nullable=False),
        sa.Column("key_files", sa.JSON, nullable=False),
        sa.Column("preferences", sa.JSON, nullable=False),
        sa.Column("is_archived", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.UniqueConstraint("team", "channel", "name", name="one_workspace_of_a_name"),
    )


def _states() -> None:
    texts = ("conversation_context", "active_task", "description")
    lists = ("active_files", "next_steps", "tags", "query")
    names = ("name", "session", "team", "channel", "thread_ts", "turn_id", "author", "source", "result")
    op.create_table(
        "state",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("workspace_id", sa.String, sa.ForeignKey("workspace.id"), nullable=False),
        *(sa.Column(name, sa.String, nullable=False) for name in names),
        *(sa.Column(name, sa.Text, nullable=False) for name in texts),
        *(sa.Column(name, sa.JSON, nullable=False) for name in lists),
        sa.Column("is_archived", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.UniqueConstraint("workspace_id", "name", name="one_state_of_a_name"),
    )
    op.create_table("erasure", sa.Column("reason", sa.Text, nullable=False))


def _traces() -> None:
    op.create_table(
        "trace",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("workspace_id", sa.String, nullable=False),
        sa.Column("team", sa.String, nullable=False),
        sa.Column("channel", sa.String, nullable=False),
        sa.Column("session", sa.String, nullable=False),
        sa.Column("turn_id", sa.String, nullable=False),
        sa.Column("tool", sa.String, nullable=False),
        sa.Column("params", sa.JSON, nullable=False),
        sa.Column("result", sa.Text, nullable=False),
        sa.Column("context", sa.JSON, nullable=False),
        sa.Column("tokens", sa.Integer, nullable=False),
        sa.Column("ms", sa.Integer, nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
    )
    op.create_index("trace_in_order", "trace", ["workspace_id", "id"])
    op.create_index("trace_of_a_session", "trace", ["team", "channel", "session"])


def _calls() -> None:
    op.create_table(
        "model_call",
        sa.Column("id", sa.Integer, primary_key=True),
        *(sa.Column(name, sa.String, nullable=False) for name in ("team", "channel", "thread_ts", "turn_id", "user")),
        sa.Column("purpose", sa.String, nullable=False),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("model", sa.String, nullable=False),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("prompt", "cached", "completion")),
        sa.Column("reported", sa.Boolean, nullable=False),
        sa.Column("cost", sa.Float, nullable=False),
        sa.Column("currency", sa.String, nullable=False),
        sa.Column("ms", sa.Integer, nullable=False),
        sa.Column("outcome", sa.String, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.UniqueConstraint("turn_id", "purpose", "n", name="each_call_once"),
    )
    op.create_index("model_call_of_a_thread", "model_call", ["team", "channel", "thread_ts"])
    op.create_index("model_call_by_time", "model_call", ["at"])
