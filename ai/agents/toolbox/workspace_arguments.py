"""Arguments of the workspace tools, one model each; JSON names are camelCase."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated

from pydantic import AfterValidator, ConfigDict, Field, JsonValue, StringConstraints, ValidationError
from pydantic.alias_generators import to_camel

from ai.agents.toolbox.tool import Tool, ToolArguments
from ai.memory.search import Kind

MOST_FOUND = 100

Text = Annotated[str, AfterValidator(lambda text: text.replace("\x00", ""))]  # PostgreSQL keeps no such character
Name = Annotated[Text, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]


class CamelArguments(ToolArguments):
    model_config = ConfigDict(extra="forbid", frozen=True, alias_generator=to_camel)


class Named(CamelArguments):
    name: Name


class Listing(CamelArguments):
    include_archived: bool = False


class CreateWorkspace(CamelArguments):
    name: Name
    description: Text
    root_folder: Text
    purpose: Text
    workflows: tuple[Text, ...] = ()
    key_files: tuple[Text, ...] = ()
    preferences: dict[Text, JsonValue] = Field(default_factory=dict)


class UpdateWorkspace(CamelArguments):
    """A workspace by its name, and its new values."""

    name: Name
    description: Text | None = None
    root_folder: Text | None = None
    purpose: Text | None = None
    workflows: tuple[Text, ...] | None = None
    key_files: tuple[Text, ...] | None = None
    preferences: dict[Text, JsonValue] | None = None
    is_archived: bool | None = None


class CreateState(CamelArguments):
    name: Name
    conversation_context: Text
    active_task: Text
    active_files: tuple[Text, ...]
    next_steps: tuple[Text, ...]
    description: Text = ""
    tags: tuple[Text, ...] = ()


class DateRange(CamelArguments):
    """From a date or moment to another, UTC by default; a last day counts whole."""

    start: date | datetime | None = None
    end: date | datetime | None = None

    @property
    def since(self) -> datetime | None:
        return None if self.start is None else _moment(self.start)

    @property
    def until(self) -> datetime | None:
        if self.end is None:
            return None
        whole_day = not isinstance(self.end, datetime)
        return _moment(self.end) + (timedelta(days=1) if whole_day else timedelta(microseconds=1))


class SearchMemory(CamelArguments):
    query: Name
    workspace_id: Name
    memory_types: tuple[Kind, ...] = ("states", "traces")
    date_range: DateRange = DateRange()
    limit: int = Field(10, ge=1, le=MOST_FOUND)


def sentence(tool: Tool, error: ValidationError) -> str:
    """Say what is wrong with the arguments, and which there are."""
    problem = error.errors(include_url=False)[0]
    name = ".".join(str(part) for part in problem["loc"])
    schema = tool.arguments.model_json_schema()
    if problem["type"] == "missing":
        return f'{tool.name} needs "{name}". Its required parameters are: {", ".join(schema["required"])}.'
    if problem["type"] == "extra_forbidden":
        return f'{tool.name} has no parameter "{name}". Its parameters are: {", ".join(schema["properties"])}.'
    return f'The parameter "{name}" of {tool.name} is wrong: {problem["msg"][0].lower()}{problem["msg"][1:]}.'


def _moment(day: date | datetime) -> datetime:
    moment = day if isinstance(day, datetime) else datetime.combine(day, time.min)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
