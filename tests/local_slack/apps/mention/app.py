"""Answers when it is mentioned, and keeps a thread's questions apart."""

import os
import re
from typing import Any

from slack_bolt import App, Say
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient

app = App(client=WebClient(token=os.environ["SLACK_BOT_TOKEN"], base_url=os.environ["SLACK_API_URL"]))


@app.event("app_mention")
def handle_app_mention(event: dict[str, Any], say: Say) -> None:
    question = re.sub(r"<@[UW][A-Z0-9]+>", "", event["text"]).strip()
    thread_ts = event.get("thread_ts") or event["ts"]
    if not question:
        say(text=f"Hi <@{event['user']}>, what would you like to know?", thread_ts=thread_ts)
    else:
        say(text=f"You asked: {question}", thread_ts=thread_ts)


if __name__ == "__main__":
    SocketModeHandler(app, os.environ["SLACK_APP_TOKEN"]).start()  # type: ignore[no-untyped-call]
