"""Lines to Slack that others left: when one is looked after, how often again, and what remains of it."""

from pathlib import Path
from time import time
from typing import Any

import pytest

from bot.contact.ledger import GapLedger
from tests.cases import cases
from tests.memories import opened

TEAM = "T1"


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("lines.jsonl")))
def test_a_line_is_looked_after_by_its_signs_of_life(tmp_path: Path, case: dict[str, Any]) -> None:
    now = time()
    with opened(tmp_path) as memory:
        beat = 0.0 if case.get("closed") else now - case["beat"]
        memory.lines.beat("other", TEAM, now - 1_000, beat)
        if "looked" in case:
            (line,) = memory.lines.of_team(TEAM)
            assert memory.lines.claim(line, now - case["looked"])
        gaps = GapLedger(memory.lines, TEAM, tmp_path / "lines").left_behind()
        assert [gap.since for gap in gaps] == ([now - 1_000] if case["gap"] else [])
        for gap in gaps:
            gap.closed(now)
        left = [line.stored_until for line in memory.lines.of_team(TEAM)]
        assert left == {"dropped": [], "marked": [now]}.get(case.get("then", ""), [now - 1_000])


def test_the_own_line_is_entered_marked_and_closed(tmp_path: Path) -> None:
    began = time()
    with opened(tmp_path) as memory:
        own = GapLedger(memory.lines, TEAM, tmp_path / "lines")
        own.hold()
        own.beat(began)
        (line,) = memory.lines.of_team(TEAM)
        assert (line.id, line.stored_until, line.is_closed) == (own.own, began, False)
        assert began <= line.beat_at <= time()
        assert own.marks() == [began]
        assert (own.left_behind(), own.suspected_since()) == ([], None)
        own.close(began + 1)
        (line,) = memory.lines.of_team(TEAM)
        assert (line.stored_until, line.is_closed) == (began + 1, True)
