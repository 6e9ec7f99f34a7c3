"""The receipt of an answer: folded away in Slack, whole in a terminal."""

from ai.agents.port import ReceiptEvent
from bot.render.text import Block, preformatted, visible

SHORT = 12  # hexadecimal digits of a seal that people see before they unfold it
LONGEST = 2_900  # characters of the lines that a context block takes


def receipt_block(receipt: ReceiptEvent) -> Block:
    """A container that people open when they want to know where an answer comes from."""
    told = visible("\n".join(receipt.lines))[:LONGEST]
    return {
        "type": "container",
        "title": {"type": "plain_text", "text": f"Receipt {receipt.seal[:SHORT]}"},
        "is_collapsible": True,
        "default_collapsed": True,
        "child_blocks": [
            {"type": "rich_text", "elements": [preformatted(receipt.sql)]},
            {"type": "context", "elements": [{"type": "plain_text", "text": told}]},
        ],
    }


def receipt_text(receipt: ReceiptEvent) -> str:
    """The receipt in lines of text."""
    return "\n".join(["Receipt", receipt.sql, *receipt.lines])
