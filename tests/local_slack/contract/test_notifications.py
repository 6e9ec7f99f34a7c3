"""The pushes each person gets: one for a post that concerns them, none for edits and ephemeral messages."""

from slack_sdk import WebClient

from local_slack.testing import ANA, BEN, BOT, DM_OF, GENERAL, MIRA, SlackServer


def pushes(slack: SlackServer, user: str) -> list[tuple[str, str]]:
    return [(push["text"], push["reason"]) for push in slack.notifications(user)]


def test_a_direct_message_notifies_its_other_side(slack: SlackServer, client: WebClient) -> None:
    slack.say(ANA, DM_OF[ANA], "apps?")
    client.chat_postMessage(channel=DM_OF[ANA], text="49 apps")
    assert pushes(slack, ANA) == [("49 apps", "direct message")]
    assert slack.notifications(ANA)[0]["author"] == BOT
    assert pushes(slack, BEN) == []


def test_a_mention_notifies_wherever_it_stands(slack: SlackServer, client: WebClient) -> None:
    client.chat_postMessage(channel=GENERAL, text="nobody in particular")
    client.chat_postMessage(channel=GENERAL, text=f"<@{ANA}>: 49")
    blocks = [{"type": "section", "text": {"type": "mrkdwn", "text": f"for <@{BEN}>"}}]
    client.chat_postMessage(channel=GENERAL, text="49", blocks=blocks)
    element = {"type": "rich_text_section", "elements": [{"type": "user", "user_id": MIRA}]}
    mentioning = [{"type": "rich_text", "elements": [element]}]
    client.api_call("chat.postMessage", json={"channel": GENERAL, "blocks": mentioning})
    assert pushes(slack, ANA) == [(f"<@{ANA}>: 49", "mention")]
    assert pushes(slack, BEN) == [("49", "mention")]
    assert pushes(slack, MIRA) == [(f"<@{MIRA}>", "mention")]


def test_groups_and_broadcasts_reach_their_people(slack: SlackServer, client: WebClient) -> None:
    client.chat_postMessage(channel=GENERAL, text="<!subteam^S0ANALYSTS> look")
    client.chat_postMessage(channel=GENERAL, text="<!here> lunch")
    assert len(pushes(slack, ANA)) == len(pushes(slack, BEN)) == 2
    assert pushes(slack, MIRA) == [("<!here> lunch", "mention")]


def test_a_reply_notifies_the_followers_of_its_thread(slack: SlackServer, client: WebClient) -> None:
    root = slack.say(ANA, GENERAL, f"<@{BOT}> apps?")
    slack.say(BEN, GENERAL, "me too", thread_ts=root)
    client.chat_postMessage(channel=GENERAL, thread_ts=root, text="49 apps")
    assert pushes(slack, ANA) == [("me too", "thread"), ("49 apps", "thread")]
    assert pushes(slack, BEN) == [("49 apps", "thread")]
    assert pushes(slack, MIRA) == []


def test_an_edit_and_an_ephemeral_message_notify_nobody(slack: SlackServer, client: WebClient) -> None:
    root = slack.say(ANA, GENERAL, f"<@{BOT}> apps?")
    ts = client.chat_postMessage(channel=GENERAL, thread_ts=root, text="Reading the question…")["ts"]
    client.chat_update(channel=GENERAL, ts=ts, text=f"<@{ANA}> 49 apps")
    client.chat_postEphemeral(channel=GENERAL, user=ANA, text=f"<@{ANA}> only you")
    client.reactions_add(channel=GENERAL, timestamp=root, name="eyes")
    assert pushes(slack, ANA) == [("Reading the question…", "thread")]
    slack.reset()
    assert pushes(slack, ANA) == []
