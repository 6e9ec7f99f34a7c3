"""Reply events become Slack messages within its limits; `plain` has the simpler forms.

Text is cut between paragraphs, else lines, else words; a cut code block ends and begins anew.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from ai.agents.port import (
    ActionsEvent,
    CautionEvent,
    ChartEvent,
    FeedbackEvent,
    NoteEvent,
    PressEvent,
    QuestionEvent,
    QuoteEvent,
    ReceiptEvent,
    ReplyEvent,
    SqlEvent,
    TableEvent,
    TextEvent,
    said,
)
from ai.language.texts import ENGLISH_TEXTS, Translator
from ai.results.table import ResultTable
from ai.types import ThreadKey
from bot.render.buttons import action_row, chosen_line, plain, question_blocks, stop_button
from bot.render.charts import chart_block
from bot.render.feedback import feedback_block
from bot.render.plain import (
    MAX_UPDATE,
    caution_text,
    context,
    note_text,
    plain_blocks,
    receipt_block,
    shortened,
    words_of,
)
from bot.render.tables import data_block, left_out, table_block
from bot.render.text import Block, fallback, preformatted, rich_text, visible
from bot.render.translated import in_language, translated

SLACK = "https://slack.com"  # finds the workspace by who opens a link
TABLES = ("table", "data_table")
PLAIN_TABLES = "plain tables"  # the name of a form
WORKING = "Working on it"
MOST_BLOCKS = 50
MOST_TEXT = 11_300  # characters of a message's blocks without its table; Slack refused 11,341
PIECE = 5_000  # characters of one piece of text
FENCE = "```"
FENCE_LINE = re.compile(r"```\w{0,20}")
SLACK_USER = re.compile(r"[UW][A-Z0-9]{5,}")


@dataclass(frozen=True, slots=True)
class MessageForm:
    """What chat.postMessage and chat.update take."""

    name: str
    text: str
    blocks: tuple[Block, ...] = ()

    @property
    def content(self) -> dict[str, Any]:
        return {"text": self.text, **({"blocks": list(self.blocks)} if self.blocks else {})}


@dataclass(frozen=True, slots=True)
class SlackMessage:
    """One message. `events` are its contents, for simpler forms, or `simple` has its old blocks."""

    text: str
    blocks: tuple[Block, ...]
    events: tuple[ReplyEvent, ...] = ()
    simple: tuple[Block, ...] = ()
    texts: Translator = ENGLISH_TEXTS

    @property
    def table(self) -> ResultTable | None:
        return next((event.table for event in self.events if isinstance(event, TableEvent) and event.table.rows), None)

    @property
    def chart(self) -> ChartEvent | None:
        return next((event for event in self.events if isinstance(event, ChartEvent)), None)

    @property
    def sorts(self) -> bool:
        """Whether the full message has a table to sort."""
        return any(block["type"] == "data_table" for block in self.blocks)

    @property
    def full(self) -> MessageForm:
        return MessageForm("blocks", self.text, translated(self.blocks, self.texts))

    def forms(self) -> Iterator[MessageForm]:
        """Yield the full message, then ever simpler forms: plain tables, old blocks, text, less text."""
        yield self.full
        if self.sorts:
            yield MessageForm(PLAIN_TABLES, self.text, translated(self._with_plain_tables(), self.texts))
        old = self.simple or plain_blocks(self.events)
        if old and _length(list(old)) <= MOST_TEXT:
            yield MessageForm("plain blocks", self.text, translated(old, self.texts))
        words = words_of(self.events) or self.text
        yield MessageForm("text", words)
        if len(words) > MAX_UPDATE:
            yield MessageForm("short text", shortened(words))

    def _with_plain_tables(self) -> tuple[Block, ...]:
        tables = (table_block(event) for event in self.events if isinstance(event, TableEvent) and event.table.rows)
        return tuple(next(tables) if block["type"] in TABLES else block for block in self.blocks)


def render(events: Iterable[ReplyEvent], site: str = SLACK, texts: Translator = ENGLISH_TEXTS) -> SlackMessage:
    """Return one message of `events`, without status and files. Links lead to `site`."""
    events = tuple(events)
    text = shortened(fallback("\n\n".join(words for event in events if (words := said(event)))))
    blocks = tuple(block for event in events for block in blocks_of(event, site))
    return SlackMessage(text or texts("Done."), blocks, events, texts=texts)


def status(steps: Sequence[str], turn_id: str, texts: Translator = ENGLISH_TEXTS) -> SlackMessage:
    """Return the plan of a turn that works: its steps so far, the last one under way, and Stop."""
    steps, stop = [texts(step) for step in steps], stop_button(turn_id)
    now = steps[-1]
    tasks = [
        {"type": "task_card", "task_id": str(number), "title": visible(step), "status": "complete"}
        for number, step in enumerate(steps, 1)
    ]
    tasks[-1]["status"] = "in_progress"
    plan = {"type": "plan", "title": texts(WORKING), "tasks": tasks}
    return SlackMessage(fallback(now), (plan, stop), simple=(context(now), stop), texts=texts)


def blocks_of(event: ReplyEvent, site: str) -> Iterator[Block]:
    match event:
        case TextEvent(markdown):
            yield rich_text(markdown)
        case TableEvent(table) if table.rows:
            yield data_block(event)
            yield from map(context, filter(None, [left_out(event)]))
        case ChartEvent(chart):
            yield from filter(None, [chart_block(chart)])
        case SqlEvent(sql, _):
            yield {"type": "rich_text", "elements": [preformatted(sql)]}
        case QuoteEvent():
            yield _quotation(event, site)
        case QuestionEvent():
            yield from question_blocks(event)
        case CautionEvent() | NoteEvent():
            yield context(caution_text(event.text) if isinstance(event, CautionEvent) else note_text(event))
        case ReceiptEvent():
            yield receipt_block(event)
        case ActionsEvent() | FeedbackEvent() | PressEvent():
            yield from _pressable(event)


def _pressable(event: ActionsEvent | FeedbackEvent | PressEvent) -> Iterable[Block]:
    if isinstance(event, PressEvent):
        return [chosen_line(event.words, event.by)]
    return [feedback_block(event)] if isinstance(event, FeedbackEvent) else action_row(event)


def permalink(site: str, thread: ThreadKey, ts: str) -> str:
    """Return the link to a message of a thread."""
    return f"{site}/archives/{thread.channel}/p{ts.replace('.', '')}?thread_ts={thread.thread_ts}&cid={thread.channel}"


def _quotation(event: QuoteEvent, site: str) -> Block:
    """Return the quoted words with a link to their message, where that is in Slack."""
    thread, at = event.thread, event.at
    link = {"type": "link", "url": permalink(site, thread, event.ts), "text": at} if thread.team else plain(at)
    quoted = {"type": "rich_text_quote", "elements": [plain(event.words), plain(" · "), link]}
    author: list[Block] = []
    if event.by:
        is_known = thread.team and SLACK_USER.fullmatch(event.by)
        author = [plain(" "), {"type": "user", "user_id": event.by} if is_known else plain(event.by), plain(":")]
    section = {"type": "rich_text_section", "elements": [plain(event.intro), *author]}
    return {"type": "rich_text", "elements": [section, quoted]}


def pages(
    events: Iterable[ReplyEvent], site: str = SLACK, texts: Translator = ENGLISH_TEXTS
) -> tuple[SlackMessage, ...]:
    """Return the messages of `events` in order, in the language of `texts`; at least one."""
    told = [in_language(event, texts) for event in events]
    return tuple(render(group, site, texts) for group in _grouped(told, site))


def _grouped(events: Iterable[ReplyEvent], site: str) -> list[list[ReplyEvent]]:
    groups: list[list[ReplyEvent]] = [[]]
    filled: list[Block] = []
    for piece in chain.from_iterable(map(pieces, events)):
        blocks = list(blocks_of(piece, site))
        if groups[-1] and not _fits([*filled, *blocks]):
            groups.append([])
            filled = []
        groups[-1].append(piece)
        filled += blocks
    return groups


def _fits(blocks: list[Block]) -> bool:
    tables = [block for block in blocks if block["type"] in TABLES]
    text = sum(_length(block) for block in blocks if block["type"] not in TABLES)
    return len(blocks) <= MOST_BLOCKS and text <= MOST_TEXT and len(tables) <= 1


def _length(value: Any) -> int:
    if isinstance(value, dict):
        own = len(value["text"]) if isinstance(value.get("text"), str) else 0
        return own + sum(_length(inner) for inner in value.values() if not isinstance(inner, str))
    return sum(_length(inner) for inner in value) if isinstance(value, list) else 0


def pieces(event: ReplyEvent) -> Iterator[ReplyEvent]:
    """Yield the event, or several of its kind short enough for one message each."""
    match event:
        case TextEvent(markdown) if len(markdown) > PIECE:
            yield from (TextEvent(piece) for piece in cut(markdown))
        case SqlEvent(sql, question) if len(sql) > PIECE:
            yield from (SqlEvent(piece, question) for piece in cut(sql, fenced=False))
        case QuoteEvent() if len(event.words) > PIECE:
            yield from (replace(event, words=piece) for piece in cut(event.words, fenced=False))
        case _:
            yield event


def cut(text: str, most: int = PIECE, *, fenced: bool = True) -> Iterator[str]:
    """Yield the whole text in pieces of at most `most` characters; with `fenced`, code blocks stay code."""
    while len(text) > most:
        at = _safe_place(text, most - 2 * len(FENCE) - 2)
        piece, text = text[:at], text[at:].lstrip("\n")
        inside = _open_fence(piece) if fenced else ""
        ended = piece.rstrip("\n")
        yield f"{ended}\n{FENCE}" if inside else ended
        text = f"{inside}\n{text}" if inside else text
    if text.strip():
        yield text


def _safe_place(text: str, most: int) -> int:
    """Return where to cut: after a paragraph, line or word, if the piece stays at least half full."""
    for mark in ("\n\n", "\n", " "):
        at = text.rfind(mark, most // 2, most)
        if at > 0:
            return at + len(mark)
    return most - (len(text[:most]) - len(text[:most].rstrip("\\"))) % 2  # not between a backslash and what it escapes


def _open_fence(piece: str) -> str:
    opened = ""
    for line in piece.split("\n"):
        if FENCE_LINE.fullmatch(line):
            opened = "" if opened else line
    return opened
