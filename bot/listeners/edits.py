"""Messages that people change or take back: an edited question is answered again in place, a deleted one is forgotten.

Only questions that are in the log are concerned. Slack also tells of changes that no person made, such as the preview of
a link; those have no `edited`, or the same words as before.
"""

from collections.abc import Mapping
from typing import Any

from slack_bolt import App, BoltContext

from bot.listeners.desk import Desk


def register(app: App, desk: Desk) -> None:
    """Take edits and deletions over into the memory and the queue."""

    @app.event({"type": "message", "subtype": "message_changed"})
    def changed(event: Mapping[str, Any], context: BoltContext) -> None:
        message = {**event["message"], "channel": event["channel"]}
        if message.get("subtype") == "tombstone":
            desk.take_back(str(event["channel"]), str(message["ts"]), context)
            return
        inbound = desk.read(message, context)
        before = desk.read({**event.get("previous_message", {}), "channel": event["channel"]}, context)
        edited_ts = message.get("edited", {}).get("ts")
        if inbound is not None and edited_ts and (before is None or before.text != inbound.text):
            desk.revise(inbound, str(edited_ts))

    @app.event({"type": "message", "subtype": "message_deleted"})
    def deleted(event: Mapping[str, Any], context: BoltContext) -> None:
        desk.take_back(str(event["channel"]), str(event["deleted_ts"]), context)
