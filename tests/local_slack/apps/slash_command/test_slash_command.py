from local_slack.testing import ANA, BEN, BOT, GENERAL, SlackServer


def posted(slack: SlackServer) -> list[str]:
    return [message["text"] for message in slack.messages(GENERAL) if message["user"] == BOT]


def filled_in(title: str) -> dict[str, object]:
    return {"title": {"value": {"type": "plain_text_input", "value": title}}}


def test_the_form_is_filled_in_and_the_ticket_closed(local_slack: SlackServer) -> None:
    local_slack.command(ANA, GENERAL, "/ticket", "Broken chart")
    form = local_slack.wait_for_modal(ANA)
    assert form["blocks"][0]["element"]["initial_value"] == "Broken chart"
    assert local_slack.submit(ANA, form, filled_in("Broken chart")) == {}
    local_slack.wait_for(lambda: posted(local_slack) == [f"<@{ANA}> opened: Broken chart"], "the ticket")
    local_slack.press(BEN, GENERAL, local_slack.messages(GENERAL)[-1], "Close")
    local_slack.wait_for(lambda: posted(local_slack) == [f"Closed by <@{BEN}>"], "the closed ticket")


def test_a_short_title_is_refused_in_the_form(local_slack: SlackServer) -> None:
    local_slack.command(ANA, GENERAL, "/ticket")
    form = local_slack.wait_for_modal(ANA)
    assert local_slack.submit(ANA, form, filled_in("ab")) == {"title": "Give at least three letters."}
    assert [one["id"] for one in local_slack.modals(ANA)] == [form["id"]]


def test_help_is_shown_to_the_asker_only(local_slack: SlackServer) -> None:
    local_slack.command(BEN, GENERAL, "/ticket", "help")
    assert local_slack.wait_for_ephemeral(BEN)["text"] == "Write /ticket and a title."
    assert local_slack.ephemerals(ANA) == []
    assert posted(local_slack) == []
