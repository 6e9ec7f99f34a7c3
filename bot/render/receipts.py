"""The receipt of an answer: folded away in Slack, whole in a terminal."""

from ai.agents.port import ReceiptEvent
from bot.render.text import Block, preformatted, visible

LONGEST = 2_900  # characters of the lines that a context block takes


def receipt_block(receipt: ReceiptEvent) -> Block:
    """A container that people open when they want to know where an answer comes from."""
    return {
        "type": "container",
        "title": {"type": "plain_text", "text": "Where this comes from"},
        "is_collapsible": True,
        "default_collapsed": True,
        "child_blocks": [
            _small(receipt.lines),
            {"type": "rich_text", "elements": [preformatted(receipt.sql)]},
            *([_small(receipt.closing)] if receipt.closing else []),
        ],
    }


def _small(lines: tuple[str, ...]) -> Block:
    return {"type": "context", "elements": [{"type": "plain_text", "text": visible("\n".join(lines))[:LONGEST]}]}


def receipt_text(receipt: ReceiptEvent) -> str:
    """The receipt in lines of text."""
    return "\n".join(["Receipt", *receipt.lines, receipt.sql, *receipt.closing])
