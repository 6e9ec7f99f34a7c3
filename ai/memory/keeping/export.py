"""Writes out a thread with its queries: as Markdown for people, as JSON for programs."""

import json
from collections.abc import Sequence

from ai.types import AnsweredQuery, LoggedMessage, ThreadKey


def as_markdown(key: ThreadKey, messages: Sequence[LoggedMessage], queries: Sequence[AnsweredQuery]) -> str:
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
    said = [_record(message, "turn_id role author content tokens created_at") for message in messages]
    names = "id turn_id source question sql row_count headline created_at"
    asked = [_record(query, names) | {"status": "ok"} for query in queries]
    return json.dumps({"thread": str(key), "messages": said, "queries": asked}, ensure_ascii=False, indent=2) + "\n"


def _record(item: LoggedMessage | AnsweredQuery, names: str) -> dict[str, object]:
    return {name: getattr(item, name) for name in names.split()} | {"created_at": item.created_at.isoformat()}


def _query(query: AnsweredQuery) -> str:
    fence = "```" if "```" not in query.sql else "````"
    rows = f"{query.row_count} row{'' if query.row_count == 1 else 's'}"
    found = rows if query.row_count is not None else "ok"
    headline = f", {query.headline}" if query.headline else ""
    return f"Query q{query.id} on {query.source or 'the data'}: {found}{headline}\n\n{fence}sql\n{query.sql}\n{fence}"
