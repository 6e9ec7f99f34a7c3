"""The tools `memory` and `list_history` of seed 002, as a model calls them: JSON in, text out.

What is wrong with a call is said in the answer, so that the caller can call again.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from ai.errors import UserError
from ai.memory.archives.archives import Archives
from ai.memory.archives.placeholder import PREVIEW, Placeholder, preview_of
from ai.memory.limits import ROOM
from ai.types import LoggedMessage, ThreadKey

AIM = 0.575  # of the model's context: storing is to bring it back to 55-60 %
INDEX = {"type": "integer", "minimum": 0}
MEMORY_TOOL: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "memory",
        "description": "Archive, load, list, restore, or prune conversation message segments to manage context window usage.",
        "parameters": {
            "type": "object",
            "properties": {
                "operation": {"type": "string", "enum": ["store", "load", "list", "restore", "prune"]},
                "start_index": {**INDEX, "description": "store: inclusive starting message index"},
                "end_index": {**INDEX, "description": "store: inclusive ending message index"},
                "summary": {
                    "type": "string",
                    "description": "store: forward-relevant decisions, constraints, commitments, preferences, open questions",
                },
                "auto": {
                    "type": "boolean",
                    "description": "store: make a summary when none is given",
                    "default": False,
                },
                "max_preview_chars": {"type": "integer", "description": "store: 40 to 400", "default": PREVIEW},
                "memory_handle": {"type": "string", "description": "load, restore: mem://session-id/uuid"},
                "restore_insert_index": {**INDEX, "description": "restore: target position (default: append to end)"},
                "remove_placeholder": {"type": "boolean", "default": False},
                "replace_placeholder_with": {"type": "string"},
            },
            "required": ["operation"],
        },
    },
}
LIST_HISTORY_TOOL: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "list_history",
        "description": "Inspect conversation messages with their indices and sizes.",
        "parameters": {"type": "object", "properties": {}},
    },
}


@dataclass(frozen=True, slots=True)
class Usage:
    """How much of the model's context a conversation takes, and the early range that is worth archiving, if any."""

    tokens: int
    context: int
    advised: tuple[int, int] | None

    @property
    def share(self) -> float:
        """From 0, of the whole context."""
        return self.tokens / self.context


def usage(messages: Sequence[LoggedMessage], context: int) -> Usage:
    """The usage of a conversation by the stored counts; above 70 % the range that brings it below 60 %."""
    sums = list(accumulate((message.tokens for message in messages), initial=0))
    total = sums[-1]
    if total <= ROOM * context or len(messages) < 2:
        return Usage(total, context, None)
    end = next((place for place, size in enumerate(sums) if total - size <= AIM * context), len(messages))
    return Usage(total, context, (0, min(end, len(messages) - 1) - 1))


@dataclass(frozen=True, slots=True)
class ArchiveTool:
    """The two tools for one thread; `context` is what the model takes, in tokens."""

    archives: Archives
    thread: ThreadKey
    context: int

    def memory(self, call: Mapping[str, Any]) -> str:
        """Do what the parameters of seed 002 say, and tell what was done, or what is wrong with them."""
        operations: dict[str, Callable[[Mapping[str, Any]], str]] = {
            "store": self._store,
            "load": self._load,
            "list": self._list,
            "restore": self._restore,
            "prune": self._prune,
        }
        operation = operations.get(str(call.get("operation")))
        if operation is None:
            return f"Error: operation is {call.get('operation')!r}; it is one of {', '.join(operations)}."
        try:
            return operation(call)
        except UserError as error:
            return f"Error: {error}"

    def list_history(self) -> str:
        """Every message with its index, and what to archive when they are too many."""
        messages = self.archives.history(self.thread)
        lines = [
            f"[{index}] {message.tokens} tokens. {preview_of([message], 80)}" for index, message in enumerate(messages)
        ]
        used = usage(messages, self.context)
        lines.append(
            f"{len(messages)} messages, {used.tokens} tokens: {used.share:.0%} of the context of {self.context}."
        )
        if used.advised is not None:
            start, end = used.advised
            lines.append(f"Archive the messages {start}..{end} (operation store) to come below 60 %.")
        return "\n".join(lines)

    def _store(self, call: Mapping[str, Any]) -> str:
        preview = call.get("max_preview_chars", PREVIEW)
        if isinstance(preview, bool) or not isinstance(preview, int):
            raise UserError(f"max_preview_chars is {preview!r}; give a number from 40 to 400.")
        start, end = _needed(call, "start_index"), _needed(call, "end_index")
        summary, auto = call.get("summary"), bool(call.get("auto", False))
        made = self.archives.store(self.thread, start, end, summary=summary, auto=auto, preview_chars=preview)
        return f"Archived as {made.handle}. In place of the messages stands:\n{made.text}"

    def _load(self, call: Mapping[str, Any]) -> str:
        loaded = self.archives.load(self.thread, str(_needed(call, "memory_handle")))
        return f"# {loaded.handle}, {len(loaded.messages)} messages\n\n{loaded.markdown}"

    def _list(self, _: Mapping[str, Any]) -> str:
        listed = self.archives.list(self.thread)
        told = [f"[{one.index}] {one.kind} {_told(one.placeholder)}" for one in listed]
        return "\n".join(told) or "Nothing is archived in this conversation."

    def _restore(self, call: Mapping[str, Any]) -> str:
        done = self.archives.restore(
            self.thread,
            str(_needed(call, "memory_handle")),
            index=call.get("restore_insert_index"),
            remove_placeholder=bool(call.get("remove_placeholder", False)),
            replace_with=call.get("replace_placeholder_with"),
        )
        return f"Restored {done.messages} messages at index {done.index}."

    def _prune(self, _: Mapping[str, Any]) -> str:
        pruned = self.archives.prune(self.thread)
        gone = "".join(f"\n- {handle}" for handle in pruned.handles)
        return f"Pruned {len(pruned.handles)} archives without a placeholder; {pruned.remaining} remain.{gone}"


def _needed(call: Mapping[str, Any], name: str) -> Any:
    if name not in call:
        raise UserError(f"{name} is missing; the operation {call['operation']} needs it.")
    return call[name]


def _told(shown: Placeholder) -> str:
    sizes = f"range={shown.first}..{shown.last} messages={shown.messages} chars={shown.chars} tokens={shown.tokens}"
    return f"handle={shown.handle} {sizes} summary={' '.join(shown.summary.split())}"
