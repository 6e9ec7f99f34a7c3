"""Settings become parts: the workspace file, HTTP callers, the analyst, and forgetting."""

from bot.setup.forgetting import Forgetting
from bot.setup.thinking import open_thinking
from bot.setup.workspace_file import (
    ChannelConfig,
    SourceConfig,
    WorkspaceConfig,
    api_callers,
    load_workspace,
    secrets_of,
    source_name,
)

__all__ = [
    "ChannelConfig",
    "Forgetting",
    "SourceConfig",
    "WorkspaceConfig",
    "api_callers",
    "load_workspace",
    "open_thinking",
    "secrets_of",
    "source_name",
]
