"""The OAuth page asking a person to allow the app."""

import html
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from local_slack.access.installs import Installs, names_in


def install_routes(installs: Installs, client_id: str, installer: str, app_name: str) -> list[Route]:
    """Return the page and its button; `installer` is the allowing person."""

    async def page(request: Request) -> Response:
        asked = dict(request.query_params)
        problem = _problem(asked, client_id)
        if problem:
            return HTMLResponse(_page("This app cannot be installed", f"<p>{html.escape(problem)}</p>"), 400)
        scopes = names_in(asked.get("scope", "")) + names_in(asked.get("user_scope", ""))
        items = "".join(f"<li><code>{html.escape(scope)}</code></li>" for scope in scopes)
        hidden = "".join(
            f'<input type="hidden" name="{html.escape(name)}" value="{html.escape(value)}">'
            for name, value in asked.items()
        )
        form = f'<form method="post" action="/oauth/v2/authorize">{hidden}<button>Allow</button></form>'
        return HTMLResponse(_page(f"{app_name} asks for access", f"<p>It may then use:</p><ul>{items}</ul>{form}"))

    async def allow(request: Request) -> Response:
        async with request.form() as form:
            asked = {name: str(value) for name, value in form.items()}
        if not _is_ours(request):
            return HTMLResponse(_page("This app cannot be installed", "<p>The form came from another site.</p>"), 403)
        problem = _problem(asked, client_id)
        if problem:
            return HTMLResponse(_page("This app cannot be installed", f"<p>{html.escape(problem)}</p>"), 400)
        redirect_uri = asked["redirect_uri"]
        code = installs.allow(installer, asked.get("scope", ""), asked.get("user_scope", ""), redirect_uri)
        return RedirectResponse(_with_query(redirect_uri, code=code, state=asked.get("state", "")), 302)

    return [Route("/oauth/v2/authorize", page), Route("/oauth/v2/authorize", allow, methods=["POST"])]


def _problem(asked: dict[str, str], client_id: str) -> str:
    if asked.get("client_id") != client_id:
        return f"invalid_client_id: the client id of this app is {client_id}."
    if urlsplit(asked.get("redirect_uri", "")).scheme not in {"http", "https"}:
        return "bad_redirect_uri: give the address of the app to come back to as redirect_uri."
    if not asked.get("scope") and not asked.get("user_scope"):
        return "invalid_scope: name at least one scope."
    return ""


def _is_ours(request: Request) -> bool:
    """Whether the form came from our own page, or from no browser."""
    origin = request.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == request.headers.get("host")


def _with_query(url: str, **more: str) -> str:
    parts = urlsplit(url)
    return urlunsplit(parts._replace(query=urlencode(dict(parse_qsl(parts.query)) | more)))


def _page(title: str, body: str) -> str:
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        f"<title>{html.escape(title)}</title><main><h1>{html.escape(title)}</h1>{body}</main></html>"
    )
