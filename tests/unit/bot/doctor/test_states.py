"""What `datathread check` and `datathread status` print of each state: lines of `states.jsonl`.

A line has the settings that are `set`, what is unlike a Slack that works (`lacks` of scopes, `faults`; `slack` to have
one), a `workspace` file; and all that is printed. What differs from machine to machine is written as `#`.
"""

import json
import re
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bot.cli.main import commands
from bot.doctor.probes import SCOPES
from local_slack.in_process import slack_in_process
from local_slack.testing import SlackServer
from tests.cases import cases
from tests.desk import shop

CHANGING = re.compile(r"[\d.]+(?= GB)")


@pytest.fixture(scope="module")
def slack() -> Iterator[SlackServer]:
    with slack_in_process() as running:
        yield running


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("states.jsonl")))
def test_each_part_is_told_with_its_cure(slack: SlackServer, case: dict[str, Any], tmp_path: Path) -> None:
    slack.reset()
    slack.app(scopes=sorted(SCOPES - {*case.get("lacks", ())}))
    for method, kind, facts in case.get("faults", ()):
        slack.fault(method, kind, **facts)
    environment = {"DATA_DIR": "data", **(slack.environment if case.get("slack") else {}), **case["set"]}
    with chdir(tmp_path):
        shop(tmp_path)
        Path("empty.sqlite").touch()
        Path("workspace.yml").write_text(json.dumps(case.get("workspace", {})), "utf-8")
        done = CliRunner().invoke(commands, case["run"], env=environment)
    told = CHANGING.sub("#", done.stdout.replace(str(tmp_path.resolve()), "FOLDER")).splitlines()
    assert (told, done.exit_code) == (case["tells"], int(any(line.startswith("FAILS") for line in case["tells"])))
