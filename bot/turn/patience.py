"""How long a turn waits for Slack."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from ai.errors import SourceUnavailable
from bot.delivery import TokenRefused
from bot.engine import Postponed

T = TypeVar("T")
PATIENCE = timedelta(days=1)
PATIENCE_FOR_TOKEN = timedelta(days=7)


def patiently(call: Callable[[], T], since: datetime) -> T:
    """Call, or put the turn off. Raises SourceUnavailable after too long."""
    try:
        return call()
    except SourceUnavailable as error:
        patience = PATIENCE_FOR_TOKEN if isinstance(error, TokenRefused) else PATIENCE
        if datetime.now(UTC) - since > patience:
            raise
        raise Postponed from error
