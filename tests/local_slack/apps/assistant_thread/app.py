"""An agent in its Messages tab: offers prompts, shows what it does, streams its answer, and takes feedback."""

import os
from typing import Any

from slack_bolt import Ack, App, SayStream, SetStatus, SetSuggestedPrompts
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient

app = App(client=WebClient(token=os.environ["SLACK_BOT_TOKEN"], base_url=os.environ["SLACK_API_URL"]))

FEEDBACK = {
    "type": "context_actions",
    "elements": [
        {
            "type": "feedback_buttons",
            "action_id": "feedback",
            "positive_button": {"text": {"type": "plain_text", "text": "Good"}, "value": "good"},
            "negative_button": {"text": {"type": "plain_text", "text": "Bad"}, "value": "bad"},
        }
    ],
}


@app.event("app_home_opened")
def offer_prompts(event: dict[str, Any], set_suggested_prompts: SetSuggestedPrompts) -> None:
    if event["tab"] == "messages":
        set_suggested_prompts(
            title="What can I do for you?",
            prompts=[{"title": "Count", "message": "Count to three"}, {"title": "Help", "message": "Help"}],
        )


@app.event("message")
def answer(event: dict[str, Any], set_status: SetStatus, say_stream: SayStream) -> None:
    if event.get("bot_id") or event.get("subtype"):
        return
    set_status(status="is counting…", loading_messages=["Looking for my fingers…"])
    stream = say_stream()
    for word in ("One, ", "two, ", "three."):
        stream.append(markdown_text=word)
    stream.stop(blocks=[FEEDBACK])


@app.action("feedback")
def take_feedback(ack: Ack, body: dict[str, Any], client: WebClient) -> None:
    ack()
    client.chat_postEphemeral(
        channel=body["channel"]["id"],
        user=body["user"]["id"],
        thread_ts=body["message"]["thread_ts"],
        text=f"Thanks for the {body['actions'][0]['value']} mark.",
    )


if __name__ == "__main__":
    SocketModeHandler(app, os.environ["SLACK_APP_TOKEN"]).start()  # type: ignore[no-untyped-call]
