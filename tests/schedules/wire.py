"""The local Slack without sockets: a call is a function call that takes time, and can fail before or after its effect."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.error import URLError
from urllib.request import Request

from slack_sdk import WebClient
from slack_sdk.web import SlackResponse

from local_slack.slack import LocalSlack, Options, local_slack
from local_slack.state import people
from local_slack.state.entities import Message, MessageDraft
from local_slack.testing import ANA, GENERAL, MENTION
from local_slack.web_api.arguments import Arguments
from local_slack.web_api.methods.registry import METHODS
from local_slack.wire import Json, SlackError
from tests.intakes import TEAM
from tests.schedules.world import World

CALL_SECONDS = 0.05
RETRY_AFTER = 3
ANSWER, FILE_ALONE = 0, -2  # numbers of messages; that of a plan is -1
AWAY, BROKEN, LOST, LIMITED, REFUSED, TOKEN = "away", "broken", "lost", "limited", "refused", "token"


@dataclass(frozen=True)
class Shown:
    """A message of a turn as people saw it at a moment; `text` is "" once it was deleted."""

    at: float
    turn_id: str
    number: int
    ts: str
    text: str
    channel: str


@dataclass
class Wire:
    """A Slack that remembers what people saw. Trouble is of all methods, or of one."""

    world: World
    slack: LocalSlack
    inbox: list[Json] = field(default_factory=list)  # events on their way to the bot
    seen: list[Shown] = field(default_factory=list)
    calls: list[tuple[str, str]] = field(default_factory=list)  # method and what became of it
    trouble: dict[str, str] = field(default_factory=dict)  # until it is over
    once: dict[str, list[str]] = field(default_factory=dict)  # of the next calls of a method
    with_files: dict[str, str] = field(default_factory=dict)  # message -> turn, whatever becomes of its file

    def call(self, method: str, args: Json) -> SlackResponse:
        """Answer a call as Slack's client does. Raises URLError and TimeoutError."""
        fault = self._sent(method)
        if fault == AWAY:
            raise URLError("the network is unreachable")
        answer, status = self._answer(method, args, fault)
        self._arrived(fault)
        headers = {"Retry-After": str(RETRY_AFTER)} if fault == LIMITED else {}
        response = SlackResponse(
            client=None, http_verb="POST", api_url=method, req_args={}, data=answer, headers=headers, status_code=status
        )
        response.validate()  # type: ignore[no-untyped-call]
        return response

    def upload(self, request: Request, timeout: float) -> nullcontext[None]:
        """Take the bytes of a file as Slack's upload URL does. Raises URLError and TimeoutError."""
        del timeout
        fault = self._sent("upload")
        if fault not in ("", LOST):
            raise URLError(fault)
        content, workspace = request.data, self.slack.workspace
        file = workspace.file(request.full_url.rpartition("/")[2])
        workspace.put_file(replace(file, content=content if isinstance(content, bytes) else content.read()))  # type: ignore[union-attr]
        self._arrived(fault)
        return nullcontext()

    def _sent(self, method: str) -> str:
        """Return what becomes of a call, when it arrives."""
        self.world.rest(self.world.chance.uniform(0.5, 1.5) * CALL_SECONDS)
        waiting = self.once.get(method) or self.once.get("") or []
        fault = waiting.pop(0) if waiting else self.trouble.get(method, self.trouble.get("", ""))
        self.calls.append((method, fault))
        return fault

    def _arrived(self, fault: str) -> None:
        self.world.rest(self.world.chance.uniform(0.5, 1.5) * CALL_SECONDS)
        if fault == LOST:
            raise TimeoutError("timed out")

    def _answer(self, method: str, args: Json, fault: str) -> tuple[Json, int]:
        if fault == LIMITED:
            return {"ok": False, "error": "ratelimited"}, 429
        if fault == BROKEN:
            return {"ok": False, "error": "internal_error"}, 503
        if fault == REFUSED:
            return {"ok": False, "error": "cant_delete_message"}, 200
        if fault == TOKEN:
            return {"ok": False, "error": "invalid_auth"}, 200
        try:
            return {"ok": True, **METHODS[method].run(self.slack, Arguments(args))}, 200
        except SlackError as error:
            return {"ok": False, "error": error.code}, 200
        finally:
            self._look()

    # --- as a person

    def say(self, text: str, thread_ts: str | None = None) -> str:
        draft = MessageDraft(ANA, GENERAL, f"{MENTION} {text}", thread_ts=thread_ts)
        return people.say(self.slack.workspace, draft).ts

    def edit(self, ts: str, text: str) -> None:
        people.edit(self.slack.workspace, ANA, GENERAL, ts, f"{MENTION} {text}")

    def delete(self, ts: str) -> None:
        people.delete(self.slack.workspace, ANA, GENERAL, ts)

    def of_turn(self, turn_id: str) -> list[Message]:
        """Return the messages of a turn that people see now."""
        return [message for message in self.slack.workspace.messages() if self._part(message)[0] == turn_id]

    def files_of(self, turn_id: str) -> list[str]:
        """Return what is in the files of a turn that people see now."""
        files = [self.slack.workspace.file(file) for each in self.of_turn(turn_id) for file in each.draft.files]
        return [file.content.decode() for file in files]

    def shown(self) -> list[Shown]:
        """Return what people see of turns now."""
        return [self._shown(message) for message in self.slack.workspace.messages() if self._part(message)[0]]

    def _part(self, message: Message) -> tuple[str, int]:
        """Return the turn and number of a message, "" of other messages."""
        if message.draft.metadata:
            payload: Mapping[str, Any] = message.draft.metadata.get("event_payload", {})
            return str(payload.get("turn_id")), int(payload.get("part", 0))
        for file in message.draft.files:
            self.with_files[message.ts] = (
                f"{TEAM}:{GENERAL}:{self.slack.workspace.file(file).name.removesuffix('.csv')}"
            )
        return self.with_files.get(message.ts, ""), ANSWER if message.text else FILE_ALONE

    def _look(self) -> None:
        """Note what is new, changed or gone."""
        now = {shown.ts: shown for shown in self.shown()}
        last = {shown.ts: shown for shown in self.seen}
        for ts, shown in now.items():
            if ts not in last or last[ts].text != shown.text or last[ts].number != shown.number:
                self.seen.append(shown)
        for ts, shown in last.items():
            if ts not in now and shown.text:
                self.seen.append(Shown(self.world.now, shown.turn_id, shown.number, ts, "", shown.channel))

    def _shown(self, message: Message) -> Shown:
        text = message.text or f"files {message.draft.files}"
        return Shown(self.world.now, *self._part(message), message.ts, text, message.channel)


class SimulatedClient(WebClient):
    """Slack's client on a wire."""

    def __init__(self, call: Callable[[str, Json], SlackResponse]) -> None:
        super().__init__(token="xoxb-local-bot", retry_handlers=[])
        self._call = call

    def api_call(self, api_method: str, **options: Any) -> SlackResponse:
        given = [part for name in ("params", "data", "json") if (part := options.get(name))]
        args = {name: value for part in given for name, value in part.items() if value is not None}
        return self._call(api_method, args)


def wire_of(world: World) -> Wire:
    slack = local_slack("http://slack.test", Options())
    wire = Wire(world, slack)
    slack.deliveries.send_event = wire.inbox.append  # type: ignore[method-assign, assignment]
    return wire
