"""Run a local Slack in a process of its own, act as its people and look inside.

    with slack_server("--manifest", "manifest.yml") as slack:
        ts = slack.say(ANA, GENERAL, f"{MENTION} hello")
        assert slack.wait_for_reply(GENERAL, ts)["text"] == "Hi!"

Messages are Slack's message objects. Calls are {"number", "at", "method", "args", "outcome", "status"}.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event
from time import monotonic
from typing import TypeVar
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from local_slack.processes import Started
from local_slack.wire import Json

BOT, ANA, BEN, MIRA = "U0BOT", "U0ANA", "U0BEN", "U0MIRA"
GENERAL, PRODUCT, SALES = "C0GENERAL", "C0PRODUCT", "C0SALES"
GUEST, EXTERNAL, PARTNERS = "U0GUS", "U0EVA", "C0PARTNERS"
DM_OF = {ANA: "D0ANA", BEN: "D0BEN", MIRA: "D0MIRA"}
MENTION = f"<@{BOT}>"

SECONDS_TO_WAIT = 20.0
_SECONDS_BETWEEN_LOOKS = 0.02
_SECONDS_TO_END = 10.0

T = TypeVar("T")


@dataclass(frozen=True)
class SlackServer:
    """A client of a running local Slack. `url` has no slash at its end, `api_url` (for SLACK_API_URL) has one."""

    url: str
    bot_token: str = "xoxb-local-bot"
    app_token: str = "xapp-local-app"

    @property
    def api_url(self) -> str:
        return f"{self.url}/api/"

    @property
    def environment(self) -> dict[str, str]:
        """The variables Slack's sample apps read: tokens, and the address as SLACK_API_URL."""
        return {
            "SLACK_API_URL": self.api_url,
            "SLACK_BOT_TOKEN": self.bot_token,
            "SLACK_APP_TOKEN": self.app_token,
        }

    # --- as a person

    def say(self, user: str, channel: str, text: str, thread_ts: str | None = None, ts: str | None = None) -> str:
        """Post as `user`; return the ts. Give `ts` to make threads of two channels collide."""
        said = {"user": user, "channel": channel, "text": text, "thread_ts": thread_ts, "ts": ts}
        return str(self.control("message", said)["ts"])

    def share_file(self, user: str, channel: str, name: str, content: bytes, text: str = "") -> str:
        """Post a file as `user`; return the ts."""
        headers = {"Content-Type": "application/octet-stream"}
        wanted = Request(f"{self.url}/_page/upload?{urlencode({'as': user, 'name': name})}", content, headers)
        with urlopen(wanted, timeout=10) as response:
            file = json.load(response)["file"]["id"]
        return str(self.act("post", user, channel=channel, text=text, files=[file])["ts"])

    def edit(self, user: str, channel: str, ts: str, text: str) -> None:
        self.control("edit", {"user": user, "channel": channel, "ts": ts, "text": text})

    def delete(self, user: str, channel: str, ts: str) -> None:
        self.control("delete", {"user": user, "channel": channel, "ts": ts})

    def react(self, user: str, channel: str, ts: str, name: str) -> None:
        """Give a reaction, or take it back."""
        self.control("react", {"user": user, "channel": channel, "ts": ts, "name": name})

    def stop(self, user: str, channel: str, thread_ts: str) -> list[str]:
        """Press Stop; return the ts of each interrupted message."""
        stopped: list[str] = self.control("stop", {"user": user, "channel": channel, "thread_ts": thread_ts})["streams"]
        return stopped

    def press(self, user: str, channel: str, message: Json, label: str) -> None:
        place = {"channel": channel, "ts": message["ts"]}
        self.act("action", user, message=place, action=_button(message["blocks"], label))

    def command(self, user: str, channel: str, name: str, text: str = "") -> None:
        self.act("command", user, channel=channel, command=name, text=text)

    def submit(self, user: str, modal: Json, values: Json) -> Json:
        """Fill in a modal and send it; return the app's errors by block_id. `values` is Slack's `state.values`."""
        errors: Json = self.act("submit", user, view_id=modal["id"], values=values)["errors"]
        return errors

    def open_home(self, user: str, tab: str = "home") -> None:
        self.act("home", user, tab=tab)

    def act(self, what: str, user: str, **facts: object) -> Json:
        """Act as `user` through the page: action, submit, close, command, shortcut, home, context, read, post."""
        return self.request(f"/_page/{what}", {"as": user, **facts})

    # --- looking

    def messages(self, channel: str, thread_ts: str | None = None) -> list[Json]:
        """Return all messages of a channel, or of one thread with its root, oldest first."""
        wanted = {"channel": channel} | ({"thread_ts": thread_ts} if thread_ts else {})
        found: list[Json] = self.control(f"messages?{urlencode(wanted)}")["messages"]
        return found

    def replies(self, channel: str, thread_ts: str) -> list[Json]:
        """Return the bot's messages in a thread, oldest first."""
        return [message for message in self.messages(channel, thread_ts) if message["user"] == BOT]

    def files(self, channel: str, thread_ts: str) -> list[Json]:
        """Return the file objects the bot shared in a thread, oldest first."""
        return [file for reply in self.replies(channel, thread_ts) for file in reply.get("files", [])]

    def calls(self, method: str | None = None, since: int = 0) -> list[Json]:
        """Return the API calls after call number `since`, of one method if given."""
        found: list[Json] = self.control(f"calls?since={since}")["calls"]
        return [call for call in found if method in {None, call["method"]}]

    def deliveries(self) -> list[Json]:
        """List all deliveries as sent.

        {"event_id", "type", "channel", "ts", "retry_attempt", "acknowledged", "seconds", "given_up", "waits"}
        """
        found: list[Json] = self.control("deliveries")["deliveries"]
        return found

    def state(self) -> Json:
        """Return {"connections", "undelivered", "given_up", "now", "counts", "statuses", "sessions", "prompts"}."""
        return self.control("state")

    def ephemerals(self, user: str) -> list[Json]:
        """Return the messages posted for `user` only, oldest first, each with its `channel` and `is_shown`."""
        found: list[Json] = self.control(f"ephemerals?{urlencode({'user': user})}")["messages"]
        return found

    def notifications(self, user: str) -> list[Json]:
        """Return what the phone of `user` showed: {"channel", "ts", "thread_ts", "author", "text", "reason"}."""
        found: list[Json] = self.control(f"notifications?{urlencode({'user': user})}")["notifications"]
        return found

    def modals(self, user: str) -> list[Json]:
        """Return the open modals of `user`, the topmost last."""
        found: list[Json] = self.request(f"/_page/state?{urlencode({'as': user})}")["modals"]
        return found

    def download(self, file: Json) -> bytes:
        """Fetch the bytes of a file object as the app would."""
        headers = {"Authorization": f"Bearer {self.bot_token}"}
        with urlopen(Request(file["url_private_download"], headers=headers), timeout=10) as response:
            content: bytes = response.read()
        return content

    # --- waiting

    def wait_for(self, look: Callable[[], T], what: str, timeout: float = SECONDS_TO_WAIT) -> T:
        """Call `look` until it is true and return its result. Raises AssertionError after `timeout` seconds."""
        deadline, pause = monotonic() + timeout, Event()
        while not (found := look()):
            if monotonic() > deadline:
                raise AssertionError(f"waited {timeout:g} s for {what}; the last look gave {found!r}")
            pause.wait(_SECONDS_BETWEEN_LOOKS)
        return found

    def wait_for_reply(self, channel: str, thread_ts: str, count: int = 1, timeout: float = SECONDS_TO_WAIT) -> Json:
        """Return the bot's `count`-th message in a thread."""
        what = f"{count} replies in {channel} {thread_ts}"
        return self.wait_for(lambda: self.replies(channel, thread_ts)[count - 1 :], what, timeout)[0]

    def wait_for_file(self, channel: str, thread_ts: str, timeout: float = SECONDS_TO_WAIT) -> Json:
        """Return the first file object the bot shares in a thread."""
        what = f"a file in {channel} {thread_ts}"
        return self.wait_for(lambda: self.files(channel, thread_ts), what, timeout)[0]

    def wait_for_modal(self, user: str, timeout: float = SECONDS_TO_WAIT) -> Json:
        """Return the topmost modal of `user`."""
        return self.wait_for(lambda: self.modals(user), f"a modal of {user}", timeout)[-1]

    def wait_for_ephemeral(self, user: str, count: int = 1, timeout: float = SECONDS_TO_WAIT) -> Json:
        """Return the `count`-th message shown to `user` only."""

        def shown() -> list[Json]:
            return [message for message in self.ephemerals(user) if message["is_shown"]]

        return self.wait_for(lambda: shown()[count - 1 :], f"{count} messages to {user} alone", timeout)[0]

    def wait_for_connections(self, count: int = 1, timeout: float = SECONDS_TO_WAIT) -> None:
        self.wait_for(lambda: self.state()["connections"] == count, f"{count} Socket Mode connections", timeout)

    def wait_until_quiet(self, timeout: float = SECONDS_TO_WAIT) -> None:
        """Wait until every event sent so far is acknowledged or given up."""
        self.wait_for(lambda: self.state()["undelivered"] == 0, "all events acknowledged", timeout)

    # --- making things go wrong

    def fault(self, method: str, kind: str, times: int = 1, **facts: float | str) -> None:
        """Let the next calls of `method` ("*": of any) fail.

        Kinds: ratelimited (retry_after), server_error, unavailable, drop_after, drop_before, slow (seconds), error
        (error).
        """
        self.control("fault", {"method": method, "kind": kind, "times": times, **facts})

    def let_go(self) -> None:
        """Give the slow answers that are waiting."""
        self.control("let_go", {})

    def advance(self, seconds: float) -> None:
        self.control("clock", {"advance": seconds})

    def app(self, **facts: list[str]) -> None:
        """Change the app's `scopes` or `event_types` until the next reset."""
        self.control("app", facts)

    def rules(self, limits: Json) -> None:
        """Change limits by name until the next reset."""
        self.control("rules", {"limits": limits})

    def disconnect(self, reason: str = "refresh_requested") -> None:
        self.control("disconnect", {"reason": reason})

    def silence(self) -> None:
        """Let every connection stay open and say nothing any more."""
        self.control("silence", {})

    def redeliver(self, event_id: str) -> None:
        self.control("redeliver", {"event_id": event_id})

    def duplicate_deliveries(self, is_on: bool = True) -> None:
        self.control("redeliver", {"duplicate": is_on})

    def reset(self) -> None:
        """Forget messages, files, calls, faults and deliveries; keep connections."""
        self.control("reset", {})

    def control(self, path: str, body: Json | None = None) -> Json:
        """GET /_control/`path`, or POST it when there is a body."""
        return self.request(f"/_control/{path}", body)

    def request(self, path: str, body: Json | None = None) -> Json:
        """GET any JSON endpoint of the server, or POST to it when there is a body; raises HTTPError for 4xx."""
        data = None if body is None else json.dumps(body).encode()
        request = Request(self.url + path, data, {"Content-Type": "application/json"} if data else {})
        with urlopen(request, timeout=10) as response:
            answer: Json = json.load(response)
        return answer


@contextmanager
def slack_server(*options: str) -> Iterator[SlackServer]:
    """Run a fresh local Slack for the block; `options` are those of `python -m local_slack`."""
    started = Started(("--port", "0", *options))
    try:
        assert started.said.startswith("local slack ready at "), f"the local Slack did not start: {started.said!r}"
        yield SlackServer(started.said.split()[-1])
    finally:
        started.end(_SECONDS_TO_END)


def _button(blocks: list[Json], label: str) -> Json:
    """The press of the one button with this label, wherever it stands."""
    found = [
        {"block_id": block["block_id"], "action_id": element["action_id"]}
        for block in _all_blocks(blocks)
        for element in [*block.get("elements", ()), *filter(None, [block.get("accessory")])]
        if element.get("type") == "button" and element["text"]["text"] == label
    ]
    assert len(found) == 1, f"{len(found)} buttons with the label {label!r}"
    return found[0]


def _all_blocks(blocks: list[Json]) -> Iterator[Json]:
    for block in blocks:
        yield block
        yield from _all_blocks(block.get("child_blocks", []))
