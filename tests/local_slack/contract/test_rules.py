"""Slack's stricter rules over the wire, and a rules file that changes them."""

import json
from pathlib import Path
from typing import Any

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from local_slack.testing import GENERAL, SlackServer, slack_server

Json = dict[str, Any]


def table(*cells: str) -> Json:
    return {"type": "table", "rows": [[{"type": "raw_text", "text": cell} for cell in cells]]}


def container(child: Json) -> Json:
    title = {"type": "plain_text", "text": "How this was found"}
    return {"type": "container", "title": title, "is_collapsible": True, "child_blocks": [child]}


SECTION = {"type": "section", "text": {"type": "mrkdwn", "text": "x" * 2_825}}
RICH_TEXT = {
    "type": "rich_text",
    "elements": [{"type": "rich_text_section", "elements": [{"type": "text", "text": "a"}]}],
}
REFUSED = {
    "rich text in a container": ([container(RICH_TEXT)], "invalid_blocks"),
    "tables of 10,001 characters": ([table("x" * 10_000, " ")], "invalid_blocks"),
    "an empty cell": ([table("a", "")], "invalid_blocks"),
    "two tables": ([table("a"), table("b")], "invalid_attachments"),
    "text of 11,301 characters": (
        [*[SECTION] * 4, {**SECTION, "text": {"type": "mrkdwn", "text": "x"}}],
        "msg_blocks_too_long",
    ),
}
TAKEN = [[container(SECTION)], [table("x" * 9_999, " ")], [SECTION] * 4]


@pytest.mark.parametrize("case", REFUSED)
@pytest.mark.parametrize("method", ["chat.postMessage", "chat.update"])
def test_what_not_every_source_takes_is_refused(client: WebClient, case: str, method: str) -> None:
    blocks, error = REFUSED[case]
    ts = client.chat_postMessage(channel=GENERAL, text="49")["ts"]
    with pytest.raises(SlackApiError) as refused:
        client.api_call(method, json={"channel": GENERAL, "ts": ts, "text": "49", "blocks": blocks})
    assert refused.value.response["error"] == error


@pytest.mark.parametrize("blocks", TAKEN, ids=["a section in a container", "10,000 characters", "11,300 characters"])
def test_what_every_source_takes_is_posted(client: WebClient, blocks: list[Json]) -> None:
    assert client.chat_postMessage(channel=GENERAL, text="49", blocks=blocks)["ok"]


def test_markdown_counts_towards_the_text_of_a_message(client: WebClient) -> None:
    assert client.chat_postMessage(channel=GENERAL, markdown_text="x" * 11_300)["ok"]
    with pytest.raises(SlackApiError, match="msg_blocks_too_long"):
        client.chat_postMessage(channel=GENERAL, markdown_text="x" * 11_301)


def test_a_rules_file_is_loaded(tmp_path: Path) -> None:
    rules = tmp_path / "record.json"
    rules.write_text(json.dumps({"limits": {"message.tables": 2, "container.children_live": ["rich_text"]}}))
    with slack_server("--rules", str(rules)) as slack:
        client = WebClient(token=slack.bot_token, base_url=slack.api_url)
        assert client.chat_postMessage(channel=GENERAL, text="49", blocks=[table("a"), table("b")])["ok"]
        assert client.chat_postMessage(channel=GENERAL, text="49", blocks=[container(RICH_TEXT)])["ok"]
        loaded = slack.control("rules")["limits"]["message.tables"]
    assert (loaded["value"], loaded["status"], loaded["source"]) == (2, "seen live", "record.json")


def test_a_bad_rules_file_stops_the_start(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    rules = tmp_path / "record.json"
    rules.write_text('{"limits": {"nothing": 1}}')
    with pytest.raises(AssertionError, match="did not start"), slack_server("--rules", str(rules)):
        pass
    assert capfd.readouterr().err == f"The rules file {rules} names nothing, which is no limit of Slack known here.\n"


def test_the_rules_can_be_read_and_loaded_again(slack: SlackServer, tmp_path: Path) -> None:
    rules = tmp_path / "record.json"
    rules.write_text(json.dumps(slack.control("rules")))
    with slack_server("--rules", str(rules)) as again:
        assert again.control("rules") == slack.control("rules")


def test_the_edit_window_closes(slack: SlackServer, client: WebClient) -> None:
    slack.rules({"message.edit_window": 60})
    ts = client.chat_postMessage(channel=GENERAL, text="Reading the question…")["ts"]
    assert client.chat_update(channel=GENERAL, ts=ts, text="still open")["ok"]
    slack.advance(61)
    with pytest.raises(SlackApiError, match="edit_window_closed"):
        client.chat_update(channel=GENERAL, ts=ts, text="too late")
    slack.reset()
    assert slack.control("rules")["limits"]["message.edit_window"]["value"] is None
