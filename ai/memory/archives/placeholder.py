"""The texts of archives: placeholders, summaries, previews. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ai.types import LoggedMessage

PREVIEW, SHORTEST_PREVIEW, LONGEST_PREVIEW = 200, 40, 400  # characters
SUMMARY = 140  # characters of a summary that nobody wrote
TRUNCATED = "...(truncated)"
HEAD = re.compile(
    r"\[\[memory archived handle=(?P<handle>\S+) range=(?P<first>\d+)\.\.(?P<last>\d+)"
    r" messages=(?P<messages>\d+) chars=(?P<chars>\d+)(?: tokens=(?P<tokens>\d+))?\]\]"
    r"(?:\nSummary: (?P<summary>[^\n]*))?(?:\nPreview: (?P<preview>.*))?",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Placeholder:
    """Indices and sizes are those at the time of archiving."""

    handle: str
    first: int
    last: int
    messages: int
    chars: int
    tokens: int | None
    summary: str
    preview: str

    @property
    def text(self) -> str:
        sizes = f"range={self.first}..{self.last} messages={self.messages} chars={self.chars} tokens={self.tokens}"
        head = f"[[memory archived handle={self.handle} {sizes}]]"
        return f"{head}\nSummary: {self.summary}\nPreview: {self.preview}"


def parse(text: str) -> Placeholder | None:
    """Read a placeholder; None for other texts."""
    found = HEAD.fullmatch(text)
    if found is None:
        return None
    first, last, messages, chars = (int(found[name]) for name in ("first", "last", "messages", "chars"))
    tokens = int(found["tokens"]) if found["tokens"] else None
    summary, preview = found["summary"] or "", found["preview"] or ""
    return Placeholder(found["handle"], first, last, messages, chars, tokens, summary, preview)


def summary_of(messages: Sequence[LoggedMessage], given: str | None, auto: bool) -> str:
    """Return the given summary, or with `auto` the first line of text."""
    first = next((line.strip() for message in messages for line in message.content.splitlines() if line.strip()), "")
    said = " ".join(given.split()) if given else first[:SUMMARY] if auto else ""
    counted = f"({len(messages)} msgs)"
    return said if said.endswith(counted) else f"{said} {counted}".strip()


def preview_of(messages: Iterable[LoggedMessage], limit: int = PREVIEW) -> str:
    """Return the beginning of the messages on one line, 40 to 400 characters."""
    limit = min(max(limit, SHORTEST_PREVIEW), LONGEST_PREVIEW)
    said: list[str] = []
    for message in messages:
        said.append(f"{message.role.title()}: {' '.join(message.content[: 2 * limit].split())}")
        if sum(map(len, said)) > limit:
            break
    whole = " ".join(said)
    return whole if len(whole) <= limit else whole[:limit].rstrip() + TRUNCATED


def as_markdown(messages: Iterable[tuple[int, LoggedMessage]]) -> str:
    return "\n\n".join(
        f"### [{index}] {message.role.title()} ({message.author}, {message.created_at:%Y-%m-%d %H:%M} UTC)\n\n"
        f"{message.content}"
        for index, message in messages
    )
