"""Reply events become one Slack message: blocks and a fallback text. What one message cannot hold, `pages` divides."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

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
from ai.types import ThreadKey
from bot.render.choices import plain, question_blocks, stop_button
from bot.render.feedback import feedback_buttons
from bot.render.receipts import receipt_block
from bot.render.tables import left_out, table_block
from bot.render.text import Block, fallback, preformatted, rich_text, visible

MAX_FALLBACK = 3900  # chat.update takes no longer one; the blocks say everything
NOTE_LENGTH = 1900
SLACK = "https://slack.com"  # finds the workspace by who opens a link


@dataclass(frozen=True, slots=True)
class SlackMessage:
    """What chat.postMessage and chat.update take."""

    text: str
    blocks: tuple[Block, ...]


def render(events: Iterable[ReplyEvent], site: str = SLACK) -> SlackMessage:
    """The message that says all of `events`; status and files are not part of it. Links lead to `site`, a workspace."""
    events = tuple(events)
    text = fallback("\n\n".join(words for event in events if (words := said(event))))
    text = text if len(text) <= MAX_FALLBACK else f"{text[: MAX_FALLBACK - 1]}…"
    return SlackMessage(text or "Done.", tuple(block for event in events for block in blocks_of(event, site)))


def status(text: str, turn_id: str) -> SlackMessage:
    """A message that says what a turn is doing now, with the button that stops it."""
    return SlackMessage(fallback(text), (_context(text), stop_button(turn_id)))


def blocks_of(event: ReplyEvent, site: str) -> Iterator[Block]:
    """The blocks that show one event."""
    match event:
        case TextEvent(markdown):
            yield rich_text(markdown)
        case TableEvent(table) if table.rows:
            yield table_block(event)
            yield from map(_context, filter(None, [left_out(event)]))
        case SqlEvent(sql, _):
            yield {"type": "rich_text", "elements": [preformatted(sql)]}
        case QuoteEvent():
            yield _quotation(event, site)
        case QuestionEvent():
            yield from question_blocks(event)
        case CautionEvent(text):
            yield _context(caution_text(text))
        case NoteEvent():
            yield _context(note_text(event))
        case ReceiptEvent():
            yield receipt_block(event)
        case FeedbackEvent():
            yield feedback_buttons(event)
        case _:
            return


def caution_text(text: str) -> str:
    """A caution, marked as one."""
    return f"⚠ {text}"


def note_text(event: NoteEvent) -> str:
    """The small print of an answer on one line."""
    rows = f"{event.row_count:,} row" + ("" if event.row_count == 1 else "s")
    more = " (there are more)" if event.truncated else ""
    read = f"Read as: {event.reading} · " if event.reading else ""
    return f"{read}{event.analyst} · {rows}{more} · {event.elapsed_ms:,} ms"


def permalink(site: str, thread: ThreadKey, ts: str) -> str:
    """Where a workspace shows a message of a thread."""
    return f"{site}/archives/{thread.channel}/p{ts.replace('.', '')}?thread_ts={thread.thread_ts}&cid={thread.channel}"


def _quotation(event: QuoteEvent, site: str) -> Block:
    """The words with where they were said; a link to there, where that is in Slack."""
    thread, at = event.thread, event.at
    link = {"type": "link", "url": permalink(site, thread, event.ts), "text": at} if thread.team else plain(at)
    quoted = {"type": "rich_text_quote", "elements": [plain(event.words), plain(" · "), link]}
    return {
        "type": "rich_text",
        "elements": [{"type": "rich_text_section", "elements": [plain(event.intro)]}, quoted],
    }


def _context(text: str) -> Block:
    return {"type": "context", "elements": [{"type": "plain_text", "text": visible(text)[:NOTE_LENGTH]}]}
