"""Read the workspace file: sources with rights, roles, channels, HTTP callers. docs/settings.md explains its keys."""

from pathlib import PurePosixPath
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, PositiveFloat, PrivateAttr, SecretStr, ValidationError

from ai.errors import ConfigError
from ai.files import yaml_file
from ai.files.problems import first_problem
from ai.files.secret_values import filled, passwords
from ai.types import OUTSIDERS
from bot.access import ANYWHERE, Policy, beside
from bot.http_api.callers import WHO, ApiCaller, ApiCallers, digest
from config import NAMED_STORES, SECRETS, Settings, environment

LOOPBACK = ("127.0.0.1", "::1", "localhost")
OPEN_DEMO = (
    "HTTP_HOST is {}, but the demo answers without a token: leave HTTP_HOST out, or set CONFIG_FILE or DATABASE_URL."
)


class SourceConfig(BaseModel):
    model_config = ConfigDict(extra="forbid")

    url: str = Field(repr=False)
    description: str = ""
    rights: dict[str, Any] = Field(default_factory=dict)
    roles: dict[str, dict[str, Any]] = Field(default_factory=dict)
    semantics: str | dict[str, Any] | None = None
    ceiling: PositiveFloat | None = None


class RoleConfig(BaseModel):
    model_config = ConfigDict(extra="forbid")

    users: list[str] = Field(default_factory=list)
    groups: list[str] = Field(default_factory=list)


class ChannelConfig(BaseModel):
    """A channel's source, retention, readers and workspace of saved states; `*` is every unlisted channel."""

    model_config = ConfigDict(extra="forbid")

    source: str
    retention_days: PositiveFloat | None = None
    audience: Policy = "members"
    share: list[str] = Field(default_factory=list)
    workspace: str = Field(default="default", min_length=1, max_length=200)


class ApiToken(BaseModel):
    """A caller over HTTP; `*` is every channel but direct messages."""

    model_config = ConfigDict(extra="forbid")

    token: str = Field(min_length=16, repr=False)
    team: str = Field(pattern=WHO)
    user: str = Field(pattern=WHO)
    channels: list[str] = Field(min_length=1)


class WorkspaceConfig(BaseModel):
    model_config = ConfigDict(extra="forbid")

    sources: dict[str, SourceConfig]
    channels: dict[str, ChannelConfig] = Field(default_factory=dict)
    roles: dict[str, RoleConfig] = Field(default_factory=dict)
    allow_external: bool = False
    allow_guests: bool = True
    api_tokens: list[ApiToken] = Field(default_factory=list)
    owners: list[str] = Field(default_factory=list)
    _lines: dict[str, int] = PrivateAttr(default_factory=dict)

    def place(self, field: str) -> str:
        """Return the line and name of a value in the file: “line 7, sources.shop.rights.rows.orders”."""
        names = [field.rsplit(".", cut)[0] for cut in range(field.count(".") + 1)]
        line = next((self._lines[name] for name in names if name in self._lines), None)
        return f"line {line}, {field}" if line else field

    def kept_days(self, channel: str) -> float | None:
        """Return a channel's retention in days, None for ever."""
        entry = self.channels.get(beside(channel)) or self.channels.get(ANYWHERE)
        return entry.retention_days if entry else None


def load_workspace(settings: Settings) -> WorkspaceConfig:
    """Read CONFIG_FILE, or use DATABASE_URL for every channel. Raises ConfigError naming the wrong value."""
    if settings.config_file is None:
        if settings.database_url is None:
            raise ConfigError("DATABASE_URL is missing: set it, or name data sources in CONFIG_FILE.")
        name = source_name(settings.database_url)
        return WorkspaceConfig(
            sources={name: SourceConfig(url=settings.database_url)}, channels={"*": ChannelConfig(source=name)}
        )
    path = settings.config_file
    read = yaml_file.read(path, f"CONFIG_FILE names {path}, which")
    variables = filled(read, path, environment())
    try:
        workspace = WorkspaceConfig.model_validate(variables.value)
    except ValidationError as error:
        raise ConfigError(f"{path}: {variables.hidden(first_problem(error, str))}") from None
    for channel, entry in workspace.channels.items():
        if entry.source not in workspace.sources:
            known = ", ".join(workspace.sources)
            raise ConfigError(f"{path}: channels.{channel}.source is {entry.source!r}; the sources are: {known}.")
        for role in set(entry.share) - workspace.roles.keys():
            raise ConfigError(
                f"{path}: channels.{channel}.share names {role!r}, which is not among the roles of the file."
            )
    for name, source in workspace.sources.items():
        for role in source.roles.keys() - workspace.roles.keys() - OUTSIDERS:
            raise ConfigError(f"{path}: sources.{name}.roles names {role!r}, which is not among the roles of the file.")
    workspace._lines = read.lines  # noqa: SLF001 - where its values stand
    return workspace


def secrets_of(settings: Settings, workspace: WorkspaceConfig) -> frozenset[str]:
    """Return tokens, keys and passwords of all settings, which no log may hold."""
    given = (getattr(settings, name.lower()) for name in SECRETS)
    told = (value.get_secret_value() if isinstance(value, SecretStr) else value for value in given)
    plain = [value for value in told if value not in NAMED_STORES]
    urls = (source.url for source in workspace.sources.values())
    return frozenset(passwords([*plain, *urls, *(caller.token for caller in workspace.api_tokens)]))


def source_name(url: str) -> str:
    """Return the last part of a database URL, without suffix or options, and never an account."""
    name = PurePosixPath(url.partition("?")[0].partition("://")[2].partition("/")[2]).stem
    return "data" if "@" in name else name or "data"


def api_callers(settings: Settings, workspace: WorkspaceConfig) -> ApiCallers:
    """Return the callers over HTTP; without tokens only probes and Slack are answered there. Raises ConfigError.

    A proxy that forwards Slack makes every request look local, so the demo then needs tokens too.
    """
    known = {digest(t.token): ApiCaller(t.team, t.user, tuple(t.channels)) for t in workspace.api_tokens}
    for_slack = settings.slack_signing_secret is not None
    if settings.is_demo and not for_slack and settings.http_host not in LOOPBACK:
        raise ConfigError(OPEN_DEMO.format(settings.http_host))
    return ApiCallers(known, open_to_this_machine=settings.is_demo and not for_slack)
