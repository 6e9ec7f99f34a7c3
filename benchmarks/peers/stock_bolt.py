"""A bot as Bolt's guides write it: Bolt acknowledges, then the listener answers; run by `benchmarks/load.py`.

`SYSTEM` names the agent of `agents.py` that answers; without one the listener counts rows itself. `RETRIES` lets the
client try again when Slack refuses.
"""

import os
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing, nullcontext
from importlib import import_module
from pathlib import Path
from threading import Event
from typing import Any

from slack_bolt import App, Say
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient
from slack_sdk.http_retry.builtin_handlers import RateLimitErrorRetryHandler

HERE = os.environ  # noqa: TID251 - a peer has no config.py
Ask = Callable[[str, str], str]


def main() -> None:
    client = WebClient(token=HERE["SLACK_BOT_TOKEN"], base_url=HERE["SLACK_API_URL"])
    if "RETRIES" in HERE:
        client.retry_handlers.append(RateLimitErrorRetryHandler(max_retry_count=int(HERE["RETRIES"])))
    app = App(client=client, token_verification_enabled=False)
    with agent() as ask:

        @app.event("app_mention")
        def mentioned(event: dict[str, Any], say: Say) -> None:
            answer(event, say)

        @app.event("message")
        def written(event: dict[str, Any], say: Say) -> None:
            if event.get("channel_type") == "im":
                answer(event, say)

        def answer(event: dict[str, Any], say: Say) -> None:
            thread = event.get("thread_ts", event["ts"])
            about = {"event_type": "peer", "event_payload": {"turn_id": f":{event['ts']}"}}
            posted = say(text="Reading the question…", thread_ts=thread, metadata=about)
            said = ask(thread, re.sub(r"<@\w+>", "", event["text"]).strip())
            client.chat_update(channel=event["channel"], ts=posted["ts"], text=said, metadata=about)

        SocketModeHandler(app, HERE["SLACK_APP_TOKEN"]).start()  # type: ignore[no-untyped-call]


def agent() -> Any:
    if "SYSTEM" not in HERE:
        return nullcontext(counted)
    systems = import_module("agents").SYSTEMS  # beside this file
    return systems[HERE["SYSTEM"]](HERE["MODEL_URL"], HERE["DATABASE_FILE"], Path(HERE["DATA_DIR"]))


def counted(_: str, text: str) -> str:
    subject = text.split()[2]
    if subject == "crawls":
        Event().wait(600)
    with closing(sqlite3.connect(HERE["DATABASE_FILE"])) as database:
        (count,) = database.execute(f"SELECT count(*) FROM {subject}").fetchone()
    return f"There are {count}."


if __name__ == "__main__":
    main()
