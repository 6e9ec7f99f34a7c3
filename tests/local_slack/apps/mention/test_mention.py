from local_slack.testing import ANA, BEN, BOT, DM_OF, GENERAL, MENTION, SlackServer


def test_a_mention_is_answered_in_its_thread(local_slack: SlackServer) -> None:
    ts = local_slack.say(ANA, GENERAL, f"{MENTION} how many apps?")
    reply = local_slack.wait_for_reply(GENERAL, ts)
    assert (reply["text"], reply["thread_ts"]) == ("You asked: how many apps?", ts)


def test_an_empty_mention_is_asked_back(local_slack: SlackServer) -> None:
    ts = local_slack.say(BEN, GENERAL, MENTION)
    assert local_slack.wait_for_reply(GENERAL, ts)["text"] == f"Hi <@{BEN}>, what would you like to know?"


def test_only_mentions_are_told(local_slack: SlackServer) -> None:
    local_slack.say(ANA, GENERAL, "how many apps?")
    local_slack.say(ANA, DM_OF[ANA], f"{MENTION} how many apps?")
    local_slack.wait_until_quiet()
    assert local_slack.deliveries() == []
    assert [one for one in local_slack.messages(GENERAL) if one["user"] == BOT] == []


def test_the_mention_is_sent_again_until_it_is_acknowledged(local_slack: SlackServer) -> None:
    local_slack.duplicate_deliveries()
    ts = local_slack.say(ANA, GENERAL, f"{MENTION} twice?")
    assert local_slack.wait_for_reply(GENERAL, ts, count=2)["text"] == "You asked: twice?"
