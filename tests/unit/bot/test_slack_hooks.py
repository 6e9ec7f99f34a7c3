"""Slack's own command line finds what it runs, as its specification of hooks says: split at spaces, JSON on output."""

import json

import yaml
from click.testing import CliRunner

from bot.cli.main import commands
from tests.paths import ROOT

HOOKS = json.loads((ROOT / ".slack" / "hooks.json").read_text("utf-8"))
MANIFEST = yaml.safe_load((ROOT / "manifest.yml").read_text("utf-8"))


def test_the_manifest_is_json_on_standard_output() -> None:
    program, *arguments = HOOKS["hooks"]["get-manifest"].split()
    printed = CliRunner().invoke(commands, arguments, catch_exceptions=False)
    assert json.loads(printed.output) == MANIFEST
    assert program == ".venv/bin/datathread"


def test_the_manifest_to_paste_is_the_file() -> None:
    printed = CliRunner().invoke(commands, ["slack", "manifest"], catch_exceptions=False)
    assert printed.output == (ROOT / "manifest.yml").read_text("utf-8")


def test_the_start_hook_runs_a_bot_that_connects_by_itself() -> None:
    _, *arguments = HOOKS["hooks"]["start"].split()
    assert arguments == ["run"]
    assert set(arguments) <= commands.commands.keys()
    assert HOOKS["config"]["sdk-managed-connection-enabled"] is True
