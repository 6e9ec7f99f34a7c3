"""What the tools of seed 003 are given: one model per tool, its fields named as in the seed's JSON (camelCase)."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, StringConstraints, ValidationError
from pydantic.alias_generators import to_camel

from ai.memory.search import Kind

MOST_FOUND = 100

Text = Annotated[str, AfterValidator(lambda text: text.replace("\x00", ""))]  # PostgreSQL keeps no such character
Name = Annotated[Text, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]


class Params(BaseModel):
    """Parameters of a tool; those that it does not have are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, alias_generator=to_camel)


class Named(Params):
    """Which workspace or state."""

    name: Name


class Listing(Params):
    """Which ones to list."""

    include_archived: bool = False


class CreateWorkspace(Params):
    """A new workspace."""

    name: Name
    description: Text
    root_folder: Text
    purpose: Text
    workflows: tuple[Text, ...] = ()
    key_files: tuple[Text, ...] = ()
    preferences: dict[Text, JsonValue] = Field(default_factory=dict)


class UpdateWorkspace(Params):
    """The workspace that is meant, and whatever shall be otherwise."""

    name: Name
    description: Text | None = None
    root_folder: Text | None = None
    purpose: Text | None = None
    workflows: tuple[Text, ...] | None = None
    key_files: tuple[Text, ...] | None = None
    preferences: dict[Text, JsonValue] | None = None
    is_archived: bool | None = None


class CreateState(Params):
    """A save point."""

    name: Name
    conversation_context: Text
    active_task: Text
    active_files: tuple[Text, ...]
    next_steps: tuple[Text, ...]
    description: Text = ""
    tags: tuple[Text, ...] = ()


class DateRange(Params):
    """From a date or moment on, to another one; a last day counts whole. UTC where no zone is given."""

    start: date | datetime | None = None
    end: date | datetime | None = None

    @property
    def since(self) -> datetime | None:
        """The first moment that counts."""
        return None if self.start is None else _moment(self.start)

    @property
    def until(self) -> datetime | None:
        """The first moment that counts no more."""
        if self.end is None:
            return None
        whole_day = not isinstance(self.end, datetime)
        return _moment(self.end) + (timedelta(days=1) if whole_day else timedelta(microseconds=1))


class SearchMemory(Params):
    """What to look for in a workspace."""

    query: Name
    workspace_id: Name
    memory_types: tuple[Kind, ...] = ("states", "traces")
    date_range: DateRange = DateRange()
    limit: int = Field(10, ge=1, le=MOST_FOUND)


def sentence(tool: str, model: type[Params], error: ValidationError) -> str:
    """What is wrong with the parameters, and what they are, in one or two sentences."""
    problem = error.errors(include_url=False)[0]
    name = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "missing":
        return f'{tool} needs "{name}". Its required parameters are: {", ".join(required(model))}.'
    if problem["type"] == "extra_forbidden":
        known = ", ".join(model.model_json_schema()["properties"])
        return f'{tool} has no parameter "{name}". Its parameters are: {known}.'
    return f'The parameter "{name}" of {tool} is wrong: {problem["msg"][0].lower()}{problem["msg"][1:]}.'


def required(model: type[Params]) -> list[str]:
    """The parameters that a tool cannot do without."""
    names: list[str] = model.model_json_schema().get("required", [])
    return names


def _moment(day: date | datetime) -> datetime:
    moment = day if isinstance(day, datetime) else datetime.combine(day, time.min)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
