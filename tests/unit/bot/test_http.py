"""Parts of the HTTP service that need no server: who sees metrics, and the page of examples."""

import socket

import httpx
import pytest
from fastapi import FastAPI, Request
from fastapi.routing import APIRoute
from fastapi.security import HTTPAuthorizationCredentials

from ai.errors import ConfigError, NotAllowed
from bot.http_api.api import _documented
from bot.http_api.callers import NotKnown
from bot.http_api.metrics import metrics_router
from bot.http_api.page import page
from bot.http_api.server import serving

HERE, ELSEWHERE = "127.0.0.1", "10.0.0.9"
HOSTS = [HERE, "::1"] if socket.has_dualstack_ipv6() else [HERE]


def metrics(token: str | None, sent: str | None, address: str | None) -> tuple[bytes, str]:
    (route,) = metrics_router(lambda: b"turns 1", token).routes
    assert isinstance(route, APIRoute)
    request = Request({"type": "http", "headers": [], "client": (address, 1) if address else None})
    credentials = HTTPAuthorizationCredentials(scheme="Bearer", credentials=sent) if sent else None
    shown = route.endpoint(request, credentials)
    return shown.body, shown.headers["content-type"]


@pytest.mark.parametrize(
    ("token", "sent", "address"), [(None, None, HERE), (None, "x", HERE), ("x", "x", ELSEWHERE), ("x", "x", None)]
)
def test_metrics_are_shown(token: str | None, sent: str | None, address: str | None) -> None:
    assert metrics(token, sent, address) == (b"turns 1", "text/plain; version=0.0.4; charset=utf-8")


@pytest.mark.parametrize(
    ("token", "sent", "address", "refusal"),
    [
        (None, None, ELSEWHERE, NotAllowed),
        (None, "x", ELSEWHERE, NotAllowed),
        (None, None, None, NotAllowed),
        ("x", None, HERE, NotKnown),
        ("x", "y", HERE, NotKnown),
    ],
)
def test_metrics_are_not_shown(
    token: str | None, sent: str | None, address: str | None, refusal: type[Exception]
) -> None:
    with pytest.raises(refusal):
        metrics(token, sent, address)


SHOWN: dict[str, object] = {"responses": {}, "requestBody": {"content": {"application/json": {"schema": {}}}}}
QUERY = [
    {"in": "query", "name": "chat_id", "required": True},
    {"in": "query", "name": "page"},
    {"in": "header", "name": "X-Org-Id", "required": True},
]


@pytest.mark.parametrize(
    ("path", "operation", "shown"),
    [
        ("/v1/history", {"responses": {}, "parameters": QUERY}, "8080/v1/history?chat_id=T1/"),
        ("/v1/history", {"responses": {}}, "8080/v1/history&#x27;"),
        ("/v1/tools/{tool}", SHOWN, "operation"),
        ("/v1/chat", SHOWN, "how many apps"),
    ],
)
def test_the_page_shows_an_example(path: str, operation: dict[str, object], shown: str) -> None:
    text = page({"info": {"description": "About"}, "paths": {path: {"get": operation}}})
    assert shown in text
    assert not any(part in text for part in ("page=", "X-Org-Id=", "?&#x27;"))
    assert ("operation" in text) == (shown == "operation")


def test_a_port_that_is_taken_is_named() -> None:
    with socket.create_server((HERE, 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ConfigError, match=f"HTTP_PORT is {port}"), serving(FastAPI(), port):
            pass


@pytest.mark.parametrize("host", HOSTS)
def test_what_is_served_is_found_at_its_address_until_the_end(host: str) -> None:
    with serving(FastAPI(), 0, host) as url:
        found = httpx.get(f"{url}/openapi.json")
    assert (found.status_code, "server" in found.headers) == (200, False)
    with pytest.raises(httpx.ConnectError):
        httpx.get(url)


@pytest.mark.parametrize("pending", ["", "The answer takes longer."])
def test_what_may_take_longer_is_documented(pending: str) -> None:
    assert [202 in _documented(pending=pending), 422 in _documented()] == [bool(pending), True]
