"""The endpoints. Each knows its caller before it reads anything."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import anyio
from fastapi import APIRouter, Depends, FastAPI, Header, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, PlainTextResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware.trustedhost import TrustedHostMiddleware

from ai.agents.port import Turn
from ai.agents.querying.charting import Charting
from ai.charts import ResultChart
from ai.charts.draw import DRAWERS
from ai.errors import DatathreadError, NotFound
from ai.memory_store import MemoryStore
from ai.types import ThreadKey
from bot.http_api.callers import NO_CHAT, WHO, ApiCaller, ApiCallers
from bot.http_api.chats import Chats, SentMessage
from bot.http_api.memory_calls import MemoryCalls
from bot.http_api.page import page
from bot.http_api.problems import failed, invalid, refused, whole_text
from bot.http_api.shapes import (
    ChartQuery,
    ChatHistory,
    ChatId,
    ChatMessage,
    ChatReply,
    ChatRequest,
    ErrorBody,
    ExportQuery,
    FoundMessages,
    Health,
    HistoryQuery,
    Pending,
    SearchQuery,
    Stats,
    ToolAnswer,
    ToolRequest,
    TurnId,
    reply_of,
)

LOOK_SECONDS = 0.05
OK = "ok"
LOOPBACK_NAMES = ["127.0.0.1", "localhost", "[::1]"]
BODY_BYTES = 256 * 1024
VERSION = "/v1"
CLAIMS = {401: "No token, or not one of this service.", 403: "Not something that you may see or do."}
UNKNOWN = {404: "No such chat, message or file."}
TEXT = {"text/plain": {"schema": {"type": "string"}}}
PARQUET = "application/vnd.apache.parquet"
FILES = {
    kind: {"schema": {"type": "string", "format": "binary"}}
    for kind in (
        "text/csv; charset=utf-8",
        "application/zip",
        PARQUET,
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    )
}
PICTURE_TYPES = {"png": "image/png", "svg": "image/svg+xml", "spec": "application/json"}
PICTURES = {kind: {"schema": {"type": "string", "format": "binary"}} for kind in PICTURE_TYPES.values()}
BODY = {
    400: "The body is not text.",
    413: f"The body is longer than {BODY_BYTES} bytes.",
    415: "The body is not sent as application/json.",
}
REFUSED = {409: "Refused; `detail` says what to do."}

bearer = HTTPBearer(auto_error=False, description="A token of the settings file.")


@dataclass(frozen=True, slots=True)
class Service:
    """The parts of the endpoints. `ready` has the problem of each part, or "ok". `forget` ends a thread."""

    memory: MemoryStore
    chats: Chats
    callers: ApiCallers
    wait_seconds: float
    ready: Callable[[], Mapping[str, str]]
    forget: Callable[[ThreadKey], object]
    charting: Charting

    @property
    def calls(self) -> MemoryCalls:
        return MemoryCalls(self.chats, self.forget)


def create_app(service: Service) -> FastAPI:
    """Return the application. Errors are `{"detail": …}` with a documented status."""
    app = FastAPI(
        title="Datathread",
        description="Data questions and what was said about them.",
        docs_url=None,  # it would load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,
        max_body_size=BODY_BYTES,
        exception_handlers={DatathreadError: refused, RequestValidationError: invalid, HTTPException: failed},
    )
    if service.callers.open_to_this_machine:  # else a page of a browser could ask under a name of its own
        app.add_middleware(TrustedHostMiddleware, allowed_hosts=LOOPBACK_NAMES, www_redirect=False)
    app.state.service = service
    app.include_router(probes)
    app.include_router(router, prefix=VERSION)
    app.include_router(router, include_in_schema=False)  # as the paths were before they had a version
    if service.callers.open_to_this_machine:
        _without_security(app.openapi())
    return app


def _without_security(document: dict[str, Any]) -> None:
    for operation in (operation for path in document["paths"].values() for operation in path.values()):
        operation.pop("security", None)
    document["components"].pop("securitySchemes")


def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


async def _caller(
    request: Request,
    credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)],
    x_org_id: Annotated[str | None, Header(pattern=WHO, description="The team; must be that of the token.")] = None,
    x_user_id: Annotated[str | None, Header(pattern=WHO, description="The user; must be that of the token.")] = None,
) -> ApiCaller:
    token = credentials.credentials if credentials else None
    return _service(request).callers.known(token, x_org_id, x_user_id, getattr(request.client, "host", ""))


Here = Annotated[Service, Depends(_service)]
Who = Annotated[ApiCaller, Depends(_caller)]


def _documented(*groups: Mapping[int, str], pending: str = "") -> dict[int | str, dict[str, Any]]:
    later: dict[int | str, dict[str, Any]] = {202: {"model": Pending, "description": pending}} if pending else {}
    said = {status: text for group in groups for status, text in group.items()}
    said = {422: "A value is not right; `detail` names it."} | said
    return later | {status: {"model": ErrorBody, "description": text} for status, text in said.items()}


router, probes = APIRouter(dependencies=[Depends(whole_text)]), APIRouter()


@probes.get("/docs", response_class=HTMLResponse)
def docs(request: Request) -> str:
    """Return this page."""
    return page(request.app.openapi())


@probes.get("/healthz")
async def healthz() -> Health:
    """Whether the process answers."""
    return Health()


@probes.get("/readyz", responses={503: {"model": Health, "description": "Something that is needed does not work."}})
def readyz(service: Here, response: Response) -> Health:
    """Whether every part works."""
    parts = dict(service.ready())
    if all(state == OK for state in parts.values()):
        return Health(parts=parts)
    response.status_code = 503
    return Health(status="failing", parts=parts)


@router.get("/memory/stats", responses=_documented(CLAIMS, UNKNOWN))
def memory_stats(service: Here, caller: Who, chat_id: Annotated[ChatId, Query()]) -> Stats:
    """Count a chat's messages and tokens; return its oldest and newest message."""
    found = service.memory.windows.get_memory_stats(_known(service, caller, chat_id))
    return Stats(
        chat_id=chat_id,
        totalMessages=found.total_messages,
        totalTokens=found.total_tokens,
        oldestMessage=found.oldest_message,
        newestMessage=found.newest_message,
    )


@router.get("/memory/search", responses=_documented(CLAIMS, UNKNOWN))
def memory_search(service: Here, caller: Who, asked: Annotated[SearchQuery, Query()]) -> FoundMessages:
    """Search past messages of a chat."""
    key = _known(service, caller, asked.chat_id)
    found, partial = service.memory.transcripts.find(key, asked.query, asked.limit)
    results = [ChatMessage.of(each) for each in service.chats.heard(caller, key, found)]
    return FoundMessages(chat_id=asked.chat_id, query=asked.query, results=results, partial=partial)


@router.get("/history", responses=_documented(CLAIMS, UNKNOWN))
def history(service: Here, caller: Who, asked: Annotated[HistoryQuery, Query()]) -> ChatHistory:
    """Return the last messages of a chat, word for word; `next` is the cursor of those before them."""
    key = _known(service, caller, asked.chat_id)
    found, cursor = service.memory.transcripts.page(key, asked.count, asked.before)
    messages = [ChatMessage.of(each) for each in service.chats.heard(caller, key, found)]
    return ChatHistory(chat_id=asked.chat_id, messages=messages, next=cursor)


@router.post("/tools/{tool}", responses=_documented(CLAIMS, UNKNOWN, BODY, REFUSED))
def tool(service: Here, caller: Who, tool: str, asked: ToolRequest) -> ToolAnswer:
    """Run a tool of the memory: `memory` and `list_history` for archives, those of states and of workspaces."""
    return ToolAnswer(result=service.calls.run(caller, tool, asked.chat_id, asked.arguments))


@router.get(
    "/export",
    responses={**_documented(CLAIMS, UNKNOWN), 200: {"content": TEXT, "description": "The chat."}},
    response_class=Response,
)
def export(service: Here, caller: Who, asked: Annotated[ExportQuery, Query()]) -> Response:
    """Return a chat with its queries, as Markdown or JSON."""
    _known(service, caller, asked.chat_id)
    return PlainTextResponse(service.calls.export(caller, asked.chat_id, asked.format))


@router.delete("/chat", responses=_documented(CLAIMS, UNKNOWN), status_code=204)
def forget(service: Here, caller: Who, chat_id: Annotated[ChatId, Query()]) -> None:
    """Forget a chat of the caller for good, with its files and archives."""
    service.calls.forget_chat(caller, chat_id)


@router.post("/chat", responses=_documented(CLAIMS, UNKNOWN, BODY, pending="The answer takes longer."))
async def chat(service: Here, caller: Who, question: ChatRequest, response: Response) -> ChatReply | Pending:
    """Ask in a chat, or begin one. After the wait limit, `link` leads to the answer."""
    asked = await run_in_threadpool(service.chats.ask, caller, question.message.strip(), question.chat_id)
    return await _answer(service, asked, response, service.wait_seconds)


@router.get("/chat/{turn_id}", responses=_documented(CLAIMS, UNKNOWN, pending="Not answered yet."))
async def chat_answer(service: Here, caller: Who, turn_id: TurnId, response: Response) -> ChatReply | Pending:
    """Return the answer to an earlier message."""
    asked = await run_in_threadpool(service.chats.asked, caller, turn_id)
    return await _answer(service, asked, response, 0)


@router.get(
    "/chat/{turn_id}/files/{name}",
    response_class=FileResponse,
    responses={**_documented(CLAIMS, UNKNOWN), 200: {"content": FILES, "description": "The file."}},
)
def chat_file(service: Here, caller: Who, turn_id: TurnId, name: str) -> FileResponse:
    """Return a file of an answer."""
    asked = service.chats.asked(caller, turn_id)
    path = service.chats.file(asked, name)
    service.chats.note(caller, asked.thread, "told", "file over HTTP")
    kind = PARQUET if path.suffix == ".parquet" else None  # one that the system may not know
    return FileResponse(path, filename=path.name, media_type=kind, headers={"X-Content-Type-Options": "nosniff"})


@router.get(
    "/chart",
    responses={**_documented(CLAIMS, UNKNOWN, REFUSED), 200: {"content": PICTURES, "description": "The chart."}},
    response_class=Response,
)
def chart(service: Here, caller: Who, asked: Annotated[ChartQuery, Query()]) -> Response:
    """Return the chart of an answer as PNG, SVG or Vega-Lite."""
    drawn = _chart(service, caller, asked.turn_id)
    headers = {"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'"}
    return Response(DRAWERS[asked.format](drawn.spec), media_type=PICTURE_TYPES[asked.format], headers=headers)


def _chart(service: Service, caller: ApiCaller, turn_id: str) -> ResultChart:
    asked = service.chats.asked(caller, turn_id)
    service.chats.note(caller, asked.thread, "told", "chart over HTTP")
    return service.charting.again(Turn(service.chats.listener(caller, asked.thread)), turn_id)


async def _answer(service: Service, asked: SentMessage, response: Response, seconds: float) -> ChatReply | Pending:
    ends = anyio.current_time() + seconds
    while (text := await run_in_threadpool(service.chats.reply, asked)) is None:
        if anyio.current_time() >= ends:
            link = f"{VERSION}/chat/{asked.turn_id}"
            response.status_code, response.headers["Location"] = 202, link
            return Pending(chat_id=str(asked.thread), turn_id=asked.turn_id, link=link)
        await anyio.sleep(LOOK_SECONDS)
    return await run_in_threadpool(reply_of, asked, text, service.chats)


def _known(service: Service, caller: ApiCaller, chat_id: str) -> ThreadKey:
    key = caller.chat(chat_id)
    if not service.memory.knows(key):
        raise NotFound(NO_CHAT)
    return key
