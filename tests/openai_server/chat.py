"""What a client asks of the server, and what the server is to answer. Values only."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ai.tokens import TokenCounter

TOKENS = TokenCounter(patience=60)


@dataclass(frozen=True)
class Asked:
    """A request: its body, and the headers that came with it."""

    body: Mapping[str, Any]
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    path: str = ""

    @property
    def is_probe(self) -> bool:
        """Whether the client only finds out what the server takes."""
        return "Say hello." in json.dumps(self.body)

    @property
    def stream(self) -> bool:
        return bool(self.body.get("stream"))

    @property
    def wants_usage(self) -> bool:
        return not self.stream or bool((self.body.get("stream_options") or {}).get("include_usage"))

    @property
    def messages(self) -> list[str]:
        """The texts of the messages, oldest first."""
        return [_text(message.get("content")) for message in self.body.get("messages") or self.body.get("input", [])]

    @property
    def prompt(self) -> str:
        return "\n".join(self.messages)

    @property
    def tools(self) -> list[str]:
        """The names of the tools that are offered."""
        return [tool["function"]["name"] for tool in self.body.get("tools", [])]

    @property
    def forced(self) -> str | None:
        """The tool that must be called."""
        choice = self.body.get("tool_choice")
        return choice["function"]["name"] if isinstance(choice, dict) else None

    @property
    def form(self) -> str:
        """How an object is asked for: "json_schema", "function", "json_object"; "" when none is."""
        form = str((self.body.get("response_format") or self.body.get("text", {}).get("format") or {}).get("type", ""))
        return form or ("function" if self.forced else "")

    @property
    def schema(self) -> str | None:
        """The name of the schema that the answer must have, however it is asked for; "json" for any object."""
        if self.form == "json_schema":
            form = self.body.get("response_format") or self.body["text"]["format"]
            return str(form.get("json_schema", form)["name"])
        return "json" if self.form == "json_object" else self.forced

    @property
    def prompt_tokens(self) -> int:
        """Tokens (o200k) of all that is sent to be read: messages, calls of tools, schemas of tools and of the answer."""
        calls = [message["tool_calls"] for message in self.body.get("messages", []) if message.get("tool_calls")]
        schemas = [self.body[key] for key in ("tools", "response_format") if key in self.body]
        return TOKENS(self.prompt) + sum(TOKENS(json.dumps(part)) for part in (*calls, *schemas))


@dataclass(frozen=True)
class ToolUse:
    """A call of a tool."""

    name: str
    args: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Reply:
    """An answer, or a fault of `tests.openai_server.faults` by name.

    `data` is given in the way that the request asks for objects. `cached` of the prompt's tokens were cached; without
    `usage` the server does not say what was used. `seconds` is the pause between chunks of a stream, or what a fault
    makes of it. A `body` goes out as it is, with its `status`; of a stream it has the events, after a `comment`.
    """

    text: str = ""
    data: Mapping[str, Any] | None = None
    calls: tuple[ToolUse, ...] = ()
    fault: str | None = None
    cached: int = 0
    usage: bool = True
    seconds: float = 0.0
    finish: str | None = None
    body: Any = None
    status: int = 200
    comment: str = ""

    def written(self, asked: Asked) -> "tuple[str, tuple[ToolUse, ...]]":
        """The words and the calls that it consists of, for a request."""
        if self.data is None:
            return self.text, self.calls
        if asked.forced:
            return "", (ToolUse(asked.forced, self.data),)
        return json.dumps(self.data), ()

    def usage_of(self, asked: Asked) -> dict[str, Any]:
        words, calls = self.written(asked)
        completion = TOKENS(words) + sum(TOKENS(call.name + json.dumps(call.args)) for call in calls)
        prompt = asked.prompt_tokens
        return {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
            "prompt_tokens_details": {"cached_tokens": self.cached},
        }


def _text(content: Any) -> str:
    """The text of a message, whose content may be a list of parts."""
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content)
    return content or ""
