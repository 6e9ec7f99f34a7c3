"""What messages want drawn: each line of `chart_wording.jsonl` is a message, its subject null where it wants no chart."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from ai.agents.wishes.charts import chart_wish
from ai.charts import ChartEdits
from tests.cases import cases

PLAIN = asdict(ChartEdits())


@pytest.mark.parametrize("line", cases(Path(__file__).with_name("chart_wording.jsonl")))
def test_a_wish_for_a_chart(line: dict[str, Any]) -> None:
    wish = chart_wish(line["case"])
    if wish is None:
        assert line["subject"] is None
        return
    edits = {name: value for name, value in asdict(wish.edits).items() if value != PLAIN[name]}
    told = {"subject": wish.subject, "what": wish.what, "outright": wish.outright, "edits": edits}
    wanted = {"what": "", "edits": {}} | {name: value for name, value in line.items() if name != "case"}
    wanted["edits"] = {n: tuple(v) if isinstance(v, list) else v for n, v in wanted["edits"].items()}
    assert told == wanted
