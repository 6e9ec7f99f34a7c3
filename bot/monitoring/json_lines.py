"""The log as JSON, a line per event, for collecting machines: no word of people, SQL, cell or text of an error.

Of the values in our own wordings only numbers, kinds of errors, and names nobody makes up pass; the rest is "…". Lines
of libraries are told by their place in the code.
"""

import json
import logging
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from traceback import extract_tb
from types import TracebackType

from bot.monitoring.watched import TURN

OURS = ("ai.", "bot.")
HIDDEN = "…"
FRAMES = 12
TOLD = re.compile(
    r"T[A-Z0-9]*:[A-Z0-9]+:[\d.:e]+"  # a turn
    r"|(?:answered|asked back|stopped|failed|forgotten|undeliverable)"
    r"|(?:receiver|worker \d{1,2})"
    r"|(?:apps|assistant|auth|bots|chat|conversations|files|reactions|team|usergroups|users|views)"
    r"\.[a-z]+(?:\.?[a-zA-Z]+)?"
)


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        facts = getattr(record, "facts", {})
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "event": _event(record),
            **({"turn": turn} if (turn := TURN.get()) else {}),
            **facts,
        }
        if record.exc_info and (error := record.exc_info[1]) is not None:
            line |= {"error": list(_kinds(error)), "at": _frames(record.exc_info[2])}
        return json.dumps(line, ensure_ascii=False)


def _event(record: logging.LogRecord) -> str:
    if not record.name.startswith(OURS):
        return f"{record.module}.{record.funcName}"
    given = record.args if isinstance(record.args, tuple) else (record.args,)
    try:
        return str(record.msg) % tuple(map(_told, given)) if given else str(record.msg)
    except (TypeError, ValueError):
        return str(record.msg)


def _told(value: object) -> object:
    """Return a value nobody can have written, else a sign in its place."""
    if isinstance(value, int | float):
        return value
    if isinstance(value, BaseException):
        return type(value).__name__
    return value if isinstance(value, str) and TOLD.fullmatch(value) else HIDDEN


def _kinds(error: BaseException | None) -> Iterator[str]:
    while error is not None:
        yield type(error).__name__
        error = error.__cause__


def _frames(at: TracebackType | None) -> list[str]:
    """Return the last places on the way of an error, without their code."""
    return [f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in extract_tb(at)[-FRAMES:]]
