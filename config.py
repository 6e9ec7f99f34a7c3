"""Every setting once: name, unit, default, and why. The only module that reads the environment.

A setting is an environment variable of the same name in capitals, or a line of `.env`. Data sources and channels, which
are lists, stand in a YAML file (`CONFIG_FILE`, see `bot.workspace_file`). A wrong value stops the start with one sentence that names it.
`python -m config` prints the table that stands in docs/settings.md.
"""

import os
from pathlib import Path
from typing import Any, Literal
from zoneinfo import available_timezones

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, SettingsConfigDict

from ai.errors import ConfigError

LogLevel = Literal["DEBUG", "INFO", "WARNING", "ERROR"]
SLACK = "https://slack.com/api/"


class Settings(BaseSettings):
    """All settings. Field descriptions are the reasons; `unit` says what the number counts."""

    model_config = SettingsConfigDict(env_file=".env", env_ignore_empty=True, extra="ignore", frozen=True)

    slack_bot_token: SecretStr | None = Field(
        None, description="Bot token (xoxb-…). Without both tokens the local Slack is started."
    )
    slack_app_token: SecretStr | None = Field(None, description="App-level token (xapp-…) for Socket Mode.")
    slack_api_url: str = Field(SLACK, description="Where Slack's Web API is; another server may stand in for it.")
    slack_pacing: bool = Field(
        True, description="Keep to Slack's rates before Slack asks for it; its Retry-After is obeyed in any case."
    )
    database_url: str | None = Field(
        None, description="The database that people ask about, when CONFIG_FILE names none. Without it: the demo data."
    )
    config_file: Path | None = Field(None, description="YAML file with data sources and channels.")
    data_dir: Path = Field(Path(".datathread"), description="Folder for everything that the bot keeps.")
    state_url: str | None = Field(None, description="Database of the memory. Without it: state.sqlite in DATA_DIR.")
    engine_url: str | None = Field(
        None, description="Database of the durable queue. Without it: engine.sqlite in DATA_DIR."
    )
    local_slack_port: int = Field(8765, ge=1, le=65535, description="Where the local Slack listens, on 127.0.0.1 only.")
    http_port: int | None = Field(
        None, ge=0, le=65535, description="Where the HTTP API listens, on 127.0.0.1 only; without it, nowhere."
    )
    http_wait_seconds: float = Field(
        30, ge=0, le=600, description="How long POST /chat waits for an answer.", json_schema_extra={"unit": "s"}
    )
    timezone: str = Field(
        "UTC", description="What 'today' and 'last month' mean where Slack does not tell the asker's own time zone."
    )
    log_level: LogLevel = Field("INFO", description="How much is logged. Message texts are never logged.")
    workers: int = Field(
        16, ge=1, le=256, description="Threads answered at the same time.", json_schema_extra={"unit": "turns"}
    )
    poll_seconds: float = Field(
        0.1, gt=0, le=5, description="How often the queue is looked at.", json_schema_extra={"unit": "s"}
    )
    query_seconds: float = Field(
        30, gt=0, le=3600, description="A query is interrupted after this time.", json_schema_extra={"unit": "s"}
    )
    result_rows: int = Field(
        100_000,
        ge=1,
        description="Rows kept of one result; a reply says when there were more.",
        json_schema_extra={"unit": "rows"},
    )
    result_bytes: int = Field(
        100 * 2**20, ge=1024, description="Bytes kept of one result.", json_schema_extra={"unit": "bytes"}
    )
    thread_bytes: int = Field(
        500 * 2**20, ge=1024, description="Bytes on disk of one thread's results.", json_schema_extra={"unit": "bytes"}
    )
    results_bytes: int = Field(
        10 * 2**30,
        ge=1024,
        description="Bytes on disk of all results; the least recently read go first.",
        json_schema_extra={"unit": "bytes"},
    )
    results_days: float = Field(
        90, gt=0, description="A result that nobody reads goes after this time.", json_schema_extra={"unit": "days"}
    )
    export_rows: int = Field(
        10_000_000,
        ge=1,
        description="Rows of an export that runs a query again for all of its rows.",
        json_schema_extra={"unit": "rows"},
    )
    export_seconds: float = Field(
        600, gt=0, le=7200, description="Such a query is interrupted after this time.", json_schema_extra={"unit": "s"}
    )
    file_bytes: int = Field(
        10**9,
        ge=10**6,
        description="Largest file that is sent, as Slack takes it; a CSV is divided.",
        json_schema_extra={"unit": "bytes"},
    )
    csv_formula_guard: bool = Field(
        True, description="Prefix text cells that a spreadsheet would run as a formula with an apostrophe."
    )
    csv_zip: bool = Field(
        True, description="Zip a CSV beyond FILE_BYTES where that makes it one file; otherwise it is divided."
    )
    csv_bom: bool = Field(False, description="Start CSV files with a byte order mark, which old Excel wants for UTF-8.")
    max_messages_per_thread: int = Field(
        10,
        ge=2,
        description="Longest view of a thread before its oldest turns are summarised.",
        json_schema_extra={"unit": "messages"},
    )
    max_conversation_tokens: int = Field(
        4000,
        ge=100,
        description="Size of that view which compression keeps below.",
        json_schema_extra={"unit": "tokens"},
    )
    compression_trigger_ratio: float = Field(
        0.8,
        ge=0,
        le=1,
        description="Share of MAX_CONVERSATION_TOKENS at which to compress; 0 never compresses.",
        json_schema_extra={"unit": "ratio"},
    )
    keep_recent_messages: int = Field(
        5, ge=1, description="Newest messages that stay word for word.", json_schema_extra={"unit": "messages"}
    )
    queries_per_thread: int = Field(
        10,
        ge=1,
        description="Results kept per thread; SQL texts are kept for good.",
        json_schema_extra={"unit": "results"},
    )

    context_window_tokens: int = Field(
        8_000, ge=100, description="Newest messages that a request begins with.", json_schema_extra={"unit": "tokens"}
    )
    active_context_tokens: int = Field(
        60_000,
        ge=100,
        description="What a request may grow to by what it loads from the memory.",
        json_schema_extra={"unit": "tokens"},
    )
    model_context_tokens: int = Field(
        128_000,
        ge=1_000,
        description="What the model takes; the memory fills at most 70 % of it.",
        json_schema_extra={"unit": "tokens"},
    )
    openai_api_key: SecretStr | None = Field(
        None, description="Key of a language model. Without it and OPENAI_BASE_URL: the built-in reader alone."
    )
    openai_base_url: str | None = Field(
        None, description="Where a server speaks OpenAI's protocol; without it, OpenAI's own."
    )
    openai_model: str = Field("gpt-4.1-mini", description="The model that is asked.")
    openai_proxy: str | None = Field(
        None, description="HTTP proxy on the way to the model; no other variable names it."
    )
    model_seconds: float = Field(
        60,
        gt=0,
        le=600,
        description="From the first call of a turn all of its calls end within this time, whatever the server does.",
        json_schema_extra={"unit": "s"},
    )
    model_structured: Literal["json_schema", "function", "json_object"] = Field(
        "json_schema",
        description="How the model is asked for objects; the next way is tried when a server refuses one.",
    )
    model_privacy: bool = Field(
        False, description="Show the model names of tables and columns, but no value of the data."
    )
    model_candidates: int = Field(
        1,
        ge=1,
        le=9,
        description="Queries written per question; their results vote.",
        json_schema_extra={"unit": "queries"},
    )
    model_prompt_price: float = Field(
        0,
        ge=0,
        description="Price of what is sent, for what an answer cost.",
        json_schema_extra={"unit": "per 1M tokens"},
    )
    model_cached_price: float | None = Field(
        None, ge=0, description="Price of what of it was cached.", json_schema_extra={"unit": "per 1M tokens"}
    )
    model_completion_price: float = Field(
        0, ge=0, description="Price of what is answered.", json_schema_extra={"unit": "per 1M tokens"}
    )
    model_currency: str = Field("USD", max_length=8, description="What the prices are in.")
    model_user_tokens: int | None = Field(
        None,
        ge=0,
        description="What one person's questions may take of the model.",
        json_schema_extra={"unit": "tokens/day"},
    )
    model_channel_tokens: int | None = Field(
        None, ge=0, description="What one channel's questions may take.", json_schema_extra={"unit": "tokens/day"}
    )
    model_total_tokens: int | None = Field(
        None, ge=0, description="What all questions may take.", json_schema_extra={"unit": "tokens/day"}
    )
    tiktoken_cache_dir: Path | None = Field(
        None,
        description="Folder in which tiktoken keeps the ranks of its encodings; looked at before those that we carry.",
    )
    tiktoken_download_url: str | None = Field(
        None, description="Where ranks may be downloaded from that are found nowhere else; without it, from nowhere."
    )
    redis_url: SecretStr | None = Field(
        None, description="Redis that keeps windows of threads for several processes in front of a PostgreSQL memory."
    )

    @field_validator("timezone")
    @classmethod
    def _known_timezone(cls, name: str) -> str:
        if name not in available_timezones():
            raise PydanticCustomError("timezone", "give an IANA name such as Europe/Berlin")
        return name

    @property
    def state(self) -> str:
        """URL of the memory's database."""
        return self.state_url or f"sqlite:///{self.data_dir / 'state.sqlite'}"

    @property
    def redis(self) -> str | None:
        """URL of Redis, None without one."""
        return self.redis_url.get_secret_value() if self.redis_url else None

    @property
    def has_model(self) -> bool:
        """Whether a language model is configured. A server of one's own may need no key."""
        return self.openai_api_key is not None or self.openai_base_url is not None

    @property
    def engine(self) -> str:
        """URL of the durable queue's database."""
        return self.engine_url or f"sqlite:///{self.data_dir / 'engine.sqlite'}"

    @property
    def has_slack(self) -> bool:
        """Whether both tokens are there."""
        return self.slack_bot_token is not None and self.slack_app_token is not None


def load(**overrides: Any) -> Settings:
    """Read the settings; `overrides` (by field name) win over the environment. ConfigError names what is wrong."""
    forbid_tracing()
    try:
        settings = Settings(**{name: value for name, value in overrides.items() if value is not None})
    except ValidationError as error:
        raise ConfigError(first_problem(error, str.upper)) from None
    if (settings.slack_bot_token is None) != (settings.slack_app_token is None):
        missing = "SLACK_APP_TOKEN" if settings.slack_app_token is None else "SLACK_BOT_TOKEN"
        raise ConfigError(f"{missing} is missing: set both Slack tokens, or neither to use the local Slack.")
    return settings


def forbid_tracing() -> None:
    """Switch LangSmith off: it is a hard dependency of langchain-core and would send questions out of the house."""
    for name in ("LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING_V2"):
        os.environ[name] = "false"


def child_environment(**changes: str) -> dict[str, str]:
    """The environment for a process that we start: ours, with `changes`."""
    return {**os.environ, **changes}


def settings_table() -> str:
    """The settings as a Markdown table, for docs/settings.md."""
    lines = ["| Variable | Default | Unit | What it is for |", "|---|---|---|---|"]
    for name, field in Settings.model_fields.items():
        extra = field.json_schema_extra
        unit = extra.get("unit", "") if isinstance(extra, dict) else ""
        default = "" if field.default is None else f"`{field.default}`"
        lines.append(f"| `{name.upper()}` | {default} | {unit} | {field.description} |")
    return "\n".join(lines) + "\n"


def first_problem(error: ValidationError, spell: Any) -> str:
    """The first problem as one sentence: the name, what was given, what is allowed."""
    problem = error.errors(include_url=False)[0]
    name = ".".join(spell(str(part)) for part in problem["loc"]) or "the file"
    if problem["type"] in ("missing", "extra_forbidden"):
        return f"{name} is {'missing' if problem['type'] == 'missing' else 'not a known setting'}."
    return f"{name} is {problem['input']!r}: {problem['msg'][0].lower()}{problem['msg'][1:]}."


if __name__ == "__main__":
    print(settings_table(), end="")  # noqa: T201 - printing the table is what this command is for
