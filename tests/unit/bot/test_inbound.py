"""What an event says."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from bot.inbound import read_message
from tests.cases import cases


@pytest.mark.parametrize("line", cases(Path(__file__).with_name("inbound.jsonl")))
def test_read_message(line: dict[str, Any]) -> None:
    inbound = read_message(line["event"], {}, "T1", "UBOT")
    if line["read"] is None:
        assert inbound is None
        return
    assert inbound is not None
    found = asdict(inbound) | {"thread": str(inbound.thread), "mentions": list(inbound.mentions)}
    assert {name: found[name] for name in line["read"]} == line["read"]
