"""Servers as they are: what they refuse and ignore and how they answer, recorded as data, one file each in `dialects/`.

A file has `sources` (where its shapes are documented), `base` (the path of the API), `refusals` (`when`, status, body),
`ignores` (forms of answers it takes no notice of), `chat` and `wrapped` (what the model says then: a greeting, or its
object within words), `answer` and `chunks` (its bodies; "$content", "$calls" and "$finish" are filled in), and
`settings` for the endpoint.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.openai_server.chat import Asked, Reply, ToolUse

FOLDER = Path(__file__).with_name("dialects")
NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))
GREETING = {"language": "English"}


@dataclass(frozen=True)
class Dialect:
    """Answers as one server does; `script` says what its model knows."""

    recorded: Mapping[str, Any]
    script: Callable[[Asked], Reply | None]

    @classmethod
    def load(cls, name: str, script: Callable[[Asked], Reply | None]) -> "Dialect":
        return cls(json.loads((FOLDER / f"{name}.json").read_text("utf-8")), script)

    def __call__(self, asked: Asked) -> Reply | None:
        if not asked.path.startswith(self.recorded.get("path", self.recorded["base"])):
            return Reply(status=404, body={"error": {"message": f"Not Found: {asked.path}"}})
        for name in self.recorded.get("headers", ()):
            if name not in {header.lower() for header in asked.headers}:
                return Reply(status=401, body={"error": {"message": "Access denied", "code": "401"}})
        for refusal in self.recorded["refusals"]:
            if all(TESTS[test](asked, wanted) for test, wanted in refusal["when"].items()):
                return Reply(status=refusal["status"], body=refusal["body"])
        known = Reply(data=GREETING) if asked.is_probe else self.script(asked)
        return known and self._rendered(asked, known)

    def _rendered(self, asked: Asked, reply: Reply) -> Reply:
        words, calls = reply.text, reply.calls
        if reply.data is not None:
            is_loose = not asked.form or asked.form in self.recorded.get("ignores", ())
            told = json.dumps(reply.data)
            if asked.form == "function" and asked.forced and not is_loose:
                words, calls = "", (ToolUse(asked.forced, reply.data),)
            elif is_loose and "JSON schema" not in asked.prompt:
                words = self.recorded.get("chat", told)
            else:
                words = (
                    self.recorded.get("wrapped", "%s").replace("%s", told)
                    if is_loose or "wrapped" in self.recorded
                    else told
                )
        if asked.stream:
            events = [_filled(chunk, words, calls) for chunk in self.recorded["chunks"]]
            return Reply(body=events, comment=self.recorded.get("comment", ""))
        return Reply(body=_filled(self.recorded["answer"], words, calls))


def _filled(shape: Any, words: str, calls: tuple[ToolUse, ...]) -> Any:
    """Return a shape with the answer in its places; without calls their key goes."""
    if isinstance(shape, dict):
        return {key: _filled(part, words, calls) for key, part in shape.items() if part != "$calls" or calls}
    if isinstance(shape, list):
        return [_filled(part, words, calls) for part in shape]
    if shape == "$calls":
        return [
            {"id": f"call_{n}", "type": "function", "function": {"name": call.name, "arguments": json.dumps(call.args)}}
            for n, call in enumerate(calls)
        ]
    return (
        {"$content": words or None, "$finish": "tool_calls" if calls else "stop"}.get(shape, shape)
        if isinstance(shape, str)
        else shape
    )


def _roles(asked: Asked, wanted: str) -> bool:
    roles = [message["role"] for message in asked.body.get("messages", ())]
    return "system" in roles if wanted == "system" else any(one == other != "tool" for one, other in pairwise(roles))


TESTS: Mapping[str, Callable[[Asked, str], bool]] = {
    "form": lambda asked, wanted: asked.form == wanted,
    "sends": lambda asked, wanted: wanted in asked.body,
    "lacks": lambda asked, wanted: wanted not in asked.body,
    "contains": lambda asked, wanted: wanted in json.dumps(asked.body),
    "path": lambda asked, wanted: wanted in asked.path,
    "roles": _roles,
}
