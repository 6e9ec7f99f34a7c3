"""A thread written out, as Markdown for people and as JSON for programs: every message, every query with its SQL."""

import json
from collections.abc import Sequence

from ai.types import AnsweredQuery, LoggedMessage, ThreadKey


def as_markdown(key: ThreadKey, messages: Sequence[LoggedMessage], queries: Sequence[AnsweredQuery]) -> str:
    """The conversation, each query behind the question that it answers."""
    parts = [f"# Thread {key}"]
    waiting = list(queries)
    for message in messages:
        when = f"{message.created_at:%Y-%m-%d %H:%M:%S} UTC"
        parts.append(f"## {message.author}, {when}\n\n{message.content}")
        own = [query for query in waiting if query.turn_id == message.turn_id and message.role == "user"]
        parts += [_query(query) for query in own]
        waiting = [query for query in waiting if query not in own]
    return "\n\n".join([*parts, *(_query(query) for query in waiting)]) + "\n"


def as_json(key: ThreadKey, messages: Sequence[LoggedMessage], queries: Sequence[AnsweredQuery]) -> str:
    """The same, complete: `thread`, `messages`, `queries`."""
    said = [
        {
            "turn_id": message.turn_id,
            "role": message.role,
            "author": message.author,
            "content": message.content,
            "tokens": message.tokens,
            "created_at": message.created_at.isoformat(),
        }
        for message in messages
    ]
    asked = [
        {
            "id": query.id,
            "turn_id": query.turn_id,
            "source": query.source,
            "question": query.question,
            "sql": query.sql,
            "status": "ok",
            "row_count": query.row_count,
            "headline": query.headline,
            "created_at": query.created_at.isoformat(),
        }
        for query in queries
    ]
    return json.dumps({"thread": str(key), "messages": said, "queries": asked}, ensure_ascii=False, indent=2) + "\n"


def _query(query: AnsweredQuery) -> str:
    fence = "```" if "```" not in query.sql else "````"
    found = f"{query.row_count} rows" if query.row_count is not None else "ok"
    headline = f", {query.headline}" if query.headline else ""
    return f"Query q{query.id} on {query.source or 'the data'}: {found}{headline}\n\n{fence}sql\n{query.sql}\n{fence}"
