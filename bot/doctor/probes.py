"""Block forms and limits to try; names as in `--rules`."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from slack_sdk.web import SlackResponse

Block = dict[str, Any]
Content = dict[str, Any]
TEXT = "Datathread examines this Slack; its messages here are deleted again."


@dataclass(frozen=True, slots=True)
class LimitProbe:
    """A limit: its documented value, and the message of a size."""

    name: str
    expected: int
    content: Callable[[int], Content]
    in_update: bool = False


def plain(text: str) -> Block:
    return {"type": "plain_text", "text": text}


def section(text: str) -> Block:
    return {"type": "section", "text": plain(text)}


def context(*texts: str) -> Block:
    return {"type": "context", "elements": [plain(text) for text in texts]}


def buttons(count: int, text: str = "Try", value: str = "v") -> Block:
    many = [{"type": "button", "action_id": f"doctor:{n}", "text": plain(text), "value": value} for n in range(count)]
    return {"type": "actions", "elements": many}


def table(rows: int, columns: int, cell: str = "x") -> Block:
    return {"type": "table", "rows": [[{"type": "raw_text", "text": cell}] * columns for _ in range(rows)]}


def table_of(characters: int) -> Block:
    """Return a table of so many characters in all."""
    cells = [{"type": "raw_text", "text": "x" * size} for size in _pieces(characters, 500)]
    return {"type": "table", "rows": [[cell] for cell in cells]}


def rich_text(text: str) -> Block:
    words = [{"type": "text", "text": text}]
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": words}]}


def container(*children: Block, title: str = "Try") -> Block:
    folded = {"is_collapsible": True, "default_collapsed": True}
    return {"type": "container", "title": plain(title), **folded, "child_blocks": list(children)}


def with_blocks(*blocks: Block) -> Content:
    return {"text": TEXT, "blocks": list(blocks)}


CHILDREN: Mapping[str, Block] = {
    "actions": buttons(1),
    "context": context("x"),
    "divider": {"type": "divider"},
    "header": {"type": "header", "text": plain("x")},
    "rich_text": rich_text("x"),
    "section": section("x"),
    "table": table(2, 2),
}
FORMS: Mapping[str, Content] = {
    **{name: with_blocks(block) for name, block in CHILDREN.items()},
    "container": with_blocks(container(section("x"), context("x"))),
    "markdown": with_blocks({"type": "markdown", "text": "**x**"}),
    "data_table": with_blocks(
        {
            "type": "data_table",
            "caption": "x",
            "rows": [[{"type": "raw_text", "text": "x"}], [{"type": "raw_text", "text": "y"}]],
        }
    ),
    "text": {"text": TEXT},
}
SCOPES = frozenset(
    "app_mentions:read assistant:write channels:history channels:read chat:write commands files:read files:write "
    "groups:history groups:read im:history im:write metadata.message:read mpim:history mpim:read reactions:read "
    "usergroups:read users:read".split()
)  # those of manifest.yml
LIMITS = (
    LimitProbe("message.blocks", 50, lambda n: with_blocks(*[{"type": "divider"}] * n)),
    LimitProbe(
        "message.block_text", 11_300, lambda n: with_blocks(*(section("x" * size) for size in _pieces(n, 2_900)))
    ),
    LimitProbe("message.update_text", 4_000, lambda n: {"text": "x" * n}, in_update=True),
    LimitProbe("message.table_text", 10_000, lambda n: with_blocks(table_of(n))),
    LimitProbe("message.tables", 1, lambda n: with_blocks(*[table(2, 2)] * n)),
    LimitProbe("section.text", 3_000, lambda n: with_blocks(section("x" * n))),
    LimitProbe("header.text", 150, lambda n: with_blocks({"type": "header", "text": plain("x" * n)})),
    LimitProbe("context.elements", 10, lambda n: with_blocks(context(*["x"] * n))),
    LimitProbe("context.text", 3_000, lambda n: with_blocks(context("x" * n))),
    LimitProbe("actions.elements", 25, lambda n: with_blocks(buttons(n))),
    LimitProbe("button.text", 75, lambda n: with_blocks(buttons(1, text="x" * n))),
    LimitProbe("button.value", 2_000, lambda n: with_blocks(buttons(1, value="x" * n))),
    LimitProbe("table.rows", 100, lambda n: with_blocks(table(n, 2))),
    LimitProbe("table.columns", 20, lambda n: with_blocks(table(2, n))),
    LimitProbe("container.children", 10, lambda n: with_blocks(container(*[section("x")] * n))),
    LimitProbe("container.title", 150, lambda n: with_blocks(container(section("x"), title="x" * n))),
)


def _pieces(total: int, most: int) -> Iterator[int]:
    yield from [most] * (total // most)
    if total % most:
        yield total % most


def missing_scopes(answer: SlackResponse) -> list[str]:
    """Return the scopes that the app lacks, by the headers of any answer from Slack."""
    given = {name.lower(): value for name, value in answer.headers.items()}.get("x-oauth-scopes", "")
    return sorted(SCOPES - {scope.strip() for scope in str(given).split(",")})
