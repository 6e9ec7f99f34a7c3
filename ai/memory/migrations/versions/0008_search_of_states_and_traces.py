"""States and traces in the full-text index, and a mark in the place of a note for each new message.

Messages are numbered in the order in which they come, so one number says up to where they are indexed. Only what changes
below it, and what is no message, is noted. A number may be given again after the last message is forgotten, so the mark
is never above the last message.
"""

import json
import unicodedata
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

STATE_TEXT = "id", "name", "description", "conversation_context", "active_task", "active_files", "next_steps", "tags"
TRACE_TEXT = "id", "tool", "params", "result"
ACCENTED = "".join(c for c in map(chr, range(0xC0, 0x180)) if len(unicodedata.normalize("NFD", c)) == 2)
BARE = "".join(unicodedata.normalize("NFD", c)[0] for c in ACCENTED)
SPACED = f"regexp_replace(translate(left(said, 200000), '{ACCENTED}', '{BARE}'), '[[:punct:][:space:]]+', ' ', 'g')"
UNCHANGED = "to_jsonb({}) - 'is_archived' - 'searched'"  # a column that is made from others is empty in a trigger
IMMUTABLE = (
    "CREATE OR REPLACE FUNCTION state_is_immutable() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
    "IF TG_OP = 'DELETE' THEN IF EXISTS (SELECT 1 FROM erasure) THEN RETURN OLD; END IF; "
    f"ELSIF {UNCHANGED.format('NEW')} = {UNCHANGED.format('OLD')} THEN RETURN NEW; END IF; "
    "RAISE EXCEPTION 'States are immutable: save a new one under another name.' "
    "USING ERRCODE = 'integrity_constraint_violation'; END $$"
)

LAST = "(SELECT coalesce(max(id), 0) FROM message)"
MARK = "(SELECT message FROM search_mark)"
NUMBER = "{0}.thread_id << 32 | {0}.seq"
CHANNEL = "'x' || hex({0}.team || '/' || {0}.channel)"
MESSAGE = NUMBER.format("old"), f"(SELECT {CHANNEL.format('t')} FROM thread t WHERE t.id = old.thread_id)"
SAVED = {
    "state": ("3 << 30 | {0}.number", "'all w' || hex({0}.workspace_id)"),
    "trace": ("2 << 30 | {0}.id", f"{CHANNEL} || ' w' || hex({{0}}.workspace_id)"),
}


def upgrade() -> None:
    """Write out what states and traces say, and index it."""
    is_postgresql = op.get_bind().dialect.name == "postgresql"
    for table in ("state", "trace"):
        op.add_column(table, sa.Column("said", sa.Text, nullable=False, server_default=""))
    op.add_column("state", sa.Column("number", sa.Integer, nullable=False, server_default="0"))
    if is_postgresql:
        op.execute("ALTER TABLE state DISABLE TRIGGER state_is_immutable")
    _tell_what_is_there()
    op.create_index("ix_state_number", "state", ["number"], unique=True)
    if is_postgresql:
        _index_at_once()
        op.execute(IMMUTABLE)
        op.execute("ALTER TABLE state ENABLE TRIGGER state_is_immutable")
    elif op.get_bind().scalar(sa.text("SELECT sqlite_compileoption_used('ENABLE_FTS5')")):
        _mark_messages()
        for table, (number, place) in SAVED.items():
            _watch(table, number, place)
    if not is_postgresql:
        op.execute(
            "CREATE TRIGGER state_says_the_same BEFORE UPDATE OF said, number ON state "
            "BEGIN SELECT RAISE(ABORT, 'States are immutable: save a new one under another name.'); END"
        )


def _tell_what_is_there() -> None:
    connection = op.get_bind()
    states = connection.execute(sa.text(f"SELECT {', '.join(STATE_TEXT)} FROM state ORDER BY created_at, id")).all()
    for number, state in enumerate(states, 1):
        given = {"said": "\n".join(_told(state)), "number": number, "id": state.id}
        connection.execute(sa.text("UPDATE state SET said = :said, number = :number WHERE id = :id"), given)
    for trace in connection.execute(sa.text(f"SELECT {', '.join(TRACE_TEXT)} FROM trace")).all():
        params = json.dumps(_read(trace.params), ensure_ascii=False)
        given = {"said": f"{trace.tool}({params}) -> {trace.result}", "id": trace.id}
        connection.execute(sa.text("UPDATE trace SET said = :said WHERE id = :id"), given)


def _told(state: sa.Row[Any]) -> Iterator[str]:
    yield f"{state.name}: {state.description}" if state.description else state.name
    lists = {name: _read(getattr(state, name)) for name in ("active_files", "next_steps", "tags")}
    texts = {
        "Context": state.conversation_context,
        "Task": state.active_task,
        "Files": ", ".join(lists["active_files"]),
        "Next": "; ".join(lists["next_steps"]),
        "Tags": ", ".join(lists["tags"]),
    }
    yield from (f"{label}: {text}" for label, text in texts.items() if text)


def _read(column: Any) -> Any:
    return json.loads(column) if isinstance(column, str) else column


def _index_at_once() -> None:
    for table in SAVED:
        vector = f"to_tsvector('english'::regconfig, {SPACED})"
        op.execute(f"ALTER TABLE {table} ADD COLUMN searched tsvector GENERATED ALWAYS AS ({vector}) STORED")
        op.execute(f"CREATE INDEX {table}_searched ON {table} USING gin (searched)")


def _mark_messages() -> None:
    op.execute("CREATE TABLE search_mark (message INTEGER NOT NULL)")
    op.execute(f"INSERT INTO search_mark VALUES ({LAST})")
    lower = f"UPDATE search_mark SET message = {LAST} WHERE message > {LAST};"
    _watch_messages(f"old.id <= {MARK}", lower)


def _watch_messages(known: str, afterwards: str = "") -> None:
    """Note what becomes of messages that the index is to know; those after the mark it will see by itself."""
    for moment in ("added", "changed", "gone"):
        op.execute(f"DROP TRIGGER IF EXISTS message_{moment}")
    number, place = MESSAGE
    gone = _taken_out(number, "old.content", place, known)
    note = f"INSERT OR IGNORE INTO search_backlog SELECT {number} WHERE {known};"
    op.execute(f"CREATE TRIGGER message_changed AFTER UPDATE OF content ON message BEGIN {gone} {note} END")
    forget = f"DELETE FROM search_backlog WHERE docid = {number};"
    op.execute(f"CREATE TRIGGER message_gone AFTER DELETE ON message BEGIN {gone} {forget} {afterwards} END")


def _taken_out(number: str, text: str, place: str, known: str = "1") -> str:
    return (
        f"INSERT INTO search (search, rowid, text, place) SELECT 'delete', {number}, {text}, {place} "
        f"WHERE {known} AND NOT EXISTS (SELECT 1 FROM search_backlog WHERE docid = {number});"
    )


def _watch(table: str, number: str, place: str) -> None:
    old = number.format("old")
    op.execute(f"INSERT INTO search_backlog SELECT {number.format(table)} FROM {table}")
    note = f"INSERT OR IGNORE INTO search_backlog VALUES ({number.format('new')});"
    op.execute(f"CREATE TRIGGER {table}_added AFTER INSERT ON {table} BEGIN {note} END")
    gone, forget = _taken_out(old, "old.said", place.format("old")), f"DELETE FROM search_backlog WHERE docid = {old};"
    op.execute(f"CREATE TRIGGER {table}_gone AFTER DELETE ON {table} BEGIN {gone} {forget} END")
