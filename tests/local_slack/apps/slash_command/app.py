"""Opens a form with /ticket, posts what was filled in, and lets anybody close the ticket with a button."""

import os
from typing import Any

from slack_bolt import Ack, App, Respond
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient

app = App(client=WebClient(token=os.environ["SLACK_BOT_TOKEN"], base_url=os.environ["SLACK_API_URL"]))


def ticket_form(channel: str, title: str) -> dict[str, Any]:
    return {
        "type": "modal",
        "callback_id": "ticket",
        "private_metadata": channel,
        "title": {"type": "plain_text", "text": "New ticket"},
        "submit": {"type": "plain_text", "text": "Create"},
        "blocks": [
            {
                "type": "input",
                "block_id": "title",
                "label": {"type": "plain_text", "text": "Title"},
                "element": {"type": "plain_text_input", "action_id": "value", "initial_value": title or " "},
            }
        ],
    }


@app.command("/ticket")
def open_form(ack: Ack, command: dict[str, Any], client: WebClient, respond: Respond) -> None:
    ack()
    if command["text"] == "help":
        respond("Write /ticket and a title.")
        return
    client.views_open(trigger_id=command["trigger_id"], view=ticket_form(command["channel_id"], command["text"]))


@app.view("ticket")
def create_ticket(ack: Ack, body: dict[str, Any], view: dict[str, Any], client: WebClient) -> None:
    title = (view["state"]["values"]["title"]["value"]["value"] or "").strip()
    if len(title) < 3:
        ack(response_action="errors", errors={"title": "Give at least three letters."})
        return
    ack()
    button = {"type": "button", "action_id": "close", "text": {"type": "plain_text", "text": "Close"}}
    client.chat_postMessage(
        channel=view["private_metadata"],
        text=f"<@{body['user']['id']}> opened: {title}",
        blocks=[
            {"type": "section", "text": {"type": "mrkdwn", "text": f"*{title}*"}},
            {"type": "actions", "elements": [button]},
        ],
    )


@app.action("close")
def close_ticket(ack: Ack, body: dict[str, Any], respond: Respond) -> None:
    ack()
    respond(text=f"Closed by <@{body['user']['id']}>", replace_original=True)


if __name__ == "__main__":
    SocketModeHandler(app, os.environ["SLACK_APP_TOKEN"]).start()  # type: ignore[no-untyped-call]
