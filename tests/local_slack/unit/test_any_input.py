"""Whatever a client sends, the Web API answers or refuses: no input ends in an error of the server."""

import contextlib
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from local_slack.block_kit import faults_of
from local_slack.block_kit.blocks import BLOCKS
from local_slack.slack import LocalSlack, Options, local_slack
from local_slack.web_api.arguments import Arguments
from local_slack.web_api.methods.registry import METHODS
from local_slack.wire import SlackError

NAMES = [
    "channel", "channel_id", "channels", "user", "users", "ts", "thread_ts", "message_ts", "timestamp", "text", "markdown_text",
    "blocks", "attachments", "metadata", "files", "file", "filename", "length", "name", "limit", "cursor", "oldest", "latest",
    "inclusive", "status", "loading_messages", "prompts", "title", "types", "reply_broadcast", "include_all_metadata",
    "chunks", "view", "view_id", "external_id", "trigger_id", "hash", "user_id", "post_at", "usergroup", "session_status",
    "recipient_team_id", "recipient_user_id", "task_display_mode", "code", "client_id", "client_msg_id",
]  # fmt: skip
TS = "1730000000.000100"
KNOWN = st.sampled_from(
    ["C0GENERAL", "#sales", "D0ANA", "U0ANA", "U0BOT", TS, "eyes", "1", "0", "", "[{}]", "{}", "[", "bmV4dDo="]
)
BLOCK = st.fixed_dictionaries(
    {"type": st.sampled_from([*BLOCKS, "modal", "home", "markdown_text", "task_update", "blocks"])},
    optional={
        "chart": st.just({"type": "bar", "series": [1], "axis_config": {}}),
        "child_blocks": st.just([{}]),
        "element": st.just({"type": "static_select", "options": [1]}),
        "blocks": st.just([{"type": "input"}]),
        "id": st.just("1"),
        "title": st.just("a"),
        "status": st.just("complete"),
        "details": st.just({}),
        "text": st.just({"type": "mrkdwn", "text": ""}),
        "rows": st.just([[{}], 1]),
        "elements": st.just([1, {}]),
    },
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | KNOWN
ANYTHING = st.recursive(
    SCALARS | BLOCK,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "text", "id"]), inner, max_size=3)
    ),
    max_leaves=4,
)
ARGUMENTS = st.dictionaries(st.sampled_from(NAMES), KNOWN | ANYTHING, max_size=6)


@settings(max_examples=300)
@given(st.sampled_from(sorted(METHODS)), ARGUMENTS)
def test_every_method_answers_or_refuses(method: str, args: dict[str, Any]) -> None:
    slack = slack_with_a_message()
    with contextlib.suppress(SlackError):
        assert isinstance(METHODS[method].run(slack, Arguments(args)), dict)


@given(st.lists(BLOCK | st.fixed_dictionaries({"type": ANYTHING}, optional={"block_id": ANYTHING}), max_size=3))
def test_any_blocks_are_judged(blocks: list[dict[str, Any]]) -> None:
    assert all(fault.startswith("[ERROR] ") for fault in faults_of(blocks))


def slack_with_a_message() -> LocalSlack:
    slack = local_slack("http://127.0.0.1:1/", Options())
    METHODS["chat.postMessage"].run(slack, Arguments({"channel": "C0GENERAL", "text": "hello"}))
    return slack
