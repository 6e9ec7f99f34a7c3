"""The page about the local Slack: every method is in it with a test that calls it, every option and every control."""

import re
from typing import get_args

from local_slack.__main__ import _parser
from local_slack.control.administration import ADMINISTRATION
from local_slack.control.routes import ACTIONS
from local_slack.control.trouble import TROUBLE
from local_slack.limits import Status
from tests.local_slack.contract.listing import behaviours, behaviours_table, limits_table, table
from tests.paths import ROOT

PAGE = (ROOT / "docs" / "local-slack.md").read_text("utf-8")


def test_the_table_of_methods_is_current() -> None:
    assert table() in PAGE, "docs/local-slack.md is stale: run python -m tests.local_slack.contract.listing"


def test_the_tables_of_limits_and_behaviours_are_current() -> None:
    for made in (limits_table(), behaviours_table()):
        assert made in PAGE, "docs/local-slack.md is stale: run python -m tests.local_slack.contract.listing"


def test_every_behaviour_has_a_source_and_a_test() -> None:
    for row in behaviours():
        module, _, test = row["test"].partition("::")
        source = (ROOT / "tests" / "local_slack" / "contract" / f"{module}.py").read_text("utf-8")
        assert row["source"], row
        assert row["status"] in get_args(Status), row
        assert f"def {test}(" in source, row


def test_every_method_has_a_contract_test() -> None:
    assert [line for line in table().splitlines() if line.endswith("| none |")] == []


def test_every_option_is_explained() -> None:
    options = {option for action in _parser("")._actions for option in action.option_strings if option.startswith("--")}
    assert options - {"--help"} == set(re.findall(r"`(--[a-z-]+)", PAGE))


def test_every_control_is_explained() -> None:
    named = set(re.findall(r"`([a-z_]+)`", PAGE.split("## Make things go wrong")[1].split("GET ")[0]))
    assert ACTIONS.keys() | ADMINISTRATION.keys() | TROUBLE.keys() | {"restart"} <= named
