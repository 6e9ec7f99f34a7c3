"""The endpoints. Each knows its caller before it reads anything."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import anyio
from fastapi import APIRouter, Depends, FastAPI, Header, Query, Request, Response
from fastapi.responses import FileResponse, JSONResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.concurrency import run_in_threadpool
from starlette.middleware.trustedhost import TrustedHostMiddleware

from ai.errors import DatathreadError, NotAllowed, NotFound, SourceUnavailable, UserError
from ai.memory_store import MemoryStore
from ai.types import ThreadKey
from bot.http_api.callers import NO_CHAT, WHO, ApiCaller, ApiCallers, NotKnown
from bot.http_api.chats import Chats, SentMessage
from bot.http_api.shapes import (
    ChatHistory,
    ChatId,
    ChatMessage,
    ChatReply,
    ChatRequest,
    ErrorBody,
    FoundMessages,
    Health,
    HistoryQuery,
    Pending,
    SearchQuery,
    Stats,
    reply_of,
)

LOOK_SECONDS = 0.05
LOOPBACK_NAMES = ["127.0.0.1", "localhost", "[::1]"]
BODY_BYTES = 256 * 1024
STATUS_OF: Mapping[type[DatathreadError], int] = {
    NotKnown: 401,
    NotAllowed: 403,
    NotFound: 404,
    UserError: 409,
    SourceUnavailable: 503,
}
CLAIMS = {401: "No token, or not one of this service.", 403: "Not something that you may see or do."}
UNKNOWN = {404: "No such chat, message or file."}
FILES = {
    kind: {"schema": {"type": "string", "format": "binary"}}
    for kind in (
        "text/csv; charset=utf-8",
        "application/zip",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    )
}
BODY = {400: "The body is not text.", 413: f"The body is longer than {BODY_BYTES} bytes."}

bearer = HTTPBearer(auto_error=False, description="A token of the settings file.")


@dataclass(frozen=True, slots=True)
class Service:
    """What the endpoints need. `parts` are the probes of `/readyz`; a failing one raises."""

    memory: MemoryStore
    chats: Chats
    callers: ApiCallers
    wait_seconds: float
    parts: Mapping[str, Callable[[], object]]


def create_app(service: Service) -> FastAPI:
    """Return the application. Errors are `{"detail": …}` with a documented status."""
    app = FastAPI(
        title="Datathread",
        description="Data questions and what was said about them.",
        docs_url=None,  # it would load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,
        max_body_size=BODY_BYTES,
        exception_handlers={DatathreadError: _problem},
    )
    if service.callers.open_to_this_machine:  # else a page of a browser could ask under a name of its own
        app.add_middleware(TrustedHostMiddleware, allowed_hosts=LOOPBACK_NAMES, www_redirect=False)
    app.state.service = service
    app.include_router(router)
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
    return _service(request).callers.known(token, x_org_id, x_user_id, request.client.host if request.client else "")


Here = Annotated[Service, Depends(_service)]
Who = Annotated[ApiCaller, Depends(_caller)]


def _documented(*groups: Mapping[int, str], pending: str = "") -> dict[int | str, dict[str, Any]]:
    later: dict[int | str, dict[str, Any]] = {202: {"model": Pending, "description": pending}} if pending else {}
    said = {status: text for group in groups for status, text in group.items()}
    return later | {status: {"model": ErrorBody, "description": text} for status, text in said.items()}


router = APIRouter()


@router.get("/healthz")
async def healthz() -> Health:
    """Return whether the process answers."""
    return Health()


@router.get("/readyz", responses={503: {"model": Health, "description": "Something that is needed does not work."}})
def readyz(service: Here, response: Response) -> Health:
    """Return whether every part works."""
    parts = {name: _state(probe) for name, probe in service.parts.items()}
    if all(state == "ok" for state in parts.values()):
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
    """Return the last messages of a chat, word for word."""
    key = _known(service, caller, asked.chat_id)
    heard = service.chats.heard(caller, key, service.memory.transcripts.newest(key, asked.count))
    return ChatHistory(chat_id=asked.chat_id, messages=[ChatMessage.of(each) for each in heard])


@router.post("/chat", responses=_documented(CLAIMS, UNKNOWN, BODY, pending="The answer takes longer."))
async def chat(service: Here, caller: Who, question: ChatRequest, response: Response) -> ChatReply | Pending:
    """Ask in a chat, or begin one. After the wait limit, `link` leads to the answer."""
    asked = await run_in_threadpool(service.chats.ask, caller, question.message.strip(), question.chat_id)
    return await _answer(service, asked, response, service.wait_seconds)


@router.get("/chat/{turn_id}", responses=_documented(CLAIMS, UNKNOWN, pending="Not answered yet."))
async def chat_answer(service: Here, caller: Who, turn_id: str, response: Response) -> ChatReply | Pending:
    """Return the answer to an earlier message."""
    asked = await run_in_threadpool(service.chats.asked, caller, turn_id)
    return await _answer(service, asked, response, 0)


@router.get(
    "/chat/{turn_id}/files/{name}",
    response_class=FileResponse,
    responses={**_documented(CLAIMS, UNKNOWN), 200: {"content": FILES, "description": "The file."}},
)
def chat_file(service: Here, caller: Who, turn_id: str, name: str) -> FileResponse:
    """Return a file of an answer."""
    path = service.chats.file(service.chats.asked(caller, turn_id), name)
    return FileResponse(path, filename=path.name, headers={"X-Content-Type-Options": "nosniff"})


async def _answer(service: Service, asked: SentMessage, response: Response, seconds: float) -> ChatReply | Pending:
    ends = anyio.current_time() + seconds
    while (text := await run_in_threadpool(service.chats.reply, asked)) is None:
        if anyio.current_time() >= ends:
            link = f"/chat/{asked.turn_id}"
            response.status_code, response.headers["Location"] = 202, link
            return Pending(chat_id=str(asked.thread), turn_id=asked.turn_id, link=link)
        await anyio.sleep(LOOK_SECONDS)
    return await run_in_threadpool(reply_of, asked, text, service.chats)


def _known(service: Service, caller: ApiCaller, chat_id: str) -> ThreadKey:
    key = caller.chat(chat_id)
    if not service.memory.knows(key):
        raise NotFound(NO_CHAT)
    return key


def _state(probe: Callable[[], object]) -> str:
    try:
        probe()
    except DatathreadError as error:
        return str(error)
    return "ok"


async def _problem(_: Request, error: Exception) -> JSONResponse:
    status = next(STATUS_OF[kind] for kind in (*type(error).__mro__, UserError) if kind in STATUS_OF)
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else None
    return JSONResponse({"detail": str(error)}, status, headers)
