"""All settings: name, unit, default, reason. The only reader of the environment and `.env`.

Data sources and channels are in a YAML file (`CONFIG_FILE`).
"""

import os
from functools import cache
from pathlib import Path
from typing import Any, Literal
from zoneinfo import available_timezones

from dotenv import dotenv_values
from pydantic import Field, PositiveFloat, SecretStr, ValidationError, field_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, SettingsConfigDict

from ai.errors import ConfigError
from ai.files.private import data_folder
from ai.files.problems import first_problem
from ai.files.regular import require_regular
from ai.files.secret_values import from_files

LogLevel = Literal["DEBUG", "INFO", "WARNING", "ERROR"]
SLACK = "https://slack.com/api/"
NAMED_STORES = ("folder", "database")  # values of RESULTS_STORE that hold no secret
METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"


def _counted(default: float | None, unit: str, why: str, **bounds: float) -> Any:
    """Return a number field with its unit and bounds."""
    return Field(default, description=why, json_schema_extra={"unit": unit}, **bounds)  # type: ignore[call-overload]


def _secret(why: str, default: str | None = None) -> Any:
    """Return a field nobody is shown; `NAME_FILE` may name a file with it."""
    return Field(default, description=why, repr=False, json_schema_extra={"secret": True})


class Settings(BaseSettings):
    """All settings. Descriptions give the reasons, `unit` the unit."""

    model_config = SettingsConfigDict(env_file=".env", env_ignore_empty=True, extra="ignore", frozen=True)

    slack_bot_token: SecretStr | None = _secret("Bot token (xoxb-…). Without it the local Slack is started.")
    slack_app_token: SecretStr | None = _secret("App-level token (xapp-…) for Socket Mode.")
    slack_signing_secret: SecretStr | None = _secret(
        "Verifies Slack's requests to /slack/events on HTTP_PORT, in place of the app-level token."
    )
    slack_api_url: str = Field(SLACK, description="Address of Slack's Web API, or of a stand-in.")
    slack_pacing: bool = Field(
        True, description="Keep to Slack's rates before Slack asks; Retry-After is always obeyed."
    )
    slack_silence_seconds: float = _counted(
        30, "s", "Reconnect Socket Mode after this long without a sign of life.", ge=1, le=600
    )
    catch_up_hours: float = _counted(
        24, "h", "How far back to look for questions asked while the bot was away; 0 for not at all.", ge=0, le=168
    )
    database_url: str | None = _secret(
        "The database to ask about, unless CONFIG_FILE names some. Without either: the demo data."
    )
    config_file: Path | None = Field(None, description="YAML file with data sources and channels.")
    rights_url: SecretStr | None = _secret(
        "Login that may make roles and views, for `datathread rights` alone; else the source's own."
    )
    data_dir: Path = Field(Path(".datathread"), description="Folder for everything the bot keeps.")
    receipt_key_file: Path | None = Field(None, description="Key of the receipts; without it receipt.key in DATA_DIR.")
    state_url: str | None = _secret("Database of the memory. Without it: state.sqlite in DATA_DIR.")
    engine_url: str | None = _secret("Database of the durable queue. Without it: engine.sqlite in DATA_DIR.")
    results_store: str = _secret(
        "Where rows are kept: `folder` (in DATA_DIR), `database` "
        "(of the memory), or a URL: s3://bucket/prefix?region=…",
        "folder",
    )
    local_slack_port: int = Field(8765, ge=1, le=65535, description="Where the local Slack listens, on 127.0.0.1 only.")
    http_port: int | None = Field(None, ge=0, le=65535, description="Where the HTTP API listens; without it, nowhere.")
    http_host: str = Field("127.0.0.1", description="Its address; 0.0.0.0 lets the probes of a container in.")
    metrics_token: SecretStr | None = _secret("Token for /metrics on HTTP_PORT; without it, this machine alone.")
    http_wait_seconds: float = _counted(30, "s", "How long POST /chat waits for an answer.", ge=0, le=600)
    timezone: str = Field(
        "UTC", description="What 'today' and 'last month' mean where Slack does not tell the asker's own time zone."
    )
    language: Literal["en", "de"] = Field("en", description="Language where Slack tells no other, and of the terminal.")
    log_level: LogLevel = Field("INFO", description="How much is logged. Message texts are never logged.")
    log_format: Literal["text", "json"] = Field(
        "text", description="`json`: a line per event, without words of people."
    )
    otel_exporter_otlp_endpoint: str | None = Field(
        None, description="Collector for spans of turns (OTLP over HTTP); OTEL_* has the rest. Needs the extra `otel`."
    )
    workers: int = _counted(40, "turns", "Threads answered at once, and queries of one database.", ge=1, le=256)
    processes: int = _counted(1, "processes", "Processes that answer, beside one that takes messages in.", ge=1, le=64)
    shares: dict[str, PositiveFloat] = Field({}, description="Weights of workspaces, channels, people by id (JSON).")
    query_seconds: float = _counted(30, "s", "A query is interrupted after this time.", gt=0, le=3600)
    result_rows: int = _counted(100_000, "rows", "Rows kept of one result; a reply says when there were more.", ge=1)
    result_bytes: int = _counted(100 * 2**20, "bytes", "Bytes kept of one result.", ge=1024)
    thread_bytes: int = _counted(500 * 2**20, "bytes", "Bytes on disk of one thread's results.", ge=1024)
    results_bytes: int = _counted(
        10 * 2**30, "bytes", "Bytes on disk of all results; the least recently read go first.", ge=1024
    )
    results_days: float = _counted(90, "days", "Results nobody reads are dropped after this time.", gt=0)
    export_rows: int = _counted(
        10_000_000, "rows", "Most rows of an export of all rows, which runs the query again.", ge=1
    )
    export_seconds: float = _counted(600, "s", "Such a query is interrupted after this time.", gt=0, le=7200)
    file_bytes: int = _counted(10**9, "bytes", "Largest file to send to Slack; a larger CSV is divided.", ge=10**6)
    suggest_questions: bool = Field(True, description="Offer two next questions as buttons under an answer.")
    csv_formula_guard: bool = Field(
        True, description="Prefix text cells with an apostrophe where a spreadsheet would run a formula."
    )
    csv_zip: bool = Field(True, description="Zip a CSV beyond FILE_BYTES if it then fits; otherwise divide it.")
    csv_bom: bool = Field(False, description="Start CSV files with a byte order mark, for old Excel.")
    max_messages_per_thread: int = _counted(
        10, "messages", "Longest view of a thread before its oldest turns are summarised.", ge=2
    )
    max_conversation_tokens: int = _counted(4000, "tokens", "Most tokens of a compressed view.", ge=100)
    compression_trigger_ratio: float = _counted(
        0.8, "ratio", "Share of MAX_CONVERSATION_TOKENS at which to compress; 0 never compresses.", ge=0, le=1
    )
    keep_recent_messages: int = _counted(5, "messages", "Newest messages kept word for word.", ge=1)
    queries_per_thread: int = _counted(10, "results", "Results kept per thread; SQL texts are kept for good.", ge=1)

    thread_prompt_tokens: int = _counted(
        800, "tokens", "What a prompt of the model holds of its thread, however long that is.", ge=0
    )
    context_window_tokens: int = _counted(
        8_000, "tokens", "Newest messages from which prompts and replies about the conversation are chosen.", ge=100
    )
    active_context_tokens: int = _counted(
        60_000, "tokens", "Most tokens of a request with everything loaded from the memory.", ge=100
    )
    model_context_tokens: int = _counted(
        128_000, "tokens", "What the model takes; the memory fills at most 70 % of it.", ge=1_000
    )
    openai_api_key: SecretStr | None = _secret(
        "Key of a language model. Without it and OPENAI_BASE_URL: the built-in reader alone."
    )
    openai_base_url: str | None = Field(
        None, description="Where a server speaks OpenAI's protocol; without it, OpenAI's own."
    )
    openai_model: str = Field("gpt-4.1-mini", description="Name of the model.")
    openai_proxy: str | None = _secret("HTTP proxy on the way to the model; no other variable names it.")
    model_seconds: float = _counted(
        60, "s", "From the first call of a turn all of its calls end within this time.", gt=0, le=600
    )
    openai_api_version: str | None = Field(
        None, description="Version of Azure's API. With it OPENAI_BASE_URL is the resource, and a model its deployment."
    )
    model_structured: Literal["json_schema", "function", "json_object", "text"] = Field(
        "json_schema",
        description="How the model is first asked for objects; the next way follows when it does not work.",
    )
    model_sql: str | None = Field(None, description="Model for SQL, where it is another than OPENAI_MODEL.")
    model_words: str | None = Field(
        None, description="Model that words results, routes messages and searches threads, where it is another."
    )
    model_summary: str | None = Field(None, description="Model that sums up threads, where it is another.")
    model_output_tokens: int | None = _counted(
        8_000, "tokens", "Most tokens of one answer, reasoning included.", ge=100
    )
    model_temperature: float | None = _counted(None, "", "Temperature; without it the server's own.", ge=0, le=2)
    model_effort: Literal["none", "minimal", "low", "medium", "high", "xhigh"] | None = Field(
        None, description="How long a reasoning model thinks; without it the server's own."
    )
    model_privacy: bool = Field(
        False, description="Show the model names of tables and columns, but no value of the data."
    )
    model_candidates: int = _counted(1, "queries", "Queries written per question; their results vote.", ge=1, le=9)
    model_prompt_price: float = _counted(0, "per 1M tokens", "Price of prompt tokens.", ge=0)
    model_cached_price: float | None = _counted(None, "per 1M tokens", "Price of cached prompt tokens.", ge=0)
    model_completion_price: float = _counted(0, "per 1M tokens", "Price of completion tokens.", ge=0)
    model_currency: str = Field("USD", max_length=8, description="What the prices are in.")
    model_user_tokens: int | None = _counted(
        None, "tokens/day", "What one person's questions may take of the model.", ge=0
    )
    model_channel_tokens: int | None = _counted(None, "tokens/day", "What one channel's questions may take.", ge=0)
    model_total_tokens: int | None = _counted(None, "tokens/day", "What all questions may take.", ge=0)
    tiktoken_cache_dir: Path | None = Field(None, description="Folder with tiktoken's encodings, preferred to ours.")
    tiktoken_download_url: str | None = Field(
        None, description="Where to download missing encodings; without it, nowhere."
    )
    embedding_model: Path | None = Field(
        None, description="Folder of a model2vec model, to find other words for the same. Needs the extra `semantic`."
    )
    embedding_floor: float = _counted(
        0.4, "cosine", "From how much likeness on such words count; it depends on the model.", gt=0, le=1
    )
    redis_url: SecretStr | None = _secret("Redis for windows of threads, shared by processes on a PostgreSQL memory.")

    @field_validator("timezone")
    @classmethod
    def _known_timezone(cls, name: str) -> str:
        if name not in _timezones():
            raise PydanticCustomError("timezone", "give an IANA name such as Europe/Berlin")
        return name

    @property
    def state(self) -> str:
        return self.state_url or f"sqlite:///{self.data_dir / 'state.sqlite'}"

    @property
    def redis(self) -> str | None:
        return self.redis_url.get_secret_value() if self.redis_url else None

    @property
    def has_model(self) -> bool:
        """Whether a language model is configured. A server of one's own may need no key."""
        return self.openai_api_key is not None or self.openai_base_url is not None

    @property
    def engine(self) -> str:
        return self.engine_url or f"sqlite:///{self.data_dir / 'engine.sqlite'}"

    def make_data_dir(self) -> None:
        """Make the folder of all that is kept. Raises ConfigError where nothing can be written."""
        data_folder(self.data_dir)

    @property
    def is_demo(self) -> bool:
        """Whether people ask about the demo data."""
        return self.config_file is None and self.database_url is None

    @property
    def has_slack(self) -> bool:
        """Whether there is a bot token and a way for Slack to reach us."""
        return self.slack_bot_token is not None and (self.slack_app_token or self.slack_signing_secret) is not None


SECRETS = tuple(n.upper() for n, field in Settings.model_fields.items() if field.json_schema_extra == {"secret": True})


def __getattr__(name: str) -> Any:
    """Return a setting by its variable, as seed 004 reads it: `config.MAX_MESSAGES_PER_THREAD`."""
    if name.isupper() and name.lower() in Settings.model_fields:
        return getattr(load(), name.lower())
    raise AttributeError(f"module 'config' has no attribute {name!r}")


@cache
def _timezones() -> frozenset[str]:
    return frozenset(available_timezones())  # found by walking their folder


def load(**overrides: Any) -> Settings:
    """Read the settings; `overrides` by field name win. Raises ConfigError."""
    forbid_tracing()
    files = {name.lower(): text for name, text in from_files(SECRETS, environment()).items()}
    try:
        settings = Settings(**{**files, **{name: value for name, value in overrides.items() if value is not None}})
    except ValidationError as error:
        raise ConfigError(first_problem(error, str.upper)) from None
    _require_whole_slack(settings)
    _require_own_tokens(settings)
    return settings


def _require_whole_slack(settings: Settings) -> None:
    has_line = (settings.slack_app_token or settings.slack_signing_secret) is not None
    if (settings.slack_bot_token is None) != (not has_line):
        missing = "SLACK_BOT_TOKEN" if has_line else "SLACK_APP_TOKEN"
        raise ConfigError(f"{missing} is missing: set both Slack tokens, or neither to use the local Slack.")
    if settings.slack_signing_secret is not None and settings.http_port is None:
        raise ConfigError("SLACK_SIGNING_SECRET is set, but nothing listens: set HTTP_PORT as well, or leave it out.")


def _require_own_tokens(settings: Settings) -> None:
    tokens = (settings.slack_bot_token, "xapp-"), (settings.slack_app_token, "xoxb-")
    if any(token is not None and token.get_secret_value().startswith(other) for token, other in tokens):
        raise ConfigError(
            "The Slack tokens are swapped: SLACK_BOT_TOKEN begins with xoxb-, SLACK_APP_TOKEN with xapp-."
        )


def forbid_tracing() -> None:
    """Switch LangSmith off: langchain-core depends on it, and it would send questions out."""
    for name in ("LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING_V2"):
        os.environ[name] = "false"


def environment() -> dict[str, str]:
    """Return the variables of the environment and of `.env`."""
    return {name: value for name, value in {**dotenv_values(require_regular(".env")), **os.environ}.items() if value}


def share_metrics(folder: Path) -> None:
    """Name the folder where processes share their metrics; the library reads it from the environment alone."""
    os.environ[METRICS_FOLDER] = str(folder)


def metrics_folder() -> str | None:
    return os.environ.get(METRICS_FOLDER)


def child_environment(**changes: str) -> dict[str, str]:
    """Return our environment with `changes`."""
    return {**os.environ, **changes}
