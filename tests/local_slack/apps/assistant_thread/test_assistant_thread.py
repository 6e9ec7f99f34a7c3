from local_slack.testing import ANA, BEN, DM_OF, SlackServer


def test_prompts_are_offered_when_the_messages_tab_is_opened(local_slack: SlackServer) -> None:
    local_slack.open_home(ANA, "messages")
    [offered] = local_slack.wait_for(lambda: local_slack.state()["prompts"], "suggested prompts")
    assert (offered["channel"], offered["title"]) == (DM_OF[ANA], "What can I do for you?")
    assert [prompt["title"] for prompt in offered["prompts"]] == ["Count", "Help"]


def test_an_answer_is_streamed_under_the_message(local_slack: SlackServer) -> None:
    ts = local_slack.say(ANA, DM_OF[ANA], "Count to three")
    local_slack.wait_for(lambda: _streamed(local_slack, ts) == "completed", "the whole answer")
    [reply] = local_slack.replies(DM_OF[ANA], ts)
    assert reply["text"] == "One, two, three."
    assert [block["type"] for block in reply["blocks"]] == ["markdown", "context_actions"]
    [status] = local_slack.calls("assistant.threads.setStatus")
    assert (status["args"]["status"], status["outcome"]) == ("is counting…", "ok")
    assert local_slack.state()["statuses"] == [], "the status goes with the answer"


def test_feedback_is_thanked_for(local_slack: SlackServer) -> None:
    ts = local_slack.say(BEN, DM_OF[BEN], "Count to three")
    local_slack.wait_for(lambda: _streamed(local_slack, ts) == "completed", "the whole answer")
    [reply] = local_slack.replies(DM_OF[BEN], ts)
    pressed = {"block_id": reply["blocks"][-1]["block_id"], "action_id": "feedback", "value": "good"}
    local_slack.act("action", BEN, message={"channel": DM_OF[BEN], "ts": reply["ts"]}, action=pressed)
    assert local_slack.wait_for_ephemeral(BEN)["text"] == "Thanks for the good mark."


def _streamed(slack: SlackServer, ts: str) -> str:
    replies = slack.replies(DM_OF[ANA], ts) or slack.replies(DM_OF[BEN], ts)
    return str(replies[0].get("streaming_state")) if replies else ""
