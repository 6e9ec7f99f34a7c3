"""A local Slack for tests: its own process on a free port, and short ways to steer it.

    with slack_server() as slack:
        WebClient(token=slack.bot_token, base_url=slack.api_url)
        ts = slack.say("U0ANA", "C0GENERAL", "<@U0BOT> how many apps?")
        reply = slack.wait_for_reply("C0GENERAL", ts)

The workspace is always the same (ids below). `say` acts as a person; a `ts` given to it makes threads of two channels collide.
Messages are Slack's message objects with their metadata; calls are {"number", "at", "method", "args", "outcome", "status"}.
`slack.reset()` forgets messages, files, calls, faults and deliveries, and keeps connections.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from tests.paths import ROOT
from tests.wait import until

Json = dict[str, Any]

BOT, ANA, BEN, MIRA = "U0BOT", "U0ANA", "U0BEN", "U0MIRA"
GENERAL, PRODUCT, SALES = "C0GENERAL", "C0PRODUCT", "C0SALES"
GUEST, EXTERNAL, PARTNERS = "U0GUS", "U0EVA", "C0PARTNERS"
DM_OF = {ANA: "D0ANA", BEN: "D0BEN", MIRA: "D0MIRA"}
MENTION = f"<@{BOT}>"


@dataclass(frozen=True)
class SlackServer:
    """The running local Slack. `url` has no slash at its end, `api_url` (for SLACK_API_URL) has one."""

    url: str
    bot_token: str = "xoxb-local-bot"
    app_token: str = "xapp-local-app"

    @property
    def api_url(self) -> str:
        return f"{self.url}/api/"

    # --- as a person

    def say(self, user: str, channel: str, text: str, thread_ts: str | None = None, ts: str | None = None) -> str:
        """Post as `user`; the new message's ts."""
        said = {"user": user, "channel": channel, "text": text, "thread_ts": thread_ts, "ts": ts}
        return str(self.control("message", said)["ts"])

    def edit(self, user: str, channel: str, ts: str, text: str) -> None:
        self.control("edit", {"user": user, "channel": channel, "ts": ts, "text": text})

    def delete(self, user: str, channel: str, ts: str) -> None:
        self.control("delete", {"user": user, "channel": channel, "ts": ts})

    def react(self, user: str, channel: str, ts: str, name: str) -> None:
        """Give a reaction, or take it back."""
        self.control("react", {"user": user, "channel": channel, "ts": ts, "name": name})

    def stop(self, user: str, channel: str, thread_ts: str) -> list[str]:
        """Press Stop; the ts of the messages that were being streamed."""
        stopped: list[str] = self.control("stop", {"user": user, "channel": channel, "thread_ts": thread_ts})["streams"]
        return stopped

    def act(self, what: str, user: str, **facts: Any) -> Json:
        """What the page does for `user`: action, submit, close, command, shortcut, home, context, read, post."""
        return self.request(f"/_page/{what}", {"as": user, **facts})

    # --- looking

    def messages(self, channel: str, thread_ts: str | None = None) -> list[Json]:
        """All messages of a channel, or of one thread with its root; oldest first."""
        wanted = {"channel": channel} | ({"thread_ts": thread_ts} if thread_ts else {})
        found: list[Json] = self.control(f"messages?{urlencode(wanted)}")["messages"]
        return found

    def replies(self, channel: str, thread_ts: str) -> list[Json]:
        """What the bot said in a thread, oldest first."""
        return [message for message in self.messages(channel, thread_ts) if message["user"] == BOT]

    def files(self, channel: str, thread_ts: str) -> list[Json]:
        """The file objects that the bot shared in a thread, oldest first."""
        return [file for reply in self.replies(channel, thread_ts) for file in reply.get("files", [])]

    def calls(self, method: str | None = None, since: int = 0) -> list[Json]:
        """The API calls after call number `since`, of one method if it is given."""
        found: list[Json] = self.control(f"calls?since={since}")["calls"]
        return [call for call in found if method in {None, call["method"]}]

    def deliveries(self) -> list[Json]:
        """{"event_id", "type", "channel", "ts", "retry_attempt", "acknowledged", "seconds", "given_up"} in the order of sending."""
        found: list[Json] = self.control("deliveries")["deliveries"]
        return found

    def state(self) -> Json:
        """{"connections", "undelivered", "given_up", "counts": {...}, "statuses": [...]}"""
        return self.control("state")

    def download(self, file: Json) -> bytes:
        """The bytes of a file object, fetched as the app would."""
        headers = {"Authorization": f"Bearer {self.bot_token}"}
        with urlopen(Request(file["url_private_download"], headers=headers), timeout=10) as response:
            content: bytes = response.read()
        return content

    # --- waiting

    def wait_for_reply(self, channel: str, thread_ts: str, count: int = 1, timeout: float = 20.0) -> Json:
        """The bot's `count`-th message in a thread, as soon as it is there."""
        what = f"{count} replies in {channel} {thread_ts}"
        return until(lambda: self.replies(channel, thread_ts)[count - 1 :], timeout, what)[0]

    def wait_for_file(self, channel: str, thread_ts: str, timeout: float = 20.0) -> Json:
        """The first file that the bot shares in a thread, as a file object."""
        return until(lambda: self.files(channel, thread_ts), timeout, f"a file in {channel} {thread_ts}")[0]

    def wait_for_connections(self, count: int = 1, timeout: float = 20.0) -> None:
        until(lambda: self.state()["connections"] == count, timeout, f"{count} Socket Mode connections")

    def wait_until_quiet(self, timeout: float = 20.0) -> None:
        """Until every event sent so far is acknowledged or given up."""
        until(lambda: self.state()["undelivered"] == 0, timeout, "all events acknowledged")

    # --- making things go wrong

    def fault(self, method: str, kind: str, times: int = 1, **facts: float | str) -> None:
        """Let the next calls fail: ratelimited (retry_after=seconds), server_error, unavailable, drop_after, drop_before,
        slow (seconds=…), error (error=code); the method "*" stands for any.
        """
        self.control("fault", {"method": method, "kind": kind, "times": times, **facts})

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.control("clock", {"advance": seconds})

    def app(self, **facts: list[str]) -> None:
        """Change the app's `scopes` or `event_types` until the next reset."""
        self.control("app", facts)

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


def ended(process: subprocess.Popen[str], timeout: float = 10.0) -> bool:
    """Whether the process came to its end within `timeout` seconds."""
    try:
        process.wait(timeout)
    except subprocess.TimeoutExpired:
        return False
    return True


@contextmanager
def slack_server(*options: str) -> Iterator[SlackServer]:
    """A fresh local Slack for the block; `options` are those of `python -m local_slack`."""
    command = [sys.executable, "-m", "local_slack", "--port", "0", *options]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            ready = process.stdout.readline()
            assert ready.startswith("local slack ready at "), f"the local Slack did not start: {ready!r}"
            yield SlackServer(ready.split()[-1])
        finally:
            process.terminate()
            if not ended(process):
                process.kill()
