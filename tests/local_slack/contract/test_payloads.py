"""Golden payloads: for what people and the bot do, exactly the events that reach the app, field by field.

payloads.jsonl holds one case a line: `steps` are [actor, action, arguments] ("$0" stands for the ts that step 0 gave),
`events` the inner events in order, `event_types` what the app has subscribed to where it is not messages alone. Values
that differ from run to run are numbered by first appearance: <ts 1>, <uuid 1>.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from slack_sdk import WebClient

from local_slack.testing import ANA, GENERAL, SlackServer
from tests.local_slack.contract.wire import wire_to

Json = dict[str, Any]

CASES = [json.loads(line) for line in Path(__file__).with_name("payloads.jsonl").read_text("utf-8").splitlines()]
VARIABLE = {
    "ts": r"\d{10}\.\d{6}",
    "uuid": r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    "event": r"Ev[0-9A-F]{9}",
    "file": r"F[0-9A-F]{10}",
    "port": r"(?<=127\.0\.0\.1:)\d+",
    "block": r"(?<![0-9A-Za-z_])[0-9a-f]{5}(?![0-9A-Za-z])",
}
SECONDS = {"event_time", "created", "timestamp"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"])
def test_events(slack: SlackServer, client: WebClient, case: Json) -> None:
    if "event_types" in case:
        slack.app(event_types=case["event_types"])
    with wire_to(slack) as wire:
        perform(slack, client, case["steps"])
        payloads = wire.payloads(lambda found: len(found) == slack.state()["counts"]["deliveries"])
        slack.wait_until_quiet()
    assert normal([payload["event"] for payload in payloads]) == case["events"]


def test_the_wrapper(slack: SlackServer) -> None:
    with wire_to(slack) as wire:
        slack.say(ANA, GENERAL, "hello")
        payload = wire.envelope()["payload"]
        slack.wait_until_quiet()
    assert payload.pop("event")["type"] == "message"
    assert payload.pop("event_context").startswith("4-")
    assert normal(payload) == {
        "token": "local-verification-token",
        "team_id": "T0LOCAL",
        "context_team_id": "T0LOCAL",
        "context_enterprise_id": None,
        "api_app_id": "A0LOCAL",
        "type": "event_callback",
        "event_id": "<event 1>",
        "event_time": "<seconds>",
        "authorizations": [
            {
                "enterprise_id": None,
                "team_id": "T0LOCAL",
                "user_id": "U0BOT",
                "is_bot": True,
                "is_enterprise_install": False,
            }
        ],
        "is_ext_shared_channel": False,
    }


def perform(slack: SlackServer, client: WebClient, steps: list[tuple[str, str, Json]]) -> None:
    """Do `steps` one after the other."""
    given: list[str] = []
    for actor, action, arguments in steps:
        known: Json = {
            name: given[int(value[1:])] if str(value)[0] == "$" else value for name, value in arguments.items()
        }
        if actor == "bot" and action == "upload":
            client.files_upload_v2(**known)
            given.append("")
        elif actor == "bot":
            given.append(client.api_call(action, json=known).get("ts", ""))
        else:
            given.append(slack.control(action, {"user": actor, **known}).get("ts", ""))


def normal(value: Any, seen: dict[str, str] | None = None) -> Any:
    """`value` with what differs from run to run replaced by its kind and the number of its first appearance."""
    seen = {} if seen is None else seen
    if isinstance(value, dict):
        return {key: "<seconds>" if key in SECONDS else normal(inner, seen) for key, inner in value.items()}
    if isinstance(value, list):
        return [normal(inner, seen) for inner in value]
    return _named(value, seen) if isinstance(value, str) else value


def _named(text: str, seen: dict[str, str]) -> str:
    for kind, pattern in VARIABLE.items():
        for found in re.findall(pattern, text):
            if found not in seen:
                seen[found] = f"<{kind} {sum(name.startswith(f'<{kind} ') for name in seen.values()) + 1}>"
            text = text.replace(found, seen[found])
    return text
