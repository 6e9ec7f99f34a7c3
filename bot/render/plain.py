"""Reply events in old blocks and in text, for a Slack refusing the rest."""

from collections.abc import Iterable, Iterator

from ai.agents.port import (
    ActionsEvent,
    CautionEvent,
    FeedbackEvent,
    NoteEvent,
    QuestionEvent,
    ReceiptEvent,
    ReplyEvent,
    TableEvent,
    said,
)
from bot.render.buttons import action_row, choice_buttons
from bot.render.feedback import feedback_row
from bot.render.tables import grid, left_out
from bot.render.text import Block, escape, plain, visible

MAX_UPDATE = 3_900  # characters of text that chat.update takes, with room to spare; chat.postMessage takes more
MAX_WORDS = 11_300
SECTION = 2_900  # of 3,000 characters that a section takes
NOTE_LENGTH = 1_900
GRID = 8_000
MOST_CHILDREN = 2  # sections of SQL: with more, a message has more text than Slack takes
FENCE = "```"


def plain_blocks(events: Iterable[ReplyEvent]) -> tuple[Block, ...]:
    """Return sections, context lines and buttons: old blocks, without nesting."""
    return tuple(block for event in events for block in _plain_blocks(event))


def words_of(events: Iterable[ReplyEvent]) -> str:
    return shortened("\n\n".join(words for event in events if (words := _words(event))), MAX_WORDS)


def shortened(text: str, most: int = MAX_UPDATE) -> str:
    """Cut a text to `most` characters; an open code block is closed."""
    if len(text) <= most:
        return text
    cut = text[: most - len(FENCE) - 2]
    return f"{cut}…\n{FENCE}" if cut.count(FENCE) % 2 else f"{cut}…"


def sections(text: str) -> Iterator[Block]:
    yield from ({"type": "section", "text": _plain(piece)} for piece in _pieces(visible(text), SECTION))


def _code_sections(text: str) -> Iterator[Block]:
    for piece in _pieces(escape(visible(text)).replace(FENCE, ""), SECTION - 2 * len(FENCE) - 2):
        yield {"type": "section", "text": {"type": "mrkdwn", "text": f"{FENCE}\n{piece}\n{FENCE}", "verbatim": True}}


def context(text: str) -> Block:
    return {"type": "context", "elements": [{"type": "plain_text", "text": visible(text)[:NOTE_LENGTH] or " "}]}


def caution_text(text: str) -> str:
    return f"⚠ {text}"


def note_text(event: NoteEvent) -> str:
    """Return the small print of an answer on one line."""
    rows = f"{event.row_count:,} row" + ("" if event.row_count == 1 else "s")
    more = " (there are more)" if event.truncated else ""
    read = f"Read as: {event.reading} · " if event.reading else ""
    return f"{read}{event.analyst} · {rows}{more} · {event.elapsed_ms:,} ms"


def receipt_block(receipt: ReceiptEvent) -> Block:
    """Return the collapsed receipt: sections of code and context lines, since a container takes no rich text."""
    sql = list(_code_sections(receipt.sql))[:MOST_CHILDREN]
    closing = [context("\n".join(receipt.closing))] if receipt.closing else []
    children = [context("\n".join(receipt.lines)), *sql, *closing]
    return {
        "type": "container",
        "title": _plain("Where this comes from"),
        "is_collapsible": True,
        "default_collapsed": True,
        "child_blocks": children,
    }


def _plain_blocks(event: ReplyEvent) -> Iterator[Block]:
    match event:
        case TableEvent(table) if table.rows:
            yield from _code_sections(grid(event, GRID))
            yield from map(context, filter(None, [left_out(event)]))
        case CautionEvent(text):
            yield context(caution_text(text))
        case NoteEvent():
            yield context(note_text(event))
        case ReceiptEvent():
            yield context("\n".join([*event.lines, *event.closing]))
        case ActionsEvent():
            yield from action_row(event)
        case FeedbackEvent():
            yield feedback_row(event)
        case _:
            yield from sections(plain(said(event)))
            if isinstance(event, QuestionEvent):
                yield from choice_buttons(event)


def _words(event: ReplyEvent) -> str:
    match event:
        case TableEvent(table) if table.rows:
            return f"{FENCE}\n{escape(grid(event, GRID)).replace(FENCE, '')}\n{FENCE}"
        case CautionEvent(text):
            return escape(visible(caution_text(text)))
        case NoteEvent():
            return escape(visible(note_text(event)))
        case _:
            return escape(plain(said(event)))


def _plain(text: str) -> Block:
    return {"type": "plain_text", "text": text or " ", "emoji": False}


def _pieces(text: str, most: int) -> Iterator[str]:
    while len(text) > most:
        at = text.rfind("\n", most // 2, most) + 1 or most
        yield text[:at]
        text = text[at:]
    if text:
        yield text
