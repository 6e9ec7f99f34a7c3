"""Cursor pagination."""

import base64
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from local_slack.web_api.arguments import Arguments
from local_slack.wire import Json, SlackError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    items: Sequence[T]
    next_cursor: str

    @property
    def metadata(self) -> Json:
        return {"next_cursor": self.next_cursor}


def page_of(items: Sequence[T], args: Arguments, key: Callable[[T], str], default: int, most: float) -> Page[T]:
    """Return the page of `items` named by `limit` and `cursor`.

    The cursor holds the `key` of the next page's first item, so new items neither repeat nor hide one.
    Raises invalid_limit, invalid_cursor.
    """
    limit = args.number("limit", default)
    if not 1 <= limit <= most:
        raise SlackError("invalid_limit", [f"[ERROR] limit must lie between 1 and {most:g}"])
    start = _start(items, args.optional("cursor"), key)
    following = items[start + limit : start + limit + 1]
    return Page(items[start : start + limit], _cursor_at(key(following[0])) if following else "")


def _start(items: Sequence[T], cursor: str | None, key: Callable[[T], str]) -> int:
    if cursor is None:
        return 0
    position = _position(cursor)
    for index, item in enumerate(items):
        if key(item) == position:
            return index
    raise SlackError("invalid_cursor")


def _cursor_at(position: str) -> str:
    return base64.b64encode(f"next:{position}".encode()).decode()


def _position(cursor: str) -> str | None:
    """Return the position of a cursor, or None for a foreign one."""
    try:
        marker, _, position = base64.b64decode(cursor, validate=True).decode().partition(":")
    except ValueError:
        return None
    return position if marker == "next" else None
