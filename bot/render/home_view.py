"""The App Home of one person. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ai.agents.overview import Remembered, Use
from bot.render.buttons import button, plain
from bot.render.message import permalink
from bot.render.text import Block, visible

EXAMPLE, FORGET = "home:example", "home:forget"
LINK_LENGTH = 120
HOW = "Mention me in a channel, write to me in Messages, or type /data and your question."
NO_QUESTIONS = "None yet. Press Ask above, and your question will be listed here."
NO_STATES = "None yet. Say “save this as …” under an answer, and “resume …” brings it back in another thread."
NO_DEFINITIONS = "None yet. An owner can define figures and words in a semantics file, or approve a correction."
KEPT = "I remember your questions, my answers, and what you saved or taught me. You can have all of it forgotten."


@dataclass(frozen=True, slots=True)
class HomePage:
    """What a person's Home shows. A `note` is said first; `channels` are named where the examples belong elsewhere."""

    site: str
    note: str = ""
    channels: Sequence[str] = ()
    examples: Sequence[str] = ()
    questions: Sequence[Remembered] = ()
    states: Sequence[Remembered] = ()
    definitions: Sequence[tuple[str, str]] = ()
    use: Use | None = None
    is_known: bool = True


def home_view(page: HomePage) -> Block:
    return {"type": "home", "blocks": list(_blocks(page))}


def _blocks(page: HomePage) -> Iterator[Block]:
    yield _header("Ask your data")
    if page.note:
        yield _paragraph([plain(page.note)])
    if not page.is_known:
        return
    yield _paragraph(_how(page))
    for number, example in enumerate(page.examples):
        ask = button(f"{EXAMPLE}:{number}", "Ask", example)
        yield {"type": "section", "text": _text(example), "accessory": ask}
    yield from _listed("Your recent questions", [_linked(page.site, one) for one in page.questions], NO_QUESTIONS)
    yield from _listed("Your saved states", [_linked(page.site, one) for one in page.states], NO_STATES)
    yield from _listed("Definitions", [_defined(*one) for one in page.definitions], NO_DEFINITIONS)
    if page.use is not None:
        yield from _used(page.use)
    yield {"type": "divider"}
    yield _header("Your data")
    yield {"type": "section", "text": _text(KEPT), "accessory": _forget()}


def _how(page: HomePage) -> list[Block]:
    if not page.channels:
        return [plain(f"{HOW} For example:" if page.examples else HOW)]
    named: list[Block] = [plain("I answer in ")]
    for number, channel in enumerate(page.channels):
        named += [plain(", ")] * bool(number) + [{"type": "channel", "channel_id": channel}]
    return [*named, plain(".")]


def _used(use: Use) -> Iterator[Block]:
    yield {"type": "divider"}
    yield _header(f"Use and costs, last {use.days} days")
    facts = (
        ("Questions answered", f"{use.questions:,}"),
        ("People", f"{use.people:,}"),
        ("Model calls", f"{use.calls:,}"),
        ("Tokens", f"{use.tokens:,}"),
        ("Cost", use.cost if use.calls else "none, no language model was used"),
    )
    yield {"type": "section", "fields": [_text(f"{name}: {value}") for name, value in facts]}


def _listed(title: str, items: Sequence[list[Block]], otherwise: str) -> Iterator[Block]:
    yield {"type": "divider"}
    yield _header(title)
    if not items:
        yield {"type": "context", "elements": [_text(otherwise)]}
        return
    bullets: Iterable[Block] = ({"type": "rich_text_section", "elements": item} for item in items)
    yield {"type": "rich_text", "elements": [{"type": "rich_text_list", "style": "bullet", "elements": list(bullets)}]}


def _linked(site: str, one: Remembered) -> list[Block]:
    words = visible(one.words)[:LINK_LENGTH] or "…"
    link = {"type": "link", "url": permalink(site, one.thread, one.thread.thread_ts), "text": words}
    return [link, plain(f" · {one.at:%B} {one.at.day}")]


def _defined(name: str, description: str) -> list[Block]:
    named = {**plain(name), "style": {"bold": True}}
    return [named, plain(f": {description}")] if description else [named]


def _forget() -> Block:
    confirm = {
        "title": _text("Forget my data?"),
        "text": _text(
            "Your questions, my answers to them and your saved states are deleted and cannot be brought back."
        ),
        "confirm": _text("Forget"),
        "deny": _text("Keep"),
        "style": "danger",
    }
    return {**button(FORGET, "Forget my data", "me"), "style": "danger", "confirm": confirm}


def _header(text: str) -> Block:
    return {"type": "header", "text": _text(text)}


def _paragraph(elements: list[Block]) -> Block:
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": elements}]}


def _text(text: str) -> Block:
    return {"type": "plain_text", "text": visible(text), "emoji": False}
