"""Keeps LangChain messages whole: kind, ids, tool calls, metadata. Media become references."""

import json
from base64 import b64decode
from hashlib import sha256
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, messages_from_dict
from sqlalchemy import Connection, select

from ai.errors import UserError
from ai.memory.log.tables import MESSAGE, THREAD, in_thread
from ai.types import ThreadKey

REFERENCE = "sha256:"  # of the bytes that stood there
ENCODED = ";base64,"
SUMMARY, COPY = "summary", "copy"
MARKS = ("memory", "handle")  # of a summary or a copy in the view, not of the message


def original_of(message: BaseMessage) -> str | None:
    """Return a message as JSON without its text; None for a plain one.

    UserError for values JSON cannot hold.
    """
    if message.additional_kwargs.get("memory") == COPY:
        own = {name: value for name, value in message.additional_kwargs.items() if name not in MARKS}
        message = message.model_copy(update={"additional_kwargs": own})
    text = str(message.text)
    whole = text.encode("utf-8", "replace").decode() == text  # half of a surrogate pair is not in the log
    if whole and message == (HumanMessage(text) if isinstance(message, HumanMessage) else AIMessage(text)):
        return None
    data = message.model_dump(exclude_defaults=True)
    if whole and data.get("content") == text:
        del data["content"]
    try:
        return json.dumps({"type": message.type, "data": _referenced(data)})
    except (TypeError, ValueError) as error:
        raise UserError(f"A {message.type} message cannot be kept: {error}. Keep it elsewhere and name it.") from None


def originals(connection: Connection, key: ThreadKey, since: int) -> dict[int, str]:
    """Return the originals of a thread by number, from `since` on."""
    kept = select(MESSAGE.c.seq, MESSAGE.c.original).join(THREAD).where(in_thread(THREAD, key), MESSAGE.c.seq >= since)
    return {row.seq: row.original for row in connection.execute(kept.where(MESSAGE.c.original.is_not(None)))}


def restored(original: str, text: str) -> BaseMessage:
    """Rebuild a message from its original and its logged text."""
    kept = json.loads(original)
    (message,) = messages_from_dict([{"type": kept["type"], "data": {"content": text, **kept["data"]}}])
    return message


def _referenced(value: Any) -> Any:
    match value:
        case bytes():
            return f"{REFERENCE}{sha256(value).hexdigest()}"
        case str() if value.startswith("data:") and ENCODED in value[:200]:
            kind, _, encoded = value.removeprefix("data:").partition(ENCODED)
            return f"{_reference(encoded)}#{kind}"
        case {"base64": str() as encoded, **rest}:
            return _referenced(rest) | {"file_id": _reference(encoded)}
        case {"type": "base64", "data": str() as encoded} | {"source_type": "base64", "data": str() as encoded}:
            return value | {"data": _reference(encoded)}
        case {"format": str(), "data": str() as encoded}:
            return value | {"data": _reference(encoded)}
        case dict():
            return {name: _referenced(each) for name, each in value.items()}
        case list() | tuple():
            return [_referenced(each) for each in value]
    return value


def _reference(encoded: str) -> str:
    return f"{REFERENCE}{sha256(b64decode(encoded)).hexdigest()}"
