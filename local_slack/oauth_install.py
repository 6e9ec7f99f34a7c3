"""Installing the app: the page that asks a person to allow it, and the codes that this gives out."""

import html
import secrets
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from local_slack.clock import Clock
from local_slack.errors import SlackError

CODE_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class Install:
    """What a person allowed."""

    user: str
    scopes: tuple[str, ...]
    user_scopes: tuple[str, ...]
    redirect_uri: str
    expires_at: float


@dataclass(slots=True)
class Installs:
    """The codes that were given out and not yet exchanged."""

    clock: Clock
    _codes: dict[str, Install | None] = field(default_factory=dict)

    def clear(self) -> None:
        self._codes.clear()

    def allow(self, user: str, scopes: str, user_scopes: str, redirect_uri: str) -> str:
        """A code for one exchange within ten minutes."""
        code = f"1000.{secrets.token_hex(16)}"
        expires_at = self.clock.now() + CODE_SECONDS
        self._codes[code] = Install(user, _names(scopes), _names(user_scopes), redirect_uri, expires_at)
        return code

    def exchange(self, code: str, redirect_uri: str) -> Install:
        """What the code stands for, once. Raises invalid_code, code_already_used, bad_redirect_uri."""
        if code not in self._codes:
            raise SlackError("invalid_code")
        install = self._codes[code]
        if install is None:
            raise SlackError("code_already_used")
        if install.expires_at < self.clock.now():
            raise SlackError("invalid_code")
        if redirect_uri and redirect_uri != install.redirect_uri:
            raise SlackError("bad_redirect_uri")
        self._codes[code] = None
        return install


def install_routes(installs: Installs, client_id: str, installer: str, app_name: str) -> list[Route]:
    """The install page, and the button on it: `installer` is the person who allows it."""

    async def page(request: Request) -> Response:
        asked = dict(request.query_params)
        problem = _problem(asked, client_id)
        if problem:
            return HTMLResponse(_page("This app cannot be installed", f"<p>{html.escape(problem)}</p>"), 400)
        scopes = _names(asked.get("scope", "")) + _names(asked.get("user_scope", ""))
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
    """Whether the form came from our own page, or from no browser at all."""
    origin = request.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == request.headers.get("host")


def _with_query(url: str, **more: str) -> str:
    parts = urlsplit(url)
    return urlunsplit(parts._replace(query=urlencode(dict(parse_qsl(parts.query)) | more)))


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.replace(" ", ",").split(",") if name)


def _page(title: str, body: str) -> str:
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        f"<title>{html.escape(title)}</title><main><h1>{html.escape(title)}</h1>{body}</main></html>"
    )
