"""Read one message of a thread again, with its metadata."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from slack_sdk import WebClient

from ai.types import ThreadKey
from bot.delivery.calls import FAILURES, error_name

log = logging.getLogger(__name__)


def seen(client: WebClient, thread: ThreadKey, ts: str) -> Mapping[str, Any] | None:
    """Return a message of a thread, None where Slack does not show it."""
    try:
        found = client.conversations_replies(
            channel=thread.channel,
            ts=thread.thread_ts,
            oldest=ts,
            latest=ts,
            inclusive=True,
            include_all_metadata=True,
        )
    except FAILURES as error:
        log.warning("a message cannot be read again: %s", error_name(error))
        return None
    messages: Sequence[Mapping[str, Any]] = found.get("messages") or ()
    return next((one for one in messages if one["ts"] == ts), None)
