"""Reply events become one Slack message. `pages` divides long answers, `plain` has the simpler forms."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ai.agents.port import (
    CautionEvent,
    FeedbackEvent,
    NoteEvent,
    QuestionEvent,
    QuoteEvent,
    ReceiptEvent,
    ReplyEvent,
    SqlEvent,
    TableEvent,
    TextEvent,
    said,
)
from ai.results.table import ResultTable
from ai.types import ThreadKey
from bot.render.buttons import feedback_buttons, plain, question_blocks, stop_button
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
from bot.render.tables import left_out, table_block
from bot.render.text import Block, fallback, preformatted, rich_text

SLACK = "https://slack.com"  # finds the workspace by who opens a link


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
    """One message. `events` are its contents, for simpler forms."""

    text: str
    blocks: tuple[Block, ...]
    events: tuple[ReplyEvent, ...] = ()

    @property
    def table(self) -> ResultTable | None:
        """Return the rows of the message."""
        return next((event.table for event in self.events if isinstance(event, TableEvent) and event.table.rows), None)

    @property
    def full(self) -> MessageForm:
        """Return the message as it should be."""
        return MessageForm("blocks", self.text, self.blocks)

    def forms(self) -> Iterator[MessageForm]:
        """Yield the full message, then ever simpler forms: old blocks, text, less text."""
        yield self.full
        if self.events:
            yield MessageForm("plain blocks", self.text, plain_blocks(self.events))
        words = words_of(self.events) or self.text
        yield MessageForm("text", words)
        if len(words) > MAX_UPDATE:
            yield MessageForm("short text", shortened(words))


def render(events: Iterable[ReplyEvent], site: str = SLACK) -> SlackMessage:
    """Return one message of `events`, without status and files. Links lead to `site`."""
    events = tuple(events)
    text = shortened(fallback("\n\n".join(words for event in events if (words := said(event)))))
    return SlackMessage(text or "Done.", tuple(block for event in events for block in blocks_of(event, site)), events)


def status(text: str, turn_id: str) -> SlackMessage:
    """Return a status message with the Stop button."""
    return SlackMessage(fallback(text), (context(text), stop_button(turn_id)))


def blocks_of(event: ReplyEvent, site: str) -> Iterator[Block]:
    match event:
        case TextEvent(markdown):
            yield rich_text(markdown)
        case TableEvent(table) if table.rows:
            yield table_block(event)
            yield from map(context, filter(None, [left_out(event)]))
        case SqlEvent(sql, _):
            yield {"type": "rich_text", "elements": [preformatted(sql)]}
        case QuoteEvent():
            yield _quotation(event, site)
        case QuestionEvent():
            yield from question_blocks(event)
        case CautionEvent(text):
            yield context(caution_text(text))
        case NoteEvent():
            yield context(note_text(event))
        case ReceiptEvent():
            yield receipt_block(event)
        case FeedbackEvent():
            yield feedback_buttons(event)
        case _:
            return


def permalink(site: str, thread: ThreadKey, ts: str) -> str:
    """Return the link to a message of a thread."""
    return f"{site}/archives/{thread.channel}/p{ts.replace('.', '')}?thread_ts={thread.thread_ts}&cid={thread.channel}"


def _quotation(event: QuoteEvent, site: str) -> Block:
    """Return the quoted words with a link to their message, where that is in Slack."""
    thread, at = event.thread, event.at
    link = {"type": "link", "url": permalink(site, thread, event.ts), "text": at} if thread.team else plain(at)
    quoted = {"type": "rich_text_quote", "elements": [plain(event.words), plain(" · "), link]}
    return {
        "type": "rich_text",
        "elements": [{"type": "rich_text_section", "elements": [plain(event.intro)]}, quoted],
    }
