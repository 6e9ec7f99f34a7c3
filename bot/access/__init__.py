"""Rules about asking, roles, and the readers of an answer."""

from bot.access.audience import ChannelAudience
from bot.access.rules import (
    ANYWHERE,
    DIRECT,
    FOREIGNER,
    GUEST,
    UNKNOWN,
    Access,
    Holders,
    Policy,
    beside,
    http_channel,
    is_http,
    nobody,
)

__all__ = [
    "ANYWHERE",
    "DIRECT",
    "FOREIGNER",
    "GUEST",
    "UNKNOWN",
    "Access",
    "ChannelAudience",
    "Holders",
    "Policy",
    "beside",
    "http_channel",
    "is_http",
    "nobody",
]
