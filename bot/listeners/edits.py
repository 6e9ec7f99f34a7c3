"""Messages that people change or take back: the memory follows.

Only questions that are in the log are concerned. A changed question is not answered anew.
"""

from collections.abc import Mapping
from typing import Any

from slack_bolt import App, BoltContext

from bot.listeners.desk import Desk


def register(app: App, desk: Desk) -> None:
    """Take edits and deletions over into the memory."""

    @app.event({"type": "message", "subtype": "message_changed"})
    def changed(event: Mapping[str, Any], context: BoltContext) -> None:
        message = {**event["message"], "channel": event["channel"]}
        if message.get("subtype") == "tombstone":
            desk.take_back(str(event["channel"]), str(message["ts"]), context)
            return
        inbound = desk.read(message, context)
        if inbound is not None:
            desk.memory.lifecycle.change(inbound.turn_id, inbound.text, desk.now())

    @app.event({"type": "message", "subtype": "message_deleted"})
    def deleted(event: Mapping[str, Any], context: BoltContext) -> None:
        desk.take_back(str(event["channel"]), str(event["deleted_ts"]), context)
