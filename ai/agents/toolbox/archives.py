"""Offers `memory` and `list_history`: JSON in, text out. A problem is told in the answer, with the next step."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Annotated, Any, Literal, TypeVar, get_args

from pydantic import ConfigDict, Field, ValidationError

from ai.agents.toolbox.tool import By, Caller, Envelope, Tool, ToolArguments
from ai.errors import UserError
from ai.memory.archives import PREVIEW, Archives, Placeholder, preview_of
from ai.memory.limits import ROOM
from ai.memory_store import MemoryStore
from ai.types import LoggedMessage, ThreadKey

T = TypeVar("T")
Operation = Literal["store", "load", "list", "restore", "prune"]
AIM = 0.575  # of the model's context: the share that storing aims for
LOOKING = frozenset({"load", "list"})
ONLY_LOOK = "here you may look only: the operations are load and list."
INDEX = "give the index of a message, counted from 0 as list_history does"
ADVICE = {
    "start_index": INDEX,
    "end_index": INDEX,
    "restore_insert_index": INDEX,
    "max_preview_chars": "give a number from 40 to 400",
    "operation": f"it is one of {', '.join(get_args(Operation))}",
}
Index = Annotated[int, Field(strict=True, ge=0)]


class ArchiveCall(ToolArguments):
    """One operation and its arguments; those of other operations are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    operation: Operation
    start_index: Index | None = Field(None, description="store: inclusive starting message index")
    end_index: Index | None = Field(None, description="store: inclusive ending message index")
    summary: str | None = Field(
        None,
        description="store: forward-relevant decisions, constraints, commitments, preferences, open questions",
    )
    auto: bool = Field(False, description="store: make a summary when none is given")
    max_preview_chars: int = Field(PREVIEW, strict=True, description="store: 40 to 400")
    memory_handle: str | None = Field(None, description="load, restore: mem://session-id/uuid")
    restore_insert_index: Index | None = Field(None, description="restore: target position (default: append to end)")
    remove_placeholder: bool = False
    replace_placeholder_with: str | None = None


class NoArguments(ToolArguments):
    """Nothing to give; whatever is given is ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of a conversation and of the model's context, and the early range worth archiving."""

    tokens: int
    context: int
    advised: tuple[int, int] | None

    @property
    def share(self) -> float:
        return self.tokens / self.context


def usage(messages: Sequence[LoggedMessage], context: int) -> Usage:
    """Measure a conversation; above 70 % advise the range to archive to get below 60 %."""
    sums = list(accumulate((message.tokens for message in messages), initial=0))
    total = sums[-1]
    if total <= ROOM * context or len(messages) < 2:
        return Usage(total, context, None)
    end = next((place for place, size in enumerate(sums) if total - size <= AIM * context), len(messages))
    return Usage(total, context, (0, min(end, len(messages) - 1) - 1))


@dataclass(frozen=True, slots=True)
class ArchiveTool:
    """The two tools for one thread; `context` is the room of the model, in tokens."""

    archives: Archives
    thread: ThreadKey
    context: int

    def memory(self, call: Mapping[str, Any]) -> str:
        """Run an operation and return its account, or its problem."""
        try:
            return self.operate(MEMORY.read(call))
        except UserError as error:
            return f"Error: {error}"

    def operate(self, call: ArchiveCall) -> str:
        operations: dict[Operation, Callable[[ArchiveCall], str]] = {
            "store": self._store,
            "load": self._load,
            "list": self._list,
            "restore": self._restore,
            "prune": self._prune,
        }
        return operations[call.operation](call)

    def list_history(self) -> str:
        """List messages with their indices, and the range worth archiving."""
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

    def _store(self, call: ArchiveCall) -> str:
        start = _needed(call, "start_index", call.start_index)
        end = _needed(call, "end_index", call.end_index)
        made = self.archives.store(
            self.thread, start, end, summary=call.summary, auto=call.auto, preview_chars=call.max_preview_chars
        )
        return f"Archived as {made.handle}. In place of the messages stands:\n{made.text}"

    def _load(self, call: ArchiveCall) -> str:
        loaded = self.archives.load(self.thread, _needed(call, "memory_handle", call.memory_handle))
        return f"# {loaded.handle}, {len(loaded.messages)} messages\n\n{loaded.markdown}"

    def _list(self, _: ArchiveCall) -> str:
        listed = self.archives.list(self.thread)
        lines = [f"[{one.index}] {one.kind} {_line(one.placeholder)}" for one in listed]
        return "\n".join(lines) or "Nothing is archived in this conversation."

    def _restore(self, call: ArchiveCall) -> str:
        done = self.archives.restore(
            self.thread,
            _needed(call, "memory_handle", call.memory_handle),
            index=call.restore_insert_index,
            remove_placeholder=call.remove_placeholder,
            replace_with=call.replace_placeholder_with,
        )
        return f"Restored {done.messages} messages at index {done.index}."

    def _prune(self, _: ArchiveCall) -> str:
        pruned = self.archives.prune(self.thread)
        gone = "".join(f"\n- {handle}" for handle in pruned.handles)
        return f"Pruned {len(pruned.handles)} archives without a placeholder; {pruned.remaining} remain.{gone}"


def _needed(call: ArchiveCall, name: str, value: T | None) -> T:
    if value is None:
        raise UserError(f"{name} is missing; the operation {call.operation} needs it.")
    return value


def _line(shown: Placeholder) -> str:
    sizes = f"range={shown.first}..{shown.last} messages={shown.messages} chars={shown.chars} tokens={shown.tokens}"
    return f"handle={shown.handle} {sizes} summary={' '.join(shown.summary.split())}"


def _invalid(_: Tool, error: ValidationError) -> str:
    problem = error.errors(include_url=False)[0]
    name, given = str(problem["loc"][0]), None if problem["type"] == "missing" else problem["input"]
    return f"{name} is {given!r}; {ADVICE.get(name, problem['msg'][0].lower() + problem['msg'][1:])}."


def _only_looks(caller: Caller, arguments: Mapping[str, Any]) -> str:
    return ONLY_LOOK if caller.by == "researcher" and arguments.get("operation") not in LOOKING else ""


def _tool(memory: MemoryStore, caller: Caller) -> ArchiveTool:
    return ArchiveTool(memory.archives, caller.session, memory.parts.limits.model)


CALLERS: frozenset[By] = frozenset({"agent", "researcher", "http"})
TEXT = Envelope(
    lambda data: data,
    lambda error: f"Error: {error}",
    _invalid,
    lambda text: {"characters": len(text)},  # a trace measures, and quotes nothing
)
MEMORY = Tool(
    "memory",
    "Archive, load, list, restore, or prune conversation message segments to manage context window usage.",
    ArchiveCall,
    lambda memory, caller, given: _tool(memory, caller).operate(given),
    CALLERS,
    TEXT,
    refuses=_only_looks,
)
LIST_HISTORY = Tool(
    "list_history",
    "Inspect conversation messages with their indices and sizes.",
    NoArguments,
    lambda memory, caller, _: _tool(memory, caller).list_history(),
    CALLERS,
    TEXT,
)
TOOLS = (MEMORY, LIST_HISTORY)
MEMORY_TOOL, LIST_HISTORY_TOOL = (tool.schema for tool in TOOLS)
