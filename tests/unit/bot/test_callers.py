"""Who a caller over HTTP is, and what they may read."""

from pathlib import Path
from typing import Any

import pytest

from ai.errors import NotAllowed, NotFound
from ai.types import ThreadKey
from bot.http_api.callers import ApiCaller, ApiCallers, NotKnown, digest
from tests.cases import cases

LINES = cases(Path(__file__).with_name("callers.jsonl"))
KINDS = {"NotKnown": NotKnown, "NotAllowed": NotAllowed}


@pytest.mark.parametrize("line", [line for line in LINES if "reads" not in line.values[0]])
def test_a_caller_is_who_the_token_says(line: dict[str, Any]) -> None:
    callers = ApiCallers({digest("a"): ApiCaller("T1", "U1", ("C1",))}, open_to_this_machine=line.get("open", False))
    said = line.get("token"), line.get("org"), line.get("user"), line.get("address", "10.0.0.7")
    if "refused" in line:
        with pytest.raises(NotAllowed) as refused:
            callers.known(*said)
        assert type(refused.value) is KINDS[line["refused"]]
    else:
        known = callers.known(*said)
        assert [known.team, known.user] == line["is"]


@pytest.mark.parametrize("line", [line for line in LINES if "reads" in line.values[0]])
def test_a_caller_reads_their_channels_and_chats(line: dict[str, Any]) -> None:
    caller = ApiCaller("T1", "U1", tuple(line["channels"]))
    assert caller.may_read(ThreadKey.of(line["reads"])) is line["may"]
    if line["may"]:
        assert str(caller.chat(line["reads"])) == line["reads"]
    else:
        with pytest.raises(NotAllowed):
            caller.chat(line["reads"])


@pytest.mark.parametrize("chat_id", ["1.0", "C1/1.0", "T1/C1/1.0/2", ""])
def test_a_chat_has_a_team_a_channel_and_a_time(chat_id: str) -> None:
    with pytest.raises(NotFound, match="no such chat"):
        ApiCaller("T1", "U1", ("*", "C1", "")).chat(chat_id)
