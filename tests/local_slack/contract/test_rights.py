"""What the app may do: kinds of tokens, scopes of every method, revoked tokens, rate limits; and installing it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener, urlopen

import pytest
import sqlalchemy as sa
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_handlers import RateLimitErrorRetryHandler
from slack_sdk.oauth.installation_store import Installation
from slack_sdk.oauth.installation_store.sqlalchemy import SQLAlchemyInstallationStore

from local_slack.testing import ANA, GENERAL, SlackServer
from local_slack.web_api.methods.registry import METHODS

Json = dict[str, Any]

NEEDING = sorted(name for name, method in METHODS.items() if method.scope)


@pytest.mark.parametrize("method", NEEDING)
def test_every_method_needs_its_scope(slack: SlackServer, client: WebClient, method: str) -> None:
    slack.app(scopes=["commands"])
    with pytest.raises(SlackApiError) as refused:
        client.api_call(method, json={"channel": GENERAL})
    answer = refused.value.response
    wanted = METHODS[method].scope.replace("*", "channels")
    assert (answer["error"], answer["needed"], answer["provided"]) == ("missing_scope", wanted, "commands")
    assert answer.headers["x-oauth-scopes"] == "commands"


def test_a_direct_conversation_needs_a_scope_of_its_own(slack: SlackServer, client: WebClient) -> None:
    slack.app(scopes=["channels:history"])
    assert client.conversations_history(channel=GENERAL)["ok"]
    with pytest.raises(SlackApiError) as refused:
        client.conversations_history(channel="D0ANA")
    assert refused.value.response["needed"] == "im:history"


# --- rate limits


@pytest.fixture
def limited(slack: SlackServer) -> Iterator[SlackServer]:
    slack.control("limits", {"mode": "slack"})
    yield slack
    slack.reset()


def test_a_tier_is_counted_by_the_minute(limited: SlackServer, client: WebClient) -> None:
    for _ in range(20):
        client.usergroups_list()
    with pytest.raises(SlackApiError) as refused:
        client.usergroups_list()
    response = refused.value.response
    assert (response.status_code, response["error"]) == (429, "ratelimited")
    assert 55 <= int(response.headers["Retry-After"]) <= 60
    limited.advance(60)
    assert client.usergroups_list()["ok"]


def test_posts_are_counted_by_channel(limited: SlackServer, client: WebClient) -> None:
    for number in range(5):
        client.chat_postMessage(channel=GENERAL, text=str(number))
    with pytest.raises(SlackApiError, match="ratelimited"):
        client.chat_postMessage(channel=GENERAL, text="one too many")
    assert client.chat_postMessage(channel="C0SALES", text="elsewhere")["ok"]


def test_the_handler_of_the_sdk_waits_and_gets_through(slack: SlackServer) -> None:
    slack.fault("users.info", "ratelimited", retry_after=0)
    client = WebClient(token=slack.bot_token, base_url=slack.api_url, retry_handlers=[RateLimitErrorRetryHandler()])
    assert client.users_info(user=ANA)["ok"]
    assert [call["status"] for call in slack.calls()] == [429, 200]


# --- OAuth


class Stay(HTTPRedirectHandler):
    """Does not follow, so that a test sees where it was sent."""

    def redirect_request(self, *_: Any) -> None:
        return None


SCOPES = {"scope": "chat:write,commands", "user_scope": "im:history"}
ASKED = {"client_id": "1000.2000", "redirect_uri": "http://127.0.0.1:1/back", "state": "s t", **SCOPES}


def allowed(slack: SlackServer, **asked: str) -> dict[str, list[str]]:
    """What the app is sent back with when a person allows it."""
    form = urlencode(ASKED | asked).encode()
    with pytest.raises(HTTPError) as sent, build_opener(Stay).open(f"{slack.url}/oauth/v2/authorize", form):
        pass
    with sent.value as response:
        assert response.code == 302
        return parse_qs(urlsplit(response.headers["Location"]).query)


def test_the_app_is_installed_and_its_installation_kept(slack: SlackServer, tmp_path: Path) -> None:
    with urlopen(f"{slack.url}/oauth/v2/authorize?{urlencode(ASKED)}", timeout=10) as page:
        assert b"<code>chat:write</code>" in page.read()
    back = allowed(slack)
    assert back["state"] == ["s t"]
    client = WebClient(base_url=slack.api_url)
    secrets = {"client_id": "1000.2000", "client_secret": "local-client-secret"}
    answer = client.oauth_v2_access(**secrets, code=back["code"][0], redirect_uri=ASKED["redirect_uri"])
    engine = sa.create_engine(f"sqlite:///{tmp_path}/installations.db")
    store = SQLAlchemyInstallationStore(client_id="1000.2000", engine=engine)
    store.create_tables()  # type: ignore[no-untyped-call]
    store.save(installation_of(answer.data))
    found = store.find_bot(enterprise_id=None, team_id="T0LOCAL")
    engine.dispose()
    assert found is not None
    installed = WebClient(token=found.bot_token, base_url=slack.api_url)
    assert installed.auth_test().headers["x-oauth-scopes"] == "chat:write,commands"
    assert installed.chat_postMessage(channel=GENERAL, text="hello")["ok"]
    with pytest.raises(SlackApiError, match="missing_scope"):
        installed.users_info(user=ANA)
    assert answer["access_token"] not in str(slack.request("/_page/journal"))
    with pytest.raises(SlackApiError, match="not_allowed_token_type"):
        client.chat_postMessage(token=answer["authed_user"]["access_token"], channel=GENERAL, text="hello")


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"client_id": "1.2"}, "invalid_client_id"),
        ({"client_secret": "guessed"}, "bad_client_secret"),
        ({"code": "1000.none"}, "invalid_code"),
        ({"redirect_uri": "http://127.0.0.1:2/"}, "bad_redirect_uri"),
        ({"grant_type": "refresh_token"}, "invalid_grant_type"),
    ],
)
def test_what_does_not_fit_is_refused(slack: SlackServer, wrong: dict[str, str], error: str) -> None:
    known = {"client_id": "1000.2000", "client_secret": "local-client-secret"}
    given: Json = {**known, "code": allowed(slack)["code"][0], **wrong}
    with pytest.raises(SlackApiError, match=error):
        WebClient(base_url=slack.api_url).oauth_v2_access(**given)


def test_a_code_is_good_once_and_for_ten_minutes(slack: SlackServer) -> None:
    client = WebClient(base_url=slack.api_url)
    secrets = {"client_id": "1000.2000", "client_secret": "local-client-secret"}
    code, other = allowed(slack)["code"][0], allowed(slack)["code"][0]
    assert client.oauth_v2_access(**secrets, code=code)["ok"]
    with pytest.raises(SlackApiError, match="code_already_used"):
        client.oauth_v2_access(**secrets, code=code)
    slack.advance(601)
    with pytest.raises(SlackApiError, match="invalid_code"):
        client.oauth_v2_access(**secrets, code=other)


@pytest.mark.parametrize("wrong", [{"client_id": "1.2"}, {"redirect_uri": "file:///"}, {"scope": "", "user_scope": ""}])
def test_what_cannot_be_installed_is_said_on_the_page(slack: SlackServer, wrong: dict[str, str]) -> None:
    with pytest.raises(HTTPError) as refused, urlopen(f"{slack.url}/oauth/v2/authorize?{urlencode(ASKED | wrong)}"):
        pass
    with refused.value as response:
        assert (response.code, b"cannot be installed" in response.read()) == (400, True)


def test_another_site_cannot_install(slack: SlackServer) -> None:
    headers = {"Origin": "https://evil.example"}
    request = Request(f"{slack.url}/oauth/v2/authorize", urlencode(ASKED).encode(), headers)
    with pytest.raises(HTTPError) as refused, build_opener(Stay).open(request):
        pass
    refused.value.close()
    assert refused.value.code == 403


def installation_of(answer: Any) -> Installation:
    """As Bolt makes it of the answer of oauth.v2.access."""
    return Installation(
        app_id=answer["app_id"],
        team_id=answer["team"]["id"],
        team_name=answer["team"]["name"],
        user_id=answer["authed_user"]["id"],
        bot_token=answer["access_token"],
        bot_user_id=answer["bot_user_id"],
        bot_scopes=answer["scope"],
        user_token=answer["authed_user"]["access_token"],
        user_scopes=answer["authed_user"]["scope"],
        is_enterprise_install=answer["is_enterprise_install"],
        token_type=answer["token_type"],
    )
