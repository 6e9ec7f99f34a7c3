"""`datathread slack doctor` on a local Slack in this process: each line of `examinations.jsonl` is a Slack and its record.

A line says what is unlike the documented Slack (`rules`, `faults`, the scopes it `lacks`), and what is found there
unlike the record of the first line; null for a size that is not found.
"""

import json
import logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from slack_sdk import WebClient

from bot.cli.main import commands
from bot.contact import greeted
from bot.delivery import RateLimiter
from bot.doctor import Examination, examine
from bot.doctor.probes import FORMS, SCOPES
from local_slack.in_process import slack_in_process
from local_slack.testing import GENERAL, SlackServer
from tests.cases import cases

CASES = Path(__file__).with_name("examinations.jsonl")
DOCUMENTED = json.loads(CASES.read_text("utf-8").splitlines()[0])


@pytest.fixture(scope="module")
def running() -> Iterator[SlackServer]:
    with slack_in_process() as slack:
        yield slack


@pytest.fixture
def slack(running: SlackServer) -> SlackServer:
    running.reset()
    return running


def examined(slack: SlackServer) -> Examination:
    client = WebClient(token=slack.bot_token, base_url=slack.api_url, retry_handlers=[])
    return examine(client, greeted(client, (0.0,)), GENERAL, None, RateLimiter({}))


def prepare(slack: SlackServer, case: dict[str, Any]) -> None:
    slack.rules(case.get("rules", {}))
    slack.app(scopes=sorted(SCOPES - {*case.get("lacks", ())}))
    for method, kind, facts in case.get("faults", ()):
        slack.fault(method, kind, **facts)


@pytest.mark.parametrize("case", cases(CASES))
def test_a_slack_is_recorded_as_it_is(
    slack: SlackServer, case: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    prepare(slack, case)
    with caplog.at_level(logging.WARNING):
        record = examined(slack)
    found = {name: rule["value"] for name, rule in record.limits.items()}
    sizes = {**DOCUMENTED["sizes"], **case.get("sizes", {})}
    expected = {name: size for name, size in sizes.items() if size is not None}
    assert found == {"container.children_live": case.get("children", DOCUMENTED["children"]), **expected}
    assert record.forms == {**dict.fromkeys(FORMS, "accepted"), **case.get("refused", {})}
    fails = case.get("fails", {})
    assert record.works == {**dict.fromkeys(("scopes", "metadata", "status", "update"), "works"), **fails}
    assert record.problems == [f"{name}: {found}" for name, found in fails.items()]
    assert len(slack.messages(GENERAL)) == case.get("stay", 0)
    assert {*caplog.messages} == {*case.get("logs", ())}


def test_a_record_names_its_slack_and_day_and_each_method_that_was_timed(slack: SlackServer) -> None:
    began = datetime.now(UTC).replace(microsecond=0)
    record = examined(slack)
    assert record.slack == slack.url
    assert began <= datetime.fromisoformat(record.at) <= began + timedelta(seconds=60)
    source = f"datathread slack doctor, Datathread demo, {record.at[:10]}"
    assert {(rule["status"], rule["source"]) for rule in record.limits.values()} == {("seen live", source)}
    methods = {"auth.test", "chat.postMessage", "chat.update", "conversations.replies", "chat.delete"}
    assert record.milliseconds.keys() == {*methods, "assistant.threads.setStatus"}
    assert all(0 < took < 10_000 for took in record.milliseconds.values())


def test_what_is_posted_says_what_it_is(slack: SlackServer) -> None:
    examined(slack)
    posted = [call["args"] for call in slack.calls("chat.postMessage")]
    assert {args["text"] for args in posted} == {"Datathread examines this Slack; its messages here are deleted again."}
    assert len({args.get("thread_ts") for args in posted}) == 2  # none, then that of the root


@pytest.mark.parametrize("case", [case for case in cases(CASES) if "prints" in case.values[0]])
def test_the_command_prints_and_writes_what_is_found(slack: SlackServer, case: dict[str, Any], tmp_path: Path) -> None:
    prepare(slack, case)
    settings = {**slack.environment, "SLACK_APP_TOKEN": "", "SLACK_SIGNING_SECRET": "s", "HTTP_PORT": "0"}
    environment = {**settings, "SLACK_PACING": "false", "DATA_DIR": str(tmp_path / "data")}
    command = ["slack", "doctor", "--channel", GENERAL, "--out", str(tmp_path / "record")]
    printed = CliRunner().invoke(commands, command, env=environment)
    assert (printed.output.splitlines(), printed.exit_code) == (case["prints"], 1)
    record = json.loads((tmp_path / "record").read_text("utf-8"))
    assert record["works"]["update"] == case["fails"]["update"]
