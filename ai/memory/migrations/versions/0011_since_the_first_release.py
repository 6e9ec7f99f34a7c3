"""Accepted answers, rules, preferences, phrasings and receipts; kinds of remarks; states and traces in the search.

Messages are numbered in the order in which they come, so one number says up to where they are indexed. Only what changes
below it, and what is no message, is noted. A number may be given again after the last message is forgotten, so the mark
is never above the last message.
"""

import json
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

from ai.language.remarks import remark_of
from ai.memory.migrations.scripts import dialect, has_fts5, run

revision = "0011"
down_revision = "0006"

STATE_TEXT = "id", "name", "description", "conversation_context", "active_task", "active_files", "next_steps", "tags"
AT_ONCE = 1000
NEXT = sa.text("SELECT id, content FROM message WHERE role = 'user' AND id > :last ORDER BY id LIMIT :most")
MARK = sa.text("UPDATE message SET remark = :remark WHERE id = :id")


def upgrade() -> None:
    run(f"0011/{dialect()}")
    _tell_what_is_there(op.get_bind())
    _mark_remarks(op.get_bind())
    run(f"0011/{dialect()}_then")
    if has_fts5():
        run("0011/fts5")


def _tell_what_is_there(connection: sa.Connection) -> None:
    """Write out what states and traces say."""
    states = connection.execute(sa.text(f"SELECT {', '.join(STATE_TEXT)} FROM state ORDER BY created_at, id")).all()
    for number, state in enumerate(states, 1):
        given = {"said": "\n".join(_told(state)), "number": number, "id": state.id}
        connection.execute(sa.text("UPDATE state SET said = :said, number = :number WHERE id = :id"), given)
    for trace in connection.execute(sa.text("SELECT id, tool, params, result FROM trace")).all():
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


def _mark_remarks(connection: sa.Connection) -> None:
    last = 0
    while rows := connection.execute(NEXT, {"last": last, "most": AT_ONCE}).all():
        connection.execute(MARK, [{"id": row.id, "remark": remark_of(row.content)} for row in rows])
        last = rows[-1].id
