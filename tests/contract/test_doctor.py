"""`datathread slack doctor` against the local Slack: it finds the rules that hold there, and its record is such rules."""

import json
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
import yaml

from ai.errors import RowsAway
from bot.contact import greeted, posting_client
from bot.delivery import RateLimiter
from bot.doctor import Examination, examine
from bot.doctor.parts import kept
from bot.doctor.probes import LIMITS, SCOPES
from bot.engine import TurnQueue
from bot.product import open_product
from config import child_environment, load
from local_slack.testing import GENERAL, SlackServer, slack_server
from tests.paths import ROOT

OTHERS = {
    "table.rows": 99,
    "section.text": 3_001,
    "message.table_text": 9_999,
    "container.children_live": ["context", "rich_text", "section"],
}


@pytest.fixture(scope="module")
def slack(local_slack_server: SlackServer) -> SlackServer:
    return local_slack_server


def examined(slack: SlackServer, app_token: str | None = None) -> Examination:
    client = posting_client(load(slack_api_url=slack.api_url, slack_bot_token=slack.bot_token, slack_app_token="xapp-"))
    return examine(client, greeted(client, (0.0,)), GENERAL, app_token, RateLimiter({}))


def found(record: Examination) -> dict[str, object]:
    return {name: rule["value"] for name, rule in record.limits.items()}


def test_the_strict_rules_are_found_and_nothing_is_left_behind(slack: SlackServer) -> None:
    slack.reset()
    record = examined(slack, slack.app_token)
    rules = {name: row["value"] for name, row in slack.control("rules")["limits"].items()}
    assert {probe.name: rules[probe.name] for probe in LIMITS} == {
        name: value for name, value in found(record).items() if name != "container.children_live"
    }
    assert record.problems == []
    assert set(record.works) == {"scopes", "metadata", "status", "update", "events"}
    assert {"chat.postMessage", "chat.update", "conversations.replies", "event"} <= set(record.milliseconds)
    assert slack.messages(GENERAL) == []


def test_other_rules_are_found_and_the_record_sets_them(slack: SlackServer, tmp_path: Path) -> None:
    slack.reset()
    slack.rules(OTHERS)
    record = examined(slack)
    assert OTHERS.items() <= found(record).items()
    rules = tmp_path / "record.json"
    rules.write_text(json.dumps(record.as_json()), "utf-8")
    with slack_server("--rules", str(rules)) as same:
        assert found(examined(same)) == found(record)


def test_the_scopes_are_those_of_the_manifest(slack: SlackServer) -> None:
    manifest = yaml.safe_load((ROOT / "manifest.yml").read_text("utf-8"))
    assert set(manifest["oauth_config"]["scopes"]["bot"]) == SCOPES
    slack.reset()
    slack.app(scopes=sorted(SCOPES - {"files:write", "users:read"}))
    assert examined(slack).problems == ["scopes: add files:write, users:read, and install the app again"]


def test_what_does_not_work_is_told(slack: SlackServer) -> None:
    slack.reset()
    slack.fault("assistant.threads.setStatus", "error", error="method_not_supported_for_channel_type")
    (problem,) = examined(slack).problems
    assert problem.startswith("status: Slack shows no status here")


def test_the_command_prints_and_writes_the_record(slack: SlackServer, tmp_path: Path) -> None:
    slack.reset()
    command = ["-m", "bot", "slack", "doctor", "--channel", GENERAL, "--out", str(tmp_path / "record.json")]
    environment = child_environment(**slack.environment, SLACK_PACING="false", DATA_DIR=str(tmp_path))
    ran = subprocess.run([sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "ok    metadata                    works" in ran.stdout
    assert json.loads((tmp_path / "record.json").read_text("utf-8"))["limits"]["table.rows"]["value"] == 100


def test_the_place_of_kept_rows_is_tried(tmp_path: Path) -> None:
    rows = tmp_path / "rows"
    settings = load(data_dir=tmp_path / "data", results_store=f"file://{rows}")
    with open_product(settings) as product, closing(TurnQueue(settings.engine, settings.data_dir)) as queue:
        probe = dict(kept(product, queue))["results"]
        assert probe() == f"file://{rows} takes rows"
        shutil.rmtree(rows)
        rows.write_text("in the way", "utf-8")
        with pytest.raises(RowsAway, match=f"file://{rows} does not answer"):
            probe()
