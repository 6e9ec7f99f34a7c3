"""A bot as Bolt's guides write it: Bolt acknowledges, then the listener counts rows and answers. Run by `turns.py`."""

import os
import sqlite3
from contextlib import closing
from threading import Event
from typing import Any

from slack_bolt import App, Say
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient


def main() -> None:
    here = os.environ  # noqa: TID251 - a peer has no config.py
    client = WebClient(token=here["SLACK_BOT_TOKEN"], base_url=here["SLACK_API_URL"])
    app = App(client=client, token_verification_enabled=False)

    @app.event("message")
    def answer(event: dict[str, Any], say: Say) -> None:
        subject = event["text"].split()[2]
        if subject == "crawls":
            Event().wait(600)
        with closing(sqlite3.connect(here["DATABASE_FILE"])) as database:
            (count,) = database.execute(f"SELECT count(*) FROM {subject}").fetchone()
        posted = say(text="Reading the question…", thread_ts=event["ts"], metadata=of(event))
        client.chat_update(channel=event["channel"], ts=posted["ts"], text=f"There are {count}.", metadata=of(event))

    SocketModeHandler(app, here["SLACK_APP_TOKEN"]).start()  # type: ignore[no-untyped-call]


def of(event: dict[str, Any]) -> dict[str, Any]:
    return {"event_type": "peer", "event_payload": {"turn_id": f":{event['ts']}"}}


if __name__ == "__main__":
    main()
