"""Text in Slack's stored form: tokens, escapes, and the rich text of a person's message."""

import html
import re
from collections.abc import Iterator

from local_slack.wire import Json

_TOKEN = re.compile(
    r"<(?:@(?P<user>[UW][A-Z0-9]+)|#(?P<channel>[CG][A-Z0-9]+)|!(?P<special>[^<>|]+)|"
    r"(?P<link>(?:https?|mailto):[^<>|]+))"
    r"(?:\|(?P<label>[^<>]*))?>"
)
_BARE_AMPERSAND = re.compile(r"&(?!(?:amp|lt|gt);)")
_BROADCASTS = {"here", "channel", "everyone"}


def stored_text(text: str) -> str:
    """Escape `&`, `<` and `>` outside mentions, links and escapes."""
    parts: list[str] = []
    end = 0
    for token in _TOKEN.finditer(text):
        parts += [_escaped(text[end : token.start()]), token.group()]
        end = token.end()
    return "".join([*parts, _escaped(text[end:])])


def mentions(text: str, user: str) -> bool:
    return any(token["user"] == user for token in _TOKEN.finditer(text))


def addressees(text: str) -> Iterator[tuple[str, str]]:
    """Yield ("user", id), ("group", id) or ("special", name) for each mention."""
    for token in _TOKEN.finditer(text):
        special = token["special"] or ""
        if token["user"]:
            yield "user", token["user"]
        elif special.startswith("subteam^"):
            yield "group", special.removeprefix("subteam^")
        elif special:
            yield "special", special


def rich_text(text: str, block_id: str) -> Json:
    """Return the rich_text block of Slack's composer for a stored `text`."""
    section = {"type": "rich_text_section", "elements": list(_elements(text))}
    return {"type": "rich_text", "block_id": block_id, "elements": [section]}


def plain_rich_text(text: str) -> Json:
    """Return a rich_text block showing `text` as it is."""
    return {
        "type": "rich_text",
        "elements": [{"type": "rich_text_section", "elements": [{"type": "text", "text": text}]}],
    }


def _elements(text: str) -> Iterator[Json]:
    end = 0
    for token in _TOKEN.finditer(text):
        if token.start() > end:
            yield _plain(text[end : token.start()])
        yield _token_element(token)
        end = token.end()
    if end < len(text):
        yield _plain(text[end:])


def _token_element(token: re.Match[str]) -> Json:
    if token["user"]:
        return {"type": "user", "user_id": token["user"]}
    if token["channel"]:
        return {"type": "channel", "channel_id": token["channel"]}
    if token["link"]:
        label = {"text": html.unescape(token["label"])} if token["label"] else {}
        return {"type": "link", "url": html.unescape(token["link"]), **label}
    if token["special"] in _BROADCASTS:
        return {"type": "broadcast", "range": token["special"]}
    return _plain(token["label"] or token.group())


def _plain(text: str) -> Json:
    return {"type": "text", "text": html.unescape(text)}


def _escaped(text: str) -> str:
    return _BARE_AMPERSAND.sub("&amp;", text).replace("<", "&lt;").replace(">", "&gt;")
