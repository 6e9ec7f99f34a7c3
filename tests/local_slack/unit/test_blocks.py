"""What of Block Kit is refused, and where it says the fault is; blocks.jsonl holds a case a line."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from local_slack.block_kit import check_blocks, completed, faults_of
from local_slack.wire import SlackError
from tests.written_out import written_out

CASES = [json.loads(line) for line in Path(__file__).with_name("blocks.jsonl").read_text("utf-8").splitlines()]
FAULT = re.compile(r"\[ERROR\] (.*) \[json-pointer:(.*)\]")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"])
def test_faults(case: dict[str, Any]) -> None:
    found = [FAULT.fullmatch(line) for line in faults_of(written_out(case["blocks"]))]
    assert [" ".join(fault.groups()) if fault else None for fault in found] == case["faults"]


def test_text_of_tables_does_not_count_towards_the_message() -> None:
    cell = {"type": "raw_text", "text": "x" * 10_000}
    section = {"type": "section", "text": {"type": "mrkdwn", "text": "x" * 2_825}}
    check_blocks([{"type": "table", "rows": [[cell]]}, *[section] * 4])
    with pytest.raises(SlackError) as refused:
        check_blocks([*[section] * 4, {"type": "header", "text": {"type": "plain_text", "text": "x"}}])
    assert refused.value.code == "msg_blocks_too_long"


def test_a_message_has_one_table() -> None:
    table = {"type": "table", "rows": [[{"type": "raw_text", "text": "x"}]]}
    check_blocks([table])
    with pytest.raises(SlackError) as refused:
        check_blocks([table, table])
    assert (refused.value.code, refused.value.details) == ("invalid_attachments", ("[ERROR] only_one_table_allowed",))


def test_missing_block_ids_are_made_up() -> None:
    first, second = completed([{"type": "divider"}, {"type": "divider", "block_id": "mine"}])
    assert (len(first["block_id"]), second["block_id"]) == (5, "mine")
