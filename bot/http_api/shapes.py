"""Request and response bodies of the OpenAPI document."""

from datetime import datetime
from math import isfinite
from typing import Annotated, Any, Literal
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints

from ai.agents.querying.receipts import fields_of
from ai.agents.toolbox.history import ExtendedContext, SearchHistory
from ai.charts.draw import PictureKind
from ai.types import LoggedMessage, Role
from bot.http_api.chats import Chats, SentMessage
from bot.render.tables import cell_text
from bot.render.text import plain

CURSOR = r"^\d{1,9}\.\d{1,9}$"
MESSAGE_CHARACTERS = 20_000
EXACT_INTEGERS = 2**53  # beyond it a reader of JSON may see another number
Cell = bool | int | float | str | None
WHOLE = r"^[^\x00]*$"  # what every database keeps
ChatId = Annotated[
    str, Field(pattern=WHOLE, max_length=300, description="Id of a chat, or of a thread in Slack: team/channel/ts.")
]
TurnId = Annotated[str, Field(pattern=WHOLE, max_length=300)]


class HistoryQuery(ExtendedContext):
    """Parameters of `/history`, those of the tool `get_extended_context` within bounds."""

    model_config = ConfigDict(extra="ignore")

    chat_id: ChatId
    count: int = Field(ExtendedContext.model_fields["count"].default, alias="limit", ge=1, le=1000)
    before: str | None = Field(None, pattern=CURSOR, description="The `next` of the page after.")


class ExportQuery(BaseModel):
    """Parameters of `/export`."""

    chat_id: ChatId
    format: Literal["markdown", "json"] = "markdown"


class ChartQuery(BaseModel):
    """Parameters of `/chart`; `spec` is Vega-Lite with its data."""

    turn_id: TurnId
    format: PictureKind = "png"


class ToolRequest(BaseModel):
    """The arguments of a tool; archives are those of the chat."""

    model_config = ConfigDict(extra="forbid")

    chat_id: ChatId | None = None
    arguments: dict[str, JsonValue] = {}


class ToolAnswer(BaseModel):
    result: JsonValue


class SearchQuery(SearchHistory):
    """Parameters of `/memory/search`, those of the tool `search_history` within bounds."""

    model_config = ConfigDict(extra="ignore")

    chat_id: ChatId
    query: str = Field(alias="q", min_length=1, max_length=1000, description="Words, or any part of a text.")
    limit: int = Field(SearchHistory.model_fields["limit"].default, ge=1, le=100)


class ErrorBody(BaseModel):
    """The problem in a sentence."""

    detail: str


class ChatRequest(BaseModel):
    """A message; without `chat_id` it begins a chat."""

    model_config = ConfigDict(extra="forbid")

    message: Annotated[str, StringConstraints(pattern=r"\S", max_length=MESSAGE_CHARACTERS)]
    chat_id: ChatId | None = None


class Pending(BaseModel):
    """A message still being answered; poll `link`."""

    status: Literal["pending"] = "pending"
    chat_id: str
    turn_id: str
    link: str


class FileLink(BaseModel):
    """A file, kept for a day."""

    name: str
    link: str


class ChatReply(BaseModel):
    """An answer. `rows` are the first of `row_count`; without a query, `sql` to `receipt` are null."""

    status: Literal["answered"] = "answered"
    chat_id: str
    turn_id: str
    reply: str
    sql: str | None = None
    columns: list[str] | None = None
    rows: list[list[Cell]] | None = None
    row_count: int | None = None
    receipt: dict[str, Any] | None = None
    files: list[FileLink] = []


class ChatMessage(BaseModel):
    role: Role
    content: str
    author: str
    token_count: int
    created_at: datetime

    @classmethod
    def of(cls, message: LoggedMessage) -> "ChatMessage":
        return cls(
            role=message.role,
            content=message.content,
            author=message.author,
            token_count=message.tokens,
            created_at=message.created_at,
        )


class ChatHistory(BaseModel):
    """The last messages of a chat, oldest first; `next` is null where no earlier ones are."""

    chat_id: str
    messages: list[ChatMessage]
    next: str | None = None


class FoundMessages(BaseModel):
    """Messages matching a search, best first; `partial` when the search was cut short."""

    chat_id: str
    query: str
    results: list[ChatMessage]
    partial: bool = False


class Stats(BaseModel):
    """The size and age of a chat, in the names of seed 001."""

    chat_id: str
    totalMessages: int  # noqa: N815
    totalTokens: int  # noqa: N815
    oldestMessage: datetime | None  # noqa: N815
    newestMessage: datetime | None  # noqa: N815


class Health(BaseModel):
    """`ok` or `failing`, and the state of each part."""

    status: Literal["ok", "failing"] = "ok"
    parts: dict[str, str] = {}


def reply_of(asked: SentMessage, text: str, chats: Chats) -> ChatReply:
    """Return an answer with its first rows and links to its files."""
    answer = ChatReply(chat_id=str(asked.thread), turn_id=asked.turn_id, reply=plain(text))
    names = [path.name for path in chats.files(asked)]
    answer.files = [FileLink(name=name, link=f"/v1/chat/{asked.turn_id}/files/{quote(name)}") for name in names]
    query = chats.query(asked)
    if query is None:
        return answer
    answer.sql, answer.row_count = query.sql, query.row_count
    if query.result is not None:
        table = chats.memory.result(query)
        answer.columns = [column.name for column in table.columns]
        answer.rows = [[_cell(value) for value in row] for row in table.rows]
        answer.receipt = fields_of(chats.memory, asked.turn_id)
    return answer


def _cell(value: Any) -> Cell:
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int) and abs(value) <= EXACT_INTEGERS:
        return value
    if isinstance(value, float) and isfinite(value):
        return value
    return str(value) if isinstance(value, int) else cell_text(value)
