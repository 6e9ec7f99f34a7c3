"""Put reply events and blocks into the language of their reader. Rows, SQL, quotations and pressed words stay."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from ai.agents.port import (
    ActionsEvent,
    CautionEvent,
    QuestionEvent,
    QuoteEvent,
    ReceiptEvent,
    ReplyEvent,
    TableEvent,
    TextEvent,
)
from ai.language.texts import Translator
from bot.render.text import Block

AS_THEY_ARE = frozenset(("table", "data_table", "data_visualization", "rich_text_quote", "rich_text_preformatted"))
MENUS = ("static_select", "multi_static_select")  # read back by their words
WORDS = ("plain_text", "text")


def in_language(event: ReplyEvent, texts: Translator) -> ReplyEvent:
    """Return an event with its words translated; what is pressed says the same as before."""
    if not texts.texts:
        return event
    match event:
        case TextEvent(markdown):
            return TextEvent(texts(markdown))
        case CautionEvent(text):
            return CautionEvent(texts(text))
        case QuoteEvent():
            return replace(event, intro=texts(event.intro))
        case TableEvent():
            return replace(event, headings=tuple(map(texts, event.headings)))
        case ReceiptEvent():
            return replace(event, lines=tuple(map(texts, event.lines)), closing=tuple(map(texts, event.closing)))
        case QuestionEvent():
            options, asks = tuple(map(texts, event.options)), event.asks or event.options
            return replace(event, text=texts(event.text), options=options, asks=asks)
        case ActionsEvent():
            row, more = (tuple((texts(label), says) for label, says in each) for each in (event.row, event.more))
            return replace(event, row=row, more=more)
    return event


def translated(blocks: Iterable[Block], texts: Translator) -> tuple[Block, ...]:
    """Return blocks with their fixed words translated: labels, headings, small print."""
    return tuple(_translated(block, texts) for block in blocks) if texts.texts else tuple(blocks)


def in_words(view: Block, texts: Translator) -> Block:
    """Return a modal or a Home translated."""
    found: Block = _translated(view, texts) if texts.texts else view
    return found


def _translated(value: Any, texts: Translator) -> Any:
    if isinstance(value, list):
        return [_translated(each, texts) for each in value]
    if not isinstance(value, dict) or value.get("type") in AS_THEY_ARE:
        return value
    if value.get("type") in WORDS and isinstance(value.get("text"), str):
        return {**value, "text": texts(value["text"])}
    if value.get("type") in MENUS:
        return {
            **value,
            **({"placeholder": _translated(value["placeholder"], texts)} if "placeholder" in value else {}),
        }
    return {key: texts(its) if key == "accessibility_label" else _translated(its, texts) for key, its in value.items()}
