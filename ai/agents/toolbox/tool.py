"""Defines a row of the table of tools, and runs it: read the arguments, do the work, leave a trace, wrap the answer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from ai.agents.rights.audience import AudienceFilter
from ai.agents.tools import ThreadTools
from ai.errors import NotAllowed, UserError
from ai.memory.workspaces import TracedCall
from ai.memory_store import MemoryStore
from ai.types import Json, Place, Request, ThreadKey

By = Literal[  # docs/tools.md says who they are
    "agent", "researcher", "narrowed researcher", "langchain", "http"
]


class ToolArguments(BaseModel):
    """Arguments of a tool. Unknown ones are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


@dataclass(frozen=True, slots=True)
class Caller:
    """A caller: its place, its conversation and turn. `context` is its own account of the session."""

    place: Place
    session: ThreadKey
    turn_id: str = ""
    author: str = ""
    context: Mapping[str, Json] = field(default_factory=dict)
    by: By = "agent"
    request: Request | None = None
    audience_filter: AudienceFilter | None = None
    queries: ThreadTools | None = None


@dataclass(frozen=True, slots=True)
class Envelope:
    """How tools of one kind word their answers, and what a trace keeps of them.

    Without `trace` the work leaves its own. `traces_defaults` adds arguments left out to the traced ones.
    """

    answer: Callable[[Json], Json]
    failed: Callable[[UserError], Json]
    invalid: Callable[["Tool", ValidationError], str]
    trace: Callable[[Any], Json] | None
    traces_defaults: bool = False


def _see_schema(tool: "Tool", _: ValidationError) -> str:
    return f"{tool.name} was called with other parameters than it has; see its schema."


PLAIN = Envelope(lambda data: data, lambda error: {"error": str(error)}, _see_schema, lambda data: data)


@dataclass(frozen=True, slots=True)
class Tool:
    """One row. `work` returns the data of the answer, `refuses` a sentence for calls it turns down unread."""

    name: str
    does: str
    arguments: type[ToolArguments]
    work: Callable[[MemoryStore, Caller, Any], Json]
    callers: frozenset[By]
    envelope: Envelope = PLAIN
    agent: str = ""
    refuses: Callable[[Caller, Mapping[str, Any]], str] = lambda _, __: ""

    @property
    def schema(self) -> dict[str, Any]:
        """The tool as an OpenAI function definition."""
        return function_schema(self.name, self.does, self.arguments)

    def read(self, arguments: Mapping[str, Any]) -> Any:
        """Return the arguments as their model; null counts as left out. Raises UserError."""
        try:
            return self.arguments.model_validate({name: each for name, each in arguments.items() if each is not None})
        except ValidationError as error:
            raise UserError(self.envelope.invalid(self, error)) from error

    def run(self, memory: MemoryStore, caller: Caller, arguments: Mapping[str, Any]) -> Json:
        """Do the work and return its answer, or the envelope of its failure."""
        try:
            if caller.by not in self.callers:
                raise NotAllowed(f"{self.name} is not offered here; call one of the tools that are listed.")
            return self.envelope.answer(self._traced(memory, caller, arguments))
        except UserError as error:
            return self.envelope.failed(error)

    def _traced(self, memory: MemoryStore, caller: Caller, arguments: Mapping[str, Any]) -> Json:
        if self.envelope.trace is None:
            return self._worked(memory, caller, arguments)
        given = dict(self._defaults() if self.envelope.traces_defaults else {}, **arguments)
        call = TracedCall(self.name, given, caller.session, caller.place, caller.turn_id, caller.context)
        data: Json = memory.traces.run(call, lambda: self._worked(memory, caller, arguments), self.envelope.trace)
        return data

    def _worked(self, memory: MemoryStore, caller: Caller, arguments: Mapping[str, Any]) -> Json:
        if refused := self.refuses(caller, arguments):
            raise UserError(refused)
        return self.work(memory, caller, self.read(arguments))

    def _defaults(self) -> dict[str, Json]:
        return {name: each.default for name, each in self.arguments.model_fields.items() if not each.is_required()}


def function_schema(name: str, does: str, arguments: type[ToolArguments]) -> dict[str, Any]:
    parameters = arguments.model_json_schema(schema_generator=_PlainSchema)
    for model in (parameters, *parameters.get("$defs", {}).values()):
        for key in ("title", "description", "additionalProperties"):
            model.pop(key, None)
    return {"type": "function", "function": {"name": name, "description": does, "parameters": parameters}}


class _PlainSchema(GenerateJsonSchema):
    """Leaves out titles and nulls, as the published schemas do."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002
        return False

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        return (
            super().default_schema(schema)
            if schema.get("default") is not None
            else self.generate_inner(schema["schema"])
        )
